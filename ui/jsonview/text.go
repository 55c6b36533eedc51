package jsonview

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"parley/a2a/jsontok"
)

// unescape returns the text of a JSON string, given the bytes between the quotes, cut to at
// most limit bytes but never inside an escape.
func unescape(raw []byte, limit int) (text string, whole bool) {
	whole = len(raw) <= limit
	if !whole {
		raw = raw[:cut(raw, limit)]
	}
	if bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw) {
		return string(raw), whole
	}
	var doc jsontok.Doc
	quoted := append(append(append(make([]byte, 0, len(raw)+2), '"'), raw...), '"')
	if doc.Parse(quoted) != nil {
		return string(raw), whole
	}
	return doc.Root().Text(), whole
}

// cut returns the length of a prefix of raw, at most limit, that ends between two characters.
func cut(raw []byte, limit int) int {
	i := 0
	for i < limit {
		n := 1
		switch c := raw[i]; {
		case c == '\\' && i+1 < len(raw) && raw[i+1] == 'u':
			n = 6
			if isHigh(raw[i:]) {
				n = 12
			}
		case c == '\\':
			n = 2
		case c >= 0xf0:
			n = 4
		case c >= 0xe0:
			n = 3
		case c >= 0xc0:
			n = 2
		}
		if i+n > limit {
			break
		}
		i += n
	}
	return i
}

// isHigh reports whether s starts with the escape of a high surrogate.
func isHigh(s []byte) bool {
	return len(s) > 3 && (s[2]|0x20) == 'd' && strings.IndexByte("89abAB", s[3]) >= 0
}

// escaped returns text on one line, with control characters as JSON escapes.
func escaped(text string) string {
	if !strings.ContainsFunc(text, needsEscape) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case needsEscape(r):
			b.WriteString(`\u` + strings.ToLower(hex(uint32(r), 4)))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func needsEscape(r rune) bool { return r == '"' || r == '\\' || unicode.IsControl(r) }

// visible replaces the control characters in text of several lines by signs, except line feeds
// and tabs.
func visible(text string) string {
	if !strings.ContainsFunc(text, unicode.IsControl) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\n' || r == '\t' || !unicode.IsControl(r):
			b.WriteRune(r)
		case r < utf8.RuneSelf:
			b.WriteString(picture(byte(r)))
		default:
			b.WriteString("⟨U+" + hex(uint32(r), 4) + "⟩")
		}
	}
	return b.String()
}

// base64Size returns the decoded size of a string that looks like base64; ok is false for
// others. Digests and ids are too short, and words lack digits.
func base64Size(raw []byte) (int64, bool) {
	const least, look = 128, 1024
	if len(raw) < least {
		return 0, false
	}
	var upper, lower, digit bool
	for _, c := range raw[:min(len(raw)-2, look)] {
		switch {
		case c >= 'A' && c <= 'Z':
			upper = true
		case c >= 'a' && c <= 'z':
			lower = true
		case c >= '0' && c <= '9':
			digit = true
		case bytes.IndexByte([]byte("+/-_"), c) < 0:
			return 0, false
		}
	}
	n := len(bytes.TrimRight(raw, "="))
	if !upper || !lower || !digit || n%4 == 1 {
		return 0, false
	}
	return int64(n/4*3 + max(n%4-1, 0)), true
}
