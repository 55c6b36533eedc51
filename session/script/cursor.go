package script

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"parley/internal/visible"
)

// A cursor reads one line from left to right.
type cursor struct {
	name string
	line int
	text string
	pos  int // in bytes
}

// fail returns an error at a byte of the line.
func (c *cursor) fail(at int, format string, args ...any) *Error {
	return &Error{Name: c.name, Line: c.line, Column: utf8.RuneCountInString(c.text[:at]) + 1, Sentence: fmt.Sprintf(format, args...)}
}

// space skips spaces and tabs.
func (c *cursor) space() {
	for c.pos < len(c.text) && (c.text[c.pos] == ' ' || c.text[c.pos] == '\t') {
		c.pos++
	}
}

// end reports whether only a comment is left.
func (c *cursor) end() bool {
	c.space()
	return c.pos == len(c.text) || c.text[c.pos] == '#' && (c.pos == 0 || c.text[c.pos-1] == ' ' || c.text[c.pos-1] == '\t')
}

// comment returns the comment at the end of the line.
func (c *cursor) comment() string {
	if !c.end() {
		return ""
	}
	return strings.TrimRight(c.text[c.pos:], " \t")
}

// word returns the next word up to a space, empty at the end; at is where it begins.
func (c *cursor) word() (word string, at int) {
	if c.end() {
		return "", c.pos
	}
	at = c.pos
	for c.pos < len(c.text) && c.text[c.pos] != ' ' && c.text[c.pos] != '\t' {
		c.pos++
	}
	return c.text[at:c.pos], at
}

// peek returns the next word without reading it.
func (c *cursor) peek() string {
	before := c.pos
	word, _ := c.word()
	c.pos = before
	return word
}

// isQuote reports whether a byte begins a quoted text.
func isQuote(b byte) bool { return b == '"' || b == '\'' || b == '`' }

// quoted reports whether a quoted text comes next.
func (c *cursor) quoted() bool { return !c.end() && isQuote(c.text[c.pos]) }

// value reads a quoted text or a single word.
func (c *cursor) value(missing string) (string, *Error) {
	switch {
	case c.end():
		return "", c.fail(c.pos, "%s", missing)
	case c.quoted():
		return c.quote()
	}
	word, at := c.word()
	if i := strings.IndexAny(word, "\"'`"); i >= 0 {
		return "", c.fail(at+i, "A quote stands inside of a word: put the whole of it in quotes.")
	}
	return word, nil
}

// quote reads a quoted text. Only double quotes know escapes.
func (c *cursor) quote() (string, *Error) {
	open := c.pos
	mark := c.text[open]
	c.pos++
	var b strings.Builder
	for c.pos < len(c.text) {
		switch ch := c.text[c.pos]; {
		case ch == mark:
			c.pos++
			if !c.end() && c.text[c.pos-1] != ' ' && c.text[c.pos-1] != '\t' {
				return "", c.fail(c.pos, "A space is missing after the closing quote.")
			}
			return b.String(), nil
		case ch == '\\' && mark == '"':
			if err := c.escape(&b); err != nil {
				return "", err
			}
		default:
			b.WriteByte(ch)
			c.pos++
		}
	}
	return "", c.fail(open, "The quote is not closed: %c is missing at the end of the text.", mark)
}

// escape reads an escape within double quotes.
func (c *cursor) escape(b *strings.Builder) *Error {
	rest := c.text[c.pos:]
	if len(rest) > 1 {
		if i := strings.IndexByte(`"\nt`, rest[1]); i >= 0 {
			b.WriteByte("\"\\\n\t"[i])
			c.pos += 2
			return nil
		}
		size := map[byte]int{'u': 6, 'U': 10}[rest[1]]
		if size > 0 && len(rest) >= size {
			if n, err := strconv.ParseUint(rest[2:size], 16, 31); err == nil && utf8.ValidRune(rune(n)) {
				b.WriteRune(rune(n))
				c.pos += size
				return nil
			}
		}
	}
	return c.fail(c.pos, `After \ stands ", \, n, t, u with four hexadecimal digits or U with eight; single quotes take a \ as it is.`)
}

// pattern reads a regular expression between slashes, and letters that change how it matches.
func (c *cursor) pattern() (*Pattern, *Error) {
	open := c.pos
	var b strings.Builder
	for c.pos++; c.pos < len(c.text) && c.text[c.pos] != '/'; c.pos++ {
		if c.text[c.pos] == '\\' && c.pos+1 < len(c.text) {
			if c.text[c.pos+1] != '/' {
				b.WriteByte('\\')
			}
			c.pos++
		}
		b.WriteByte(c.text[c.pos])
	}
	if c.pos == len(c.text) {
		return nil, c.fail(open, `The regular expression is not closed: / is missing at its end; a slash in it is \/.`)
	}
	c.pos++
	flags, at := "", c.pos
	for c.pos < len(c.text) && c.text[c.pos] != ' ' && c.text[c.pos] != '\t' {
		if !strings.ContainsRune("ism", rune(c.text[c.pos])) || strings.IndexByte(flags, c.text[c.pos]) >= 0 {
			return nil, c.fail(at, `After a regular expression stands i (upper and lower case are the same), s (. matches line ends), m (^ and $ match at lines) or a space; a slash in it is \/.`)
		}
		flags += string(c.text[c.pos])
		c.pos++
	}
	p := &Pattern{Source: b.String(), Flags: flags}
	if p.Source == "" {
		return nil, c.fail(open, "The regular expression is empty: it matches everything.")
	}
	full := p.Source
	if flags != "" {
		full = "(?" + flags + ")" + full
	}
	var err error
	if p.expr, err = regexp.Compile(full); err != nil {
		return nil, c.fail(open, "The regular expression is wrong: %s.", visible.Line(strings.TrimPrefix(err.Error(), "error parsing regexp: ")))
	}
	return p, nil
}

// duration reads a duration such as 500ms, 2s or 1m30s; a number without a unit is in seconds.
func (c *cursor) duration(what string) (time.Duration, *Error) {
	word, at := c.word()
	if word == "" {
		return 0, c.fail(c.pos, "%s takes a duration such as 500ms or 2s.", what)
	}
	d, err := time.ParseDuration(word)
	if n, numeric := strconv.ParseFloat(word, 64); err != nil && numeric == nil && n >= 0 && n <= maxWait.Seconds() {
		d, err = time.Duration(n*float64(time.Second)), nil
	}
	if err != nil || d <= 0 || d > maxWait {
		return 0, c.fail(at, "%q is no duration: %s takes one such as 500ms or 2s, up to %s.", visible.Line(clip(word)), what, "24h")
	}
	return d, nil
}

// clip shortens a word of a script for a message.
func clip(s string) string {
	const most = 40
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return s
}
