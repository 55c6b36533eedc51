package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// clean makes text of unknown origin safe for a terminal and a pipe: line feeds and tabs stay,
// other line ends become line feeds, and every control or direction character becomes visible.
// Nothing else changes, so that the next program in a pipe gets what was sent.
func clean(s string) string {
	if plain(s) {
		return s
	}
	if strings.IndexFunc(s, unsafe) < 0 && utf8.ValidString(s) {
		return s
	}
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n", "\u0085", "\n").Replace(s)
	var b strings.Builder
	for _, r := range s { // a byte that is not UTF-8 becomes U+FFFD here
		switch {
		case r == '\n' || r == '\t' || !unsafe(r):
			b.WriteRune(r)
		case r < ' ':
			b.WriteRune('␀' + r)
		default:
			fmt.Fprintf(&b, "⟨U+%04X⟩", r)
		}
	}
	return b.String()
}

// plain reports whether a text contains only printable ASCII.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' && c != '\n' && c != '\t' || c > '~' {
			return false
		}
	}
	return true
}

// line is clean for a single line.
func line(s string) string {
	return strings.Join(strings.FieldsFunc(clean(s), func(r rune) bool { return r == '\n' || r == '\t' }), " ")
}

// unsafe reports whether a character controls a terminal, or reorders or hides
// text. Joiners stay: emoji and many scripts need them.
func unsafe(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < ' ', 0x7f <= r && r <= 0x9f, r == 0x061c, r == 0x200e, r == 0x200f, r == 0xfeff:
		return true
	case 0x2028 <= r && r <= 0x202e, 0x2066 <= r && r <= 0x206f, 0xfff9 <= r && r <= 0xfffb:
		return true
	default:
		return 0xe0000 <= r && r <= 0xe007f
	}
}

// compact returns a JSON value on one line in which every unsafe character is escaped. It fails
// for invalid JSON.
func compact(raw []byte) ([]byte, error) {
	var b bytes.Buffer
	b.Grow(len(raw) + 1) // and its line end
	err := json.Compact(&b, escapeUnsafe(raw))
	return b.Bytes(), err
}

// tight reports whether a JSON value equals its compact form. It makes no copy.
func tight(raw []byte) bool { return isCompact(raw) && json.Valid(raw) }

// isCompact reports whether a text, if it is JSON, equals its compact form.
func isCompact(raw []byte) bool {
	quoted := false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '"':
			quoted = !quoted
		case c == '\\' && quoted:
			i++
		case c < ' ', c > '~', c == ' ' && !quoted:
			return false
		}
	}
	return !quoted && len(raw) > 0
}

// indent is compact with line breaks.
func indent(raw []byte) ([]byte, error) {
	var b bytes.Buffer
	err := json.Indent(&b, escapeUnsafe(bytes.TrimSpace(raw)), "", "  ")
	return b.Bytes(), err
}

// escapeUnsafe writes the unsafe characters of a JSON text as \u escapes, and bytes that are
// not UTF-8 as the replacement character. Valid JSON has only ASCII between strings, which
// stays.
func escapeUnsafe(raw []byte) []byte {
	var out []byte // nil until something changes
	kept, quoted := 0, false
	for i := 0; i < len(raw); {
		c := raw[i]
		switch {
		case c == '"':
			quoted = !quoted
			i++
			continue
		case c == '\\' && quoted && i+1 < len(raw) && raw[i+1] < utf8.RuneSelf && raw[i+1] >= ' ':
			i += 2
			continue
		case ' ' <= c && c < 0x7f, !quoted && c < ' ':
			i++
			continue
		}
		r, size := utf8.DecodeRune(raw[i:])
		if r == utf8.RuneError && size == 1 || r < ' ' || unsafe(r) {
			out = appendEscape(append(out, raw[kept:i]...), r)
			kept = i + size
		}
		i += size
	}
	if out == nil {
		return raw
	}
	return append(out, raw[kept:]...)
}

func appendEscape(b []byte, r rune) []byte {
	if r > 0xffff {
		r -= 0x10000
		return fmt.Appendf(b, `\u%04x\u%04x`, 0xd800+(r>>10), 0xdc00+(r&0x3ff))
	}
	return fmt.Appendf(b, `\u%04x`, r)
}
