package filter

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"parley/a2a"
	"parley/session/log"
)

// A Text is a text that is searched for in any case, and also in the spellings of JSON: é as
// \u00e9, a quotation mark as \". It is immutable.
type Text struct {
	lower string // its ASCII is
	// Only occurrences of the anchor are compared. The bytes before it have only one spelling,
	// except for case, so their length is known.
	at      int
	anchors [][]byte // the anchor in every case and spelling
}

// common are bytes of JSON and of prose, the most frequent first.
const common = "\" etaoinsrhld,:cumfpgwyb0123456789{}.-_kvTSAIjxqz/[]\\"

// NewText prepares a search for s. An empty text is never found.
func NewText(s string) Text {
	t := Text{lower: strings.Map(lowerASCII, s)}
	rarest := -1
	for i, r := range t.lower {
		if escapable(r) {
			break
		}
		rank := strings.IndexRune(common, r)
		if rank < 0 {
			rank = len(common)
		}
		if rank > rarest {
			rarest, t.at = rank, i
		}
	}
	if t.lower == "" {
		return t
	}
	anchor, _ := utf8.DecodeRuneInString(t.lower[t.at:])
	t.anchors = [][]byte{[]byte(string(anchor))}
	for r := unicode.SimpleFold(anchor); r != anchor; r = unicode.SimpleFold(r) {
		if anchor >= utf8.RuneSelf || r < utf8.RuneSelf { // no Kelvin sign for a k
			t.anchors = append(t.anchors, []byte(string(r)))
		}
	}
	if escapable(anchor) && anchor != '\\' {
		t.anchors = append(t.anchors, []byte{'\\'})
	}
	return t
}

// lowerASCII leaves all other letters as they are: their case is compared, not changed.
func lowerASCII(r rune) rune {
	if r >= 'A' && r <= 'Z' {
		r += 'a' - 'A'
	}
	return r
}

// escapable reports whether encoders of JSON write r in several ways.
func escapable(r rune) bool { return r >= utf8.RuneSelf || strings.ContainsRune(`"\/<>&'`, r) }

// Index returns the first occurrence of text in s, as offsets of its beginning and its end; -1
// if there is none.
func (t Text) Index(s []byte) (from, to int) {
	var ahead [6]int // the next occurrence of each anchor: a letter has four cases at most
	next := ahead[:min(len(t.anchors), len(ahead))]
	nowhere := true
	for i := range next {
		next[i] = seek(s, t.at, t.anchors[i])
		nowhere = nowhere && next[i] == len(s)
	}
	for !nowhere {
		first := 0
		for i := range next {
			if next[i] < next[first] {
				first = i
			}
		}
		at := next[first]
		if at >= len(s) {
			break
		}
		for _, escaped := range [...]bool{false, true} {
			if n := begins(s[at-t.at:], t.lower, escaped); n >= 0 {
				return at - t.at, at - t.at + n
			}
		}
		next[first] = seek(s, at+1, t.anchors[first])
	}
	return -1, -1
}

// In reports whether s contains the text.
func (t Text) In(s []byte) bool {
	from, _ := t.Index(s)
	return from >= 0
}

// InRecord reports whether a record contains the text: in its bytes, in the text of its row, in
// its head, in the sentence about its end.
func (t Text) InRecord(it *log.Item) bool {
	return t.In(it.Record.Raw) || aside(it, t.In)
}

// textNode searches for a value everywhere in a record.
func textNode(v value) node {
	if id, ok := RecordNumber(v.text); ok && !v.quoted && v.re == nil {
		return node{match: func(it *log.Item, _ *Env) bool { return it.Record.ID == id }}
	}
	in := NewText(v.text).In
	if v.re != nil {
		in = v.re.in
	}
	return node{cost: costsBody, uses: UsesBytes, match: func(it *log.Item, _ *Env) bool {
		return in(it.Record.Raw) || aside(it, in)
	}}
}

// RecordNumber reads the number of a record as it stands on the screens: "#144".
func RecordNumber(text string) (id a2a.RecordID, ok bool) {
	digits, ok := strings.CutPrefix(strings.TrimSpace(text), "#")
	n, err := strconv.ParseUint(digits, 10, 64)
	return a2a.RecordID(n), ok && err == nil
}

// aside reports whether in holds for a text about a record besides its bytes.
func aside(it *log.Item, in func([]byte) bool) bool {
	r := &it.Record
	switch {
	case in(log.Described(it)):
		return true
	case r.Head != nil:
		return in([]byte(r.Head.URL)) || inHeader(r.Head.Header, in) || r.Head.Wire != "" && in([]byte(r.Head.Wire)) || r.Head.Sent != "" && in([]byte(r.Head.Sent))
	case r.End != nil:
		return r.End.Sentence != "" && in([]byte(r.End.Sentence)) || r.End.Detail != "" && in([]byte(r.End.Detail))
	case r.Kind == a2a.KindNote && r.Note != nil:
		for _, v := range r.Note.Attrs {
			if in([]byte(v)) {
				return true
			}
		}
	}
	return false
}

// inHeader searches headers as they are shown: "Name: value".
func inHeader(h http.Header, in func([]byte) bool) bool {
	for name, values := range h {
		for _, v := range values {
			if in([]byte(name + ": " + v)) {
				return true
			}
		}
	}
	return false
}

// seek returns the next occurrence in s from i on, the length of s if there is none.
func seek(s []byte, i int, what []byte) int {
	if i >= len(s) {
		return len(s)
	}
	n := -1
	if len(what) == 1 {
		n = bytes.IndexByte(s[i:], what[0])
	} else {
		n = bytes.Index(s[i:], what)
	}
	if n < 0 {
		return len(s)
	}
	return i + n
}

// begins returns the length of the prefix of s that equals lower in any case, -1 if there is
// none. With escaped, s is inside a string of JSON.
func begins(s []byte, lower string, escaped bool) int {
	n := 0
	for i := 0; i < len(lower); {
		if n == len(s) {
			return -1
		}
		if escaped && s[n] == '\\' {
			want, size := utf8.DecodeRuneInString(lower[i:])
			have, width := unescape(s[n:])
			if !sameLetter(have, want) {
				return -1
			}
			i, n = i+size, n+width
			continue
		}
		c := lower[i]
		if c < utf8.RuneSelf {
			have := s[n]
			if have >= 'A' && have <= 'Z' {
				have += 'a' - 'A'
			}
			if have != c {
				return -1
			}
			i, n = i+1, n+1
			continue
		}
		want, size := utf8.DecodeRuneInString(lower[i:])
		have, width := utf8.DecodeRune(s[n:])
		if !sameLetter(have, want) {
			return -1
		}
		i, n = i+size, n+width
	}
	return n
}

// unescape reads an escape in a string of JSON: one letter, and its length in bytes. An invalid
// escape is the backslash itself.
func unescape(s []byte) (rune, int) {
	if len(s) < 2 {
		return '\\', 1
	}
	if s[1] != 'u' {
		if i := strings.IndexByte("nrtbf", s[1]); i >= 0 {
			return rune("\n\r\t\b\f"[i]), 2
		}
		return rune(s[1]), 2
	}
	r, ok := unit(s)
	if !ok {
		return '\\', 1
	}
	if utf16.IsSurrogate(r) {
		if low, ok := unit(s[6:]); ok {
			if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
				return both, 12
			}
		}
	}
	return r, 6
}

// unit reads an escape of four hexadecimal digits.
func unit(s []byte) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	v, err := strconv.ParseUint(string(s[2:6]), 16, 16)
	return rune(v), err == nil
}

// sameLetter reports whether two letters differ in their case only.
func sameLetter(a, b rune) bool {
	if a == b {
		return true
	}
	for r := unicode.SimpleFold(a); r != a; r = unicode.SimpleFold(r) {
		if r == b {
			return true
		}
	}
	return false
}
