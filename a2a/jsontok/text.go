package jsontok

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"
)

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// str reads the string at the position. An incomplete string is indexed too, marked as torn, so
// that a tree view shows as much of it as arrived.
func (p *parser) str(flags flag) *SyntaxError {
	start := p.pos
	p.pos++
	var seen uint64 // all bytes read, to learn whether one was outside ASCII
	for {
		seen |= p.plain()
		if p.pos >= len(p.src) {
			p.pushText(start, len(p.src), flags|torn, seen)
			return p.cut("a string")
		}
		switch c := p.src[p.pos]; {
		case c == '"':
			p.pos++
			p.pushText(start, p.pos, flags, seen)
			return nil
		case c == '\\':
			flags |= escaped
			if err := p.escape(); err != nil {
				p.pushText(start, min(err.Offset, len(p.src)), flags|torn, seen)
				return err
			}
		case c < ' ':
			p.pushText(start, p.pos, flags|torn, seen)
			return p.control(c)
		default: // the tail of the body, too short for a word
			seen |= uint64(c)
			p.pos++
		}
	}
}

// plain skips bytes that need no attention, eight at a time, and returns them or-ed together.
// This is the path of base64 of many megabytes.
func (p *parser) plain() (seen uint64) {
	for p.pos+8 <= len(p.src) {
		w := binary.LittleEndian.Uint64(p.src[p.pos:])
		quote, slash := w^'"'*ones, w^'\\'*ones
		stop := ((w - ' '*ones) &^ w) | ((quote - ones) &^ quote) | ((slash - ones) &^ slash)
		seen |= w
		if stop &= highs; stop != 0 {
			// The lowest mark is exact: a borrow only disturbs bytes above it.
			p.pos += bits.TrailingZeros64(stop) / 8
			return seen
		}
		p.pos += 8
	}
	return seen
}

func (p *parser) pushText(start, end int, flags flag, seen uint64) {
	if seen&highs != 0 {
		if body := p.src[start:end]; !utf8.Valid(body) {
			flags |= badUTF8
			if p.doc.badAt < 0 {
				p.doc.badAt = start + firstInvalid(body)
			}
		}
	}
	p.push(String, start, end, flags)
}

// escape reads the escape at the position, or both halves of a surrogate pair.
func (p *parser) escape() *SyntaxError {
	start := p.pos
	if p.pos+1 >= len(p.src) {
		return p.cut("a string")
	}
	switch p.src[start+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		p.pos += 2
		return nil
	case 'u':
		r, ok := hex4(p.src[start:])
		if !ok {
			return p.badHex(start)
		}
		p.pos += 6
		if !utf16.IsSurrogate(r) {
			return nil
		}
		if low, ok := hex4(p.src[p.pos:]); ok && utf16.DecodeRune(r, low) != utf8.RuneError {
			p.pos += 6
		} else if p.doc.loneAt < 0 {
			p.doc.loneAt = start
		}
		return nil
	default:
		return p.fail(start, "an escape that JSON does not define")
	}
}

// hex4 returns the value of the escape \uXXXX at the start of s.
func hex4(s []byte) (r rune, ok bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	for _, c := range s[2:6] {
		v, ok := hexDigit(c)
		if !ok {
			return 0, false
		}
		r = r<<4 | v
	}
	return r, true
}

func hexDigit(c byte) (rune, bool) {
	switch {
	case c-'0' <= 9:
		return rune(c - '0'), true
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return rune(c|0x20-'a') + 10, true
	default:
		return 0, false
	}
}

// inner returns the bytes between the quotes of the string at index i.
func (d *Doc) inner(i int32) []byte {
	t := &d.tokens[i]
	end := t.end
	if t.flags&torn == 0 {
		end--
	}
	return d.src[t.off+1 : end]
}

// text returns the decoded string at index i: a part of the body if possible, otherwise a copy.
func (d *Doc) text(i int32) []byte {
	s := d.inner(i)
	if d.tokens[i].flags.lossless() {
		return s
	}
	return appendText(make([]byte, 0, len(s)), s)
}

// decoded returns the decoded string at index i as a copy.
func (d *Doc) decoded(i int32) string {
	s := d.inner(i)
	if d.tokens[i].flags.lossless() {
		return string(s)
	}
	text := appendText(make([]byte, 0, textSize(s)), s)
	return unsafe.String(unsafe.SliceData(text), len(text)) // the copy has no other owner
}

// textSize returns the size of the text inside a string, or a little more.
func textSize(s []byte) int {
	const small = 256 // counting costs more than memory
	if len(s) <= small {
		return len(s)
	}
	size := len(s)
	for rest := s; ; {
		i := bytes.IndexByte(rest, '\\')
		if i < 0 || i+1 >= len(rest) {
			return size
		}
		switch {
		case rest[i+1] != 'u':
			size--
			i += 2
		default: // six bytes become three at most, and two of six become four
			size -= 3
			i = min(i+6, len(rest))
		}
		rest = rest[i:]
	}
}

// textIs reports whether the string at index i reads as text.
func (d *Doc) textIs(i int32, text string) bool {
	s := d.inner(i)
	if d.tokens[i].flags.lossless() {
		return string(s) == text
	}
	// Nothing grows more than an invalid byte, from one to three, and nothing
	// shrinks more than an escape, from six to one.
	if 3*len(s) < len(text) || len(s) > 6*len(text) {
		return false
	}
	var buf [64]byte
	return string(appendText(buf[:0], s)) == text
}

// appendText appends the unescaped inside of a string. Unpaired surrogates and invalid bytes
// become U+FFFD, as in encoding/json.
func appendText(dst, s []byte) []byte {
	for len(s) > 0 {
		plain := bytes.IndexByte(s, '\\')
		if plain < 0 {
			plain = len(s)
		}
		dst = appendValid(dst, s[:plain])
		if s = s[plain:]; len(s) > 0 {
			r, n := Escape(s)
			if n == 0 { // the cut end of a torn string
				return dst
			}
			dst = utf8.AppendRune(dst, r)
			s = s[n:]
		}
	}
	return dst
}

// appendValid appends bytes, each invalid one as U+FFFD.
func appendValid(dst, s []byte) []byte {
	if utf8.Valid(s) {
		return append(dst, s...)
	}
	for len(s) > 0 {
		r, n := utf8.DecodeRune(s)
		dst = utf8.AppendRune(dst, r)
		s = s[n:]
	}
	return dst
}

// Escape decodes the escape at the start of s and returns its length in bytes, 0 if it is
// incomplete. An unpaired surrogate reads as U+FFFD.
func Escape(s []byte) (r rune, size int) {
	if len(s) < 2 {
		return 0, 0
	}
	switch c := s[1]; c {
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
	default:
		return rune(c), 2
	}
	r, ok := hex4(s)
	if !ok {
		return 0, 0
	}
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if low, ok := hex4(s[6:]); ok {
		if full := utf16.DecodeRune(r, low); full != utf8.RuneError {
			return full, 12
		}
	}
	return utf8.RuneError, 6
}

// ReadText reads the string that begins at an offset of src, as [Node.Text] reads it, and
// returns the offset after it. It reports false if no string begins there or if it does not
// end, and for one that contains anything that cannot be read exactly: an unpaired surrogate or
// invalid UTF-8. The Doc is empty afterwards.
func (d *Doc) ReadText(src []byte, off int) (text string, end int, ok bool) {
	d.reset(nil)
	if off >= len(src) || src[off] != '"' || len(src) > maxSize {
		return "", 0, false
	}
	p := parser{doc: d, src: src, tokens: d.tokens, pos: off, cur: -1}
	err := p.str(0)
	d.tokens = p.tokens[:0]
	if err != nil || d.badAt >= 0 || d.loneAt >= 0 {
		return "", 0, false
	}
	inner := src[off+1 : p.pos-1]
	if p.tokens[0].flags.lossless() {
		return string(inner), p.pos, true
	}
	return string(appendText(make([]byte, 0, len(inner)), inner)), p.pos, true
}
