package jsontok

import (
	"bytes"
	"cmp"
	"strconv"
)

// Parse indexes src, replacing the content of the Doc. It accepts what encoding/json accepts,
// and also a byte order mark before the value and NULs after it. The error is a *[SyntaxError];
// the part before it stays readable, with every open container closed at the error.
//
// If a complete value is followed by something else, Parse reports that as an
// error too, and [Doc.Tail] returns it.
func (d *Doc) Parse(src []byte) error {
	d.reset(src)
	if len(src) > maxSize {
		return &SyntaxError{Msg: "a body of more than 2 GiB"}
	}
	p := parser{doc: d, src: src, tokens: d.tokens, most: cmp.Or(d.Values, maxTokens), cur: -1}
	if bytes.HasPrefix(src, []byte("\xEF\xBB\xBF")) {
		d.bom = true
		p.pos = 3
	}
	err := p.run()
	if err != nil {
		p.tear(err.Offset)
	}
	d.tokens = p.tokens
	if err != nil {
		return err
	}
	p.space()
	d.tail, d.tailEnd = p.pos, p.pos+len(trimEnd(src[p.pos:]))
	if d.tail < d.tailEnd {
		return p.after()
	}
	d.sound = !d.bom && d.badAt < 0 && d.loneAt < 0
	return nil
}

// grouped writes a number with commas between groups of three digits.
func grouped(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// trimEnd removes white space and NULs from the end of s.
func trimEnd(s []byte) []byte {
	for len(s) > 0 && (isSpace(s[len(s)-1]) || s[len(s)-1] == 0) {
		s = s[:len(s)-1]
	}
	return s
}

func (d *Doc) reset(src []byte) {
	if cap(d.tokens) > keepTokens && cap(d.tokens)/4 > len(src) {
		d.tokens = nil
	}
	*d = Doc{Values: d.Values, src: src, tokens: d.tokens[:0], badAt: -1, loneAt: -1, buffer: d.buffer}
}

// parser is the state of one pass. The stack of open containers is the parent
// chain of the tokens themselves.
type parser struct {
	doc    *Doc
	src    []byte
	tokens []token
	most   int // tokens that are read
	pos    int
	cur    int32 // innermost open container, -1 outside
	depth  int
}

// run reads one value.
func (p *parser) run() *SyntaxError {
	for {
		open, err := p.value()
		if err != nil {
			return err
		}
		for !open {
			if p.cur < 0 {
				return nil
			}
			if open, err = p.separator(); err != nil {
				return err
			}
		}
	}
}

// value reads a scalar, an empty container or, in which case it returns true,
// the start of a container up to where its first value is due.
func (p *parser) value() (open bool, err *SyntaxError) {
	c := p.space()
	if len(p.tokens) >= p.most {
		err := p.fail(p.pos, "more than "+grouped(p.most)+" values, the most that are read")
		err.Full = true
		return false, err
	}
	switch c {
	case '{':
		return p.open(Object, '}')
	case '[':
		return p.open(Array, ']')
	case '"':
		return false, p.str(0)
	case 't':
		return false, p.literal(True, "true")
	case 'f':
		return false, p.literal(False, "false")
	case 'n':
		return false, p.literal(Null, "null")
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return false, p.number()
	default:
		return false, p.noValue()
	}
}

// open starts a container and returns false if it is empty.
func (p *parser) open(kind Kind, closer byte) (bool, *SyntaxError) {
	if p.depth == maxDepth {
		err := p.fail(p.pos, "more than 10,000 levels of nesting")
		err.Deep = true
		return false, err
	}
	p.depth++
	p.push(kind, p.pos, 0, 0)
	p.cur = int32(len(p.tokens) - 1)
	p.pos++
	if p.space() == closer && p.pos < len(p.src) {
		p.close()
		return false, nil
	}
	if kind == Object {
		return true, p.name()
	}
	return true, nil
}

func (p *parser) close() {
	t := &p.tokens[p.cur]
	p.pos++
	t.end, t.next = int32(p.pos), int32(len(p.tokens))
	p.cur = t.parent
	p.depth--
}

// separator reads what follows a value inside a container. It returns true when
// another value is due and false when the container was closed.
func (p *parser) separator() (bool, *SyntaxError) {
	object := p.tokens[p.cur].kind == Object
	switch c := p.space(); {
	case c == ',':
		comma := p.pos
		p.pos++
		if c = p.space(); c == '}' || c == ']' {
			return false, p.fail(comma, "a trailing comma")
		}
		if object {
			return true, p.name()
		}
		return true, nil
	case c == '}' && object, c == ']' && !object:
		p.close()
		return false, nil
	default:
		return false, p.noSeparator()
	}
}

// name reads the name of a member and the colon after it.
func (p *parser) name() *SyntaxError {
	if p.space() != '"' {
		return p.noName()
	}
	if err := p.str(isKey); err != nil {
		return err
	}
	if p.space() != ':' {
		return p.noColon()
	}
	p.pos++
	return nil
}

func (p *parser) push(kind Kind, off, end int, flags flag) {
	if len(p.tokens) == cap(p.tokens) {
		p.grow(off)
	}
	p.tokens = append(p.tokens, token{
		off: int32(off), end: int32(end), parent: p.cur, next: int32(len(p.tokens) + 1), kind: kind, flags: flags,
	})
}

// grow allocates the tokens for the whole body, estimated from its beginning, so that a body of
// many megabytes is not copied step by step; but at most four times the present number, because
// the estimate may be wrong.
func (p *parser) grow(off int) {
	n := len(p.tokens)
	whole := n * (len(p.src)/(off+1) + 1)
	more := max(min(max(whole-n, n/2, 64), 3*n, p.most-n), 64)
	p.tokens = append(make([]token, 0, n+more), p.tokens...)
}

// tear closes what is open at the offset of an error.
func (p *parser) tear(offset int) {
	for ; p.cur >= 0; p.cur = p.tokens[p.cur].parent {
		t := &p.tokens[p.cur]
		t.end, t.next = int32(max(offset, p.lastEnd())), int32(len(p.tokens))
		t.flags |= torn
	}
}

// lastEnd returns the end of the last token, so that an incomplete container covers all of its
// content.
func (p *parser) lastEnd() int {
	last := &p.tokens[len(p.tokens)-1]
	return int(max(last.end, last.off+1))
}

// space skips white space and returns the byte after it, 0 at the end.
func (p *parser) space() byte {
	for p.pos < len(p.src) {
		c := p.src[p.pos]
		if !isSpace(c) {
			return c
		}
		p.pos++
	}
	return 0
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

func (p *parser) literal(kind Kind, word string) *SyntaxError {
	rest := p.src[p.pos:]
	if len(rest) < len(word) || string(rest[:len(word)]) != word {
		return p.noValue()
	}
	p.push(kind, p.pos, p.pos+len(word), 0)
	p.pos += len(word)
	return nil
}

func (p *parser) number() *SyntaxError {
	start := p.pos
	if p.peek() == '-' {
		p.pos++
		if c := p.peek(); c == 'I' || c == 'N' {
			p.pos = start
			return p.noValue()
		}
	}
	zero := p.peek() == '0'
	if !p.digits() {
		return p.failEnd("a minus sign without a digit after it", "a number")
	}
	if first := p.pos - 1; zero && (p.src[first] != '0' || first > start+1 || first == start+1 && p.src[start] != '-') {
		return p.fail(start, "a number with a leading zero")
	}
	if p.peek() == '.' {
		p.pos++
		if !p.digits() {
			return p.failEnd("a number without a digit after its point", "a number")
		}
	}
	if c := p.peek(); c == 'e' || c == 'E' {
		p.pos++
		if c := p.peek(); c == '+' || c == '-' {
			p.pos++
		}
		if !p.digits() {
			return p.failEnd("a number without a digit in its exponent", "a number")
		}
	}
	p.push(Number, start, p.pos, 0)
	return nil
}

// peek returns the byte at the position, 0 at the end.
func (p *parser) peek() byte {
	if p.pos < len(p.src) {
		return p.src[p.pos]
	}
	return 0
}

// digits skips digits and reports whether there was one.
func (p *parser) digits() bool {
	start := p.pos
	for p.pos < len(p.src) && p.src[p.pos]-'0' <= 9 {
		p.pos++
	}
	return p.pos > start
}
