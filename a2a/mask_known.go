package a2a

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"parley/a2a/jsontok"
	"parley/a2a/patterns"
	"parley/a2a/plaintext"
)

// A secretFinder finds secrets in any bytes: the values that it knows, in any spelling, the
// values of JSON members with secret names, and tokens of known shapes. It is immutable. The
// nil secretFinder finds only shapes.
type secretFinder struct {
	match   *patterns.Set
	values  int // so many of the patterns are spellings of values; the others are beginnings of members
	spelled *plaintext.Finder

	starts  []string  // spellings of values, in order, for values that chunks divide
	firsts  [256]bool // their first bytes
	longest int       // bytes of the longest of them
}

// newSecretFinder returns a secretFinder of values and of members.
func newSecretFinder(values, members []string) *secretFinder {
	var all []string
	for _, v := range values {
		all = append(all, echoSpellings(v)...)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	d := &secretFinder{values: len(all), starts: startsOf(all)}
	d.spelled = plaintext.NewFinder(all, d.starts, shortestSecret)
	for _, p := range d.starts {
		d.firsts[p[0]] = true
		d.longest = max(d.longest, len(p))
	}
	for _, name := range members {
		for _, s := range memberSpellings(name) {
			quoted := strconv.Quote(s)
			all = append(all, quoted, inJSON(quoted[:len(quoted)-1], false)+`\"`)
		}
	}
	d.match = patterns.New(all)
	return d
}

// spans appends the positions of secrets in a text. Name is the name of secrets that are known
// by their value.
func (d *secretFinder) spans(spans []span, text []byte, name string) []span {
	spans = shapeSpans(spans, text)
	if d == nil {
		return spans
	}
	d.match.Find(text, func(pattern, from int) {
		to := from + d.match.Length(pattern)
		if pattern < d.values {
			spans = append(spans, span{off: from, end: to, name: name})
		} else if s, ok := memberSpan(text, from, to); ok {
			spans = append(spans, s)
		}
	})
	d.spelled.Find(text, func(from, to int) { spans = append(spans, span{off: from, end: to, name: name}) })
	return spans
}

// offsets converts offsets in the unescaped text to offsets in the escaped one.
func offsets(text []byte, wanted []int) map[int]int {
	wanted = slices.Clone(wanted)
	slices.Sort(wanted)
	at := make(map[int]int, len(wanted))
	said, i := 0, 0
	for _, w := range wanted {
		for said < w {
			r, size := readEscape(text[i:])
			if size == 1 {
				said++
			} else {
				said += utf8.RuneLen(r)
			}
			i += size
		}
		at[w] = i
	}
	return at
}

// readEscape reads a character of JSON and returns how many bytes it takes; an unescaped byte
// and an incomplete escape are themselves.
func readEscape(text []byte) (r rune, size int) {
	if text[0] == '\\' {
		if r, size = jsontok.Escape(text); size > 0 {
			return r, size
		}
	}
	return rune(text[0]), 1
}

// appendEscaped appends the result of [readEscape]: the byte itself, or the character of an
// escape.
func appendEscaped(dst []byte, b byte, r rune, size int) []byte {
	if size == 1 {
		return append(dst, b)
	}
	return utf8.AppendRune(dst, r)
}

// memberSpan returns the position of a member's value, given its quoted name in a text, and
// whether it is a secret: a string, or a number, which a string replaces so that JSON stays
// JSON.
func memberSpan(text []byte, from, to int) (span, bool) {
	quote := `"`
	if text[from] == '\\' {
		quote = `\"`
	} else if from > 0 && text[from-1] == '\\' {
		return span{}, false // the quote is escaped, and belongs to a longer text
	}
	name := strings.Trim(string(text[from:to]), `\"`)
	colon := skipSpace(text, to)
	if colon >= len(text) || text[colon] != ':' {
		return span{}, false
	}
	at := skipSpace(text, colon+1)
	if value, ok := bytes.CutPrefix(text[at:], []byte(quote)); ok {
		off := at + len(quote)
		end := off + closingQuote(value, quote)
		return span{off: off, end: end, name: name}, end > off && string(text[off:end]) != Mask
	}
	end := at
	for end < len(text) && strings.IndexByte("-+.eE0123456789", text[end]) >= 0 {
		end++
	}
	var doc jsontok.Doc
	if end == at || doc.Parse(text[at:end]) != nil {
		return span{}, false
	}
	return span{off: at, end: end, name: name, as: quote + Mask + quote}, true
}

// closingQuote returns the end of a string at the beginning of a text: its closing quote, or
// the end of the text.
func closingQuote(text []byte, quote string) int {
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '"':
			return i
		case text[i] != '\\':
		case quote == `\"` && i+1 < len(text) && text[i+1] == '"':
			return i
		case quote == `\"` && bytes.HasPrefix(text[i:], []byte(`\\\"`)):
			i += 3
		default:
			i++
		}
	}
	return len(text)
}

// skipSpace returns the offset after white space between JSON tokens. The lines of an event
// stream begin with "data:".
func skipSpace(text []byte, at int) int {
	for at < len(text) {
		switch text[at] {
		case ' ', '\t':
			at++
		case '\r', '\n':
			at++
			if bytes.HasPrefix(text[at:], []byte("data:")) {
				at += len("data:")
			}
		default:
			return at
		}
	}
	return at
}

// echoSpellings returns the ways in which an agent may write a value that it repeats.
func echoSpellings(value string) []string {
	all := append(spellings(value), asciiJSON(value), strings.ReplaceAll(inJSON(value, false), "/", `\/`))
	all = append(all, inJSON(asciiJSON(value), false), inJSON(strings.ReplaceAll(inJSON(value, false), "/", `\/`), false))
	for _, safe := range []string{"", "/", "!'()*", "/:@+$&=", "/:@+$&=,;?!'()*"} {
		all = append(all, percentEncode(value, safe))
	}
	for _, s := range all {
		all = append(all, lowerEscapes(s))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// percentEncode percent-encodes a text for a URL; letters, digits, - . _ ~ and the characters in
// safe stay as they are.
func percentEncode(text, safe string) string {
	var b strings.Builder
	for i := range len(text) {
		if c := text[i]; tokenBytes[c] || c == '~' || strings.IndexByte(safe, c) >= 0 {
			b.WriteByte(c)
		} else {
			b.WriteString("%" + strings.ToUpper(strconv.FormatUint(uint64(c)|1<<8, 16)[1:]))
		}
	}
	return b.String()
}

// lowerEscapes writes the escapes of a URL with lower-case digits.
func lowerEscapes(s string) string {
	b := []byte(s)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i+1:], bytes.ToLower(b[i+1:i+3]))
			i += 2
		}
	}
	return string(b)
}

// asciiJSON writes a text as a JSON string in ASCII, without its quotes.
func asciiJSON(text string) string {
	var b strings.Builder
	for _, r := range inJSON(text, false) {
		if r < utf8.RuneSelf {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}

// headerValues returns the secrets in the value of a header: all of it, what follows the name of a
// scheme, the password and the pair of a Basic one, and the values of cookies.
func headerValues(name, value string) []string {
	all := []string{value}
	switch http.CanonicalHeaderKey(name) {
	case "Cookie", "Set-Cookie":
		for field := range strings.SplitSeq(value, ";") {
			if _, v, ok := strings.Cut(field, "="); ok {
				all = append(all, strings.TrimSpace(v))
			}
		}
		return all
	}
	scheme, token, ok := strings.Cut(value, " ")
	if !ok {
		return all
	}
	all = append(all, strings.TrimSpace(token), value[strings.LastIndexByte(value, ' ')+1:])
	if strings.EqualFold(scheme, "basic") {
		if pair, err := base64.StdEncoding.DecodeString(strings.TrimSpace(token)); err == nil {
			_, password, _ := strings.Cut(string(pair), ":")
			all = append(all, string(pair), password)
		}
	}
	return all
}
