package jsontok

import (
	"bytes"
	"fmt"
	"strconv"
)

// A SyntaxError says what in a body is not JSON.
type SyntaxError struct {
	// Offset is the position of the first invalid byte; the length of the body if it ends too
	// early.
	Offset int
	// Msg is a part of a sentence that names what was found: "a comment", "a trailing comma",
	// "body ends inside a string". It contains no control characters.
	Msg string
	// Cut reports that the body ends too early and is valid up to there.
	Cut bool
	// Deep reports that the only fault of the body is its nesting, which exceeds the limit.
	Deep bool
	// Full reports that the body has more values than are read. Nothing is wrong with what was read.
	Full bool
}

// Error returns the offset and what was found there.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("not JSON at byte %d: %s", e.Offset, e.Msg)
}

func (p *parser) fail(offset int, msg string) *SyntaxError {
	return &SyntaxError{Offset: offset, Msg: msg}
}

// cut reports that the body ends inside something.
func (p *parser) cut(inside string) *SyntaxError {
	return &SyntaxError{Offset: len(p.src), Msg: "body ends inside " + inside, Cut: true}
}

// failEnd reports msg at the position, or that the body is cut there.
func (p *parser) failEnd(msg, inside string) *SyntaxError {
	if p.pos >= len(p.src) {
		return p.cut(inside)
	}
	return p.fail(p.pos, msg)
}

// container names the container of the position, as the end of a sentence.
func (p *parser) container() string {
	if p.tokens[p.cur].kind == Object {
		return "an object"
	}
	return "an array"
}

// foreign lists what other languages write in place of a JSON value.
var foreign = [...]struct{ word, msg string }{
	{"NaN", "NaN, which Python's json writes"},
	{"Infinity", "Infinity, which Python's json writes"},
	{"-Infinity", "-Infinity, which Python's json writes"},
	{"-NaN", "NaN, which is not a JSON number"},
	{"True", "True, which is Python, not JSON"},
	{"False", "False, which is Python, not JSON"},
	{"None", "None, which is Python, not JSON"},
	{"undefined", "undefined, which is JavaScript, not JSON"},
	{"//", "a comment"},
	{"/*", "a comment"},
	{"#", "a comment"},
	{"'", "a string in single quotes"},
	{"+", "a number with a leading plus sign"},
	{".", "a number that starts with its point"},
}

// unexpected names what was found in place of something.
func (p *parser) unexpected(wanted string) *SyntaxError {
	rest := p.src[p.pos:]
	for _, f := range foreign {
		if bytes.HasPrefix(rest, []byte(f.word)) {
			return p.fail(p.pos, f.msg)
		}
	}
	return p.fail(p.pos, p.foundText()+" in place of "+wanted)
}

// noValue names what was found in place of a value.
func (p *parser) noValue() *SyntaxError {
	rest := p.src[p.pos:]
	switch {
	case p.cur < 0 && len(trimEnd(rest)) == 0:
		return &SyntaxError{Offset: p.pos, Msg: "an empty body", Cut: true}
	case len(rest) == 0:
		return p.cut(p.container())
	case p.cur < 0 && rest[0] == '<':
		return p.fail(p.pos, "HTML or XML, not JSON")
	}
	for _, word := range [...]string{"true", "false", "null"} {
		if len(rest) < len(word) && word[:len(rest)] == string(rest) {
			return p.cut("the word " + word)
		}
	}
	return p.unexpected("a value")
}

// noSeparator names what was found in place of a comma or the end of a container.
func (p *parser) noSeparator() *SyntaxError {
	rest := p.src[p.pos:]
	if len(rest) == 0 {
		return p.cut(p.container())
	}
	if last := p.tokens[len(p.tokens)-1]; last.kind == Number && int(last.end) == p.pos {
		switch c := rest[0] | 0x20; {
		case c == 'x' && p.pos > 0 && p.src[p.pos-1] == '0':
			return p.fail(int(last.off), "a hexadecimal number")
		case c >= 'a' && c <= 'z', rest[0] == '_', rest[0] == '.':
			return p.fail(p.pos, p.foundText()+" inside a number")
		}
	}
	switch c := rest[0]; c {
	case '"', '{', '[', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 't', 'f', 'n':
		return p.fail(p.pos, "a missing comma")
	case '}':
		return p.fail(p.pos, "'}' in place of ']' or a comma")
	case ']':
		return p.fail(p.pos, "']' in place of '}' or a comma")
	}
	return p.unexpected("a comma")
}

// noName names what was found in place of a member's name.
func (p *parser) noName() *SyntaxError {
	c := p.peek()
	switch {
	case p.pos >= len(p.src):
		return p.cut("an object")
	case c == '\'':
		return p.fail(p.pos, "a name in single quotes")
	case c == '_' || c == '$' || c|0x20 >= 'a' && c|0x20 <= 'z':
		return p.fail(p.pos, "a name without quotes")
	}
	return p.unexpected("a name")
}

func (p *parser) noColon() *SyntaxError {
	if p.pos >= len(p.src) {
		return p.cut("an object")
	}
	return p.unexpected("a colon")
}

// after names what follows a complete value.
func (p *parser) after() *SyntaxError {
	switch p.peek() {
	case '{', '[', '"':
		return p.fail(p.pos, "a second value after the end of the first")
	default:
		return p.fail(p.pos, p.foundText()+" after the end of the value")
	}
}

func (p *parser) control(c byte) *SyntaxError {
	if c == '\n' || c == '\r' {
		return p.fail(p.pos, "a line break inside a string")
	}
	return p.fail(p.pos, fmt.Sprintf("control character 0x%02X inside a string", c))
}

// badHex says what is wrong with the \u escape at start.
func (p *parser) badHex(start int) *SyntaxError {
	for i := start + 2; i < start+6; i++ {
		if i >= len(p.src) {
			return p.cut("a string")
		}
		if _, ok := hexDigit(p.src[i]); !ok {
			break
		}
	}
	return p.fail(start, `a \u escape without four hexadecimal digits`)
}

// foundText names the byte at the position in printable ASCII.
func (p *parser) foundText() string {
	if c := p.src[p.pos]; c < 0x80 && strconv.IsPrint(rune(c)) {
		return "'" + string(rune(c)) + "'"
	}
	return fmt.Sprintf("byte 0x%02X", p.src[p.pos])
}
