// Package plaintext reads a text as a reader sees it after everything that it may pass on the way to the
// screen, so that a secret is found however it is spelled.
//
// A secret "KEY-1234" can come as "KEY%2D1234", "KEY&#45;1234", "KEY\u002d1234", "KEY\-1234", "**KEY**-1234",
// "[KEY](http://x/)-1234", "KEY<b></b>-1234", with invisible characters inside, with another hyphen, in wide
// letters, or broken over lines. [Plain] undoes all of it, keeps where each byte came from, and leaves out
// what shows nothing: white space, controls, tags, and the characters that may be marks of Markdown, such as
// "_", whether they are or not. Two texts that look the same to a
// reader have the same plain text. The reverse does not hold, so a plain text is good for searching and
// for nothing else.
package plaintext

import (
	"bytes"
	"encoding/hex"
	"html"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"parley/a2a/jsontok"
)

// A Text is what is left of a source. The zero value is ready for use, and keeps its memory for the next
// source. It is not safe for use by several goroutines.
type Text struct {
	Plain []byte
	spans []span // of the source, one for each byte of Plain

	other      []byte // what Plain was before the last round
	otherSpans []span
}

// A span is a range of the source.
type span struct{ from, to int32 }

// depth is how often a text is decoded: JSON may hold JSON as a text, and that one again.
const depth = 3

// Read replaces the text by that of a source.
func (t *Text) Read(source []byte) {
	t.Plain, t.spans = append(t.Plain[:0], source...), t.spans[:0]
	for i := range source {
		t.spans = append(t.spans, span{int32(i), int32(i) + 1})
	}
	for range depth {
		if !t.apply(decode) {
			break
		}
	}
	t.apply(strip)
}

// Source returns the range of the source from which a range of Plain came. The range must not be empty.
func (t *Text) Source(from, to int) (int, int) {
	return int(t.spans[from].from), int(t.spans[to-1].to)
}

// Plain returns the plain text of a source.
func Plain(source string) string {
	var t Text
	t.Read([]byte(source))
	return string(t.Plain)
}

// apply replaces each unit of the text by what is left of it, and reports whether a unit was decoded.
func (t *Text) apply(read func([]byte) unit) (decoded bool) {
	t.Plain, t.other = t.other[:0], t.Plain
	t.spans, t.otherSpans = t.otherSpans[:0], t.spans
	for i := 0; i < len(t.other); {
		u := read(t.other[i:])
		if len(u.text) > 0 {
			at := span{t.otherSpans[i].from, t.otherSpans[i+u.size-1].to}
			for range len(u.text) {
				t.spans = append(t.spans, at)
			}
			t.Plain = append(t.Plain, u.text...)
		}
		decoded = decoded || u.decoded
		i += u.size
	}
	return decoded
}

// A unit is what is read at once.
type unit struct {
	size    int    // bytes of the source
	text    []byte // what is left of it, empty for nothing; not to be changed
	decoded bool
}

// decode reads what stands for another character, at the beginning of a text that is not empty.
func decode(b []byte) unit {
	switch c := b[0]; c {
	case '%':
		return readPercent(b)
	case '&':
		return readEntity(b)
	case '\\':
		return readEscape(b)
	case 0xef: // full width, of which a percent sign may be one
		if r, size := utf8.DecodeRune(b); r >= 0xff01 && r <= 0xff5e {
			return unit{size: size, text: ascii(byte(r - 0xfee0)), decoded: true}
		}
		fallthrough
	default:
		return unit{size: 1, text: ascii(c)}
	}
}

// strip reads what shows nothing, at the beginning of a text that is not empty.
func strip(b []byte) unit {
	switch c := b[0]; c {
	case '\\':
		if len(b) > 1 && b[1] > ' ' && b[1] < 0x7f && !isWord(b[1]) { // of Markdown
			if classes[b[1]] == blank {
				return unit{size: 2}
			}
			return unit{size: 2, text: ascii(b[1])}
		}
		return unit{size: 1, text: ascii('\\')}
	case '<':
		return readTag(b)
	case ']':
		return readLinkEnd(b)
	case '[', '*', '_', '`', '~', '>':
		return unit{size: 1}
	case 0x1b:
		return unit{size: sequenceLength(b)}
	default:
		switch {
		case c <= ' ' || c == 0x7f:
			return unit{size: 1}
		case c < utf8.RuneSelf:
			return unit{size: 1, text: ascii(c)}
		}
		r, size := utf8.DecodeRune(b)
		return unit{size: size, text: readRune(r, b[:size])}
	}
}

// ascii returns a text of one byte without taking memory for it.
func ascii(c byte) []byte { return single[c : int(c)+1 : int(c)+1] }

var single = func() (all [256]byte) {
	for i := range all {
		all[i] = byte(i)
	}
	return all
}()

// readPercent reads a byte in the encoding of URLs.
func readPercent(b []byte) unit {
	var value [1]byte
	if len(b) < 3 {
		return unit{size: 1, text: ascii('%')}
	}
	if _, err := hex.Decode(value[:], b[1:3]); err != nil {
		return unit{size: 1, text: ascii('%')}
	}
	return unit{size: 3, text: ascii(value[0]), decoded: true}
}

// maxEntity is how many bytes an entity of HTML has at most.
const maxEntity = 34

// readEntity reads an entity of HTML, which ends with a semicolon.
func readEntity(b []byte) unit {
	end := bytes.IndexByte(b[:min(len(b), maxEntity)], ';')
	if end > 1 {
		if text := html.UnescapeString(string(b[:end+1])); text[0] != '&' || string(b[:end+1]) == "&amp;" {
			return unit{size: end + 1, text: []byte(text), decoded: true}
		}
	}
	return unit{size: 1, text: ascii('&')}
}

// readEscape reads an escape of JSON.
func readEscape(b []byte) unit {
	if len(b) < 2 || strings.IndexByte(`"\/bfnrtu`, b[1]) < 0 {
		return unit{size: 1, text: ascii('\\')}
	}
	switch r, size := jsontok.Escape(b); {
	case size == 0:
		return unit{size: 1, text: ascii('\\')}
	case r < utf8.RuneSelf:
		return unit{size: size, text: ascii(byte(r)), decoded: true}
	default:
		return unit{size: size, text: utf8.AppendRune(nil, r), decoded: true}
	}
}

func isWord(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// maxTag is how many bytes of a tag or of the target of a link are skipped at most.
const maxTag = 2 << 10

// maxQuoting is how many bytes of a tag are skipped at most that has the beginning of another one in it.
const maxQuoting = 64

// maxParentheses is how deep parentheses in the target of a link are nested at most.
const maxParentheses = 4

// readTag reads a tag or a comment of HTML.
func readTag(b []byte) unit {
	near := b[:min(len(b), maxTag)]
	if bytes.HasPrefix(near, []byte("<!--")) {
		for from := len("<!--"); ; {
			end := bytes.IndexByte(near[from:], '>')
			if end < 0 {
				break
			}
			if from += end + 1; bytes.HasSuffix(near[len("<!--"):from], []byte("-->")) {
				return unit{size: from}
			}
		}
	}
	if len(near) > 1 && (isWord(near[1]) || near[1] == '/' || near[1] == '!' || near[1] == '?') {
		end := bytes.IndexAny(near[1:], "<>\n") + 1
		if end > 0 && near[end] == '<' { // in an attribute, if this is a tag; looking far would make many of them expensive
			end = bytes.IndexAny(near[:min(len(near), maxQuoting)], ">\n")
		}
		if end > 0 && near[end] == '>' {
			return unit{size: end + 1}
		}
	}
	return unit{size: 1, text: ascii('<')}
}

// readLinkEnd reads the end of the text of a link, with its target.
func readLinkEnd(b []byte) unit {
	if len(b) > 1 && b[1] == '[' { // the target stands elsewhere
		if end := bytes.IndexAny(b[2:min(len(b), maxQuoting)], "[]\n") + 2; end > 1 && b[end] == ']' {
			return unit{size: end + 1}
		}
	}
	if len(b) < 2 || b[1] != '(' {
		return unit{size: 1}
	}
	depth := 0
	for i, c := range b[1:min(len(b), maxTag)] {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		}
		switch {
		case depth == 0:
			return unit{size: i + 2}
		case c == '\n', depth > maxParentheses:
			return unit{size: 1}
		}
	}
	return unit{size: 1}
}

// sequenceLength returns how many bytes an escape sequence of terminals has.
func sequenceLength(b []byte) int {
	if len(b) < 2 {
		return 1
	}
	switch b[1] {
	case '[':
		for i := 2; i < len(b); i++ {
			if b[i] >= 0x40 && b[i] <= 0x7e {
				return i + 1
			}
			if b[i] < 0x20 || b[i] > 0x3f {
				return i
			}
		}
		return len(b)
	case ']', 'P', 'X', '^', '_':
		end := bytes.IndexAny(b[2:min(len(b), maxTag)], "\a\x1b") + 2
		switch {
		case end < 2:
			return 2
		case b[end] == '\a':
			return end + 1
		case bytes.HasPrefix(b[end:], []byte("\x1b\\")):
			return end + 2
		}
		return end
	}
	return 2
}

// readRune returns what is left of a character beyond ASCII.
func readRune(r rune, raw []byte) []byte {
	if frequent(r) || r == utf8.RuneError {
		return raw
	}
	return slowRune(r, raw)
}

// slowRune is [readRune] for characters that are not frequent.
func slowRune(r rune, raw []byte) []byte {
	switch {
	case unicode.Is(unicode.Pd, r), r == '−', r == '⁃':
		return ascii('-')
	case unicode.In(r, unicode.Cf, unicode.Zs, unicode.Zl, unicode.Zp, unicode.Cc, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point):
		return nil
	}
	return raw
}

// frequent reports fast that a character is one of those in most texts that are left as they are.
func frequent(r rune) bool {
	return r >= 0xc0 && r < 0x34f || r >= 0x370 && r < 0x531 || r >= 0x2018 && r <= 0x2026 || r > 0x3000 && r < 0x301c || r > 0x3030 && r < 0x30a0 || r > 0x30a0 && r < 0x3164 || r > 0x3164 && r < 0xd800 || r >= 0x1f300 && r < 0x1fb00
}

// unfinished returns how many bytes at the end of a text may be the beginning of what is read at once, such
// as an entity or a tag.
func unfinished(text []byte) int {
	if !slices.ContainsFunc(text[max(0, len(text)-maxOpen):], func(c byte) bool { return opens[c] }) {
		return 0
	}
	longest := 0
	for _, begin := range beginnings {
		tail := text[max(0, len(text)-begin.length):]
		if bytes.IndexByte(tail, begin.mark[0]) < 0 { // mostly, and faster than from the end
			continue
		}
		at := bytes.LastIndex(tail, []byte(begin.mark))
		if at >= 0 && begin.open(tail[at:]) {
			longest = max(longest, len(tail)-at)
		}
	}
	return longest
}

// beginnings are what begins something, how long it is at most, and whether it may still be open.
var beginnings = [...]struct {
	mark   string
	length int
	open   func([]byte) bool
}{
	{"%", 2, func(b []byte) bool { return len(b) == 1 || isWord(b[1]) }},
	{`\`, 11, func(b []byte) bool {
		return len(b) == 1 || b[1] == 'u' && len(b) < 6 || b[1] == 'u' && len(b) < 12 && isHalf(b)
	}},
	{"&", maxEntity, func(b []byte) bool {
		return !bytes.ContainsFunc(b[1:], func(r rune) bool { return r != '#' && (r >= utf8.RuneSelf || !isWord(byte(r))) })
	}},
	{"<", maxOpen, func(b []byte) bool {
		return !bytes.ContainsAny(b, ">\n") && (len(b) == 1 || isWord(b[1]) || bytes.IndexByte([]byte("/!?"), b[1]) >= 0)
	}},
	{"]", 1, func([]byte) bool { return true }},
	{"][", maxQuoting, func(b []byte) bool { return !bytes.ContainsAny(b[1:], "]\n") }},
	{"](", maxOpen, func(b []byte) bool { return !bytes.ContainsAny(b, ")\n") }},
	{"\x1b", maxEntity, func(b []byte) bool { return sequenceLength(b) >= len(b) && !isFinal(b) }},
}

// opens are the first bytes of what may be unfinished.
var opens = func() (is [256]bool) {
	for _, begin := range beginnings {
		is[begin.mark[0]] = true
	}
	return is
}()

// maxOpen is how many bytes of an unfinished tag or target are waited for.
const maxOpen = 256

// isHalf reports whether an escape of JSON may be the first half of a character: one from \ud800 to \udbff.
func isHalf(b []byte) bool {
	return len(b) > 3 && b[2]|0x20 == 'd' && strings.IndexByte("89abAB", b[3]) >= 0
}

// isFinal reports whether an escape sequence is complete.
func isFinal(b []byte) bool {
	last := b[len(b)-1]
	return len(b) > 2 && (b[1] == '[' && last >= 0x40 && last <= 0x7e || last == '\a')
}
