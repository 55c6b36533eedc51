package filter

import (
	"regexp/syntax"
	"strings"
	"unicode"
)

// kind says what a token is.
type kind uint8

const (
	theEnd kind = iota
	opening
	closing
	and
	or
	not
	term
)

// A token is a word of the filter's language.
type token struct {
	kind     kind
	off, end int
	field    *field // of a term; nil for one that is searched for everywhere
	op       string // of a field: ":", "=", ">", ">=", "<", "<="
	opEnd    int
	values   []value // of a term, one at least except for a flag
}

// A value is what a field is compared with.
type value struct {
	text     string
	off, end int
	quoted   bool
	re       *pattern // of /regex/, otherwise nil
}

// A lexer divides a filter into tokens.
type lexer struct {
	text string
	at   int
}

// skip skips spaces.
func (l *lexer) skip() {
	l.at = len(l.text) - len(strings.TrimLeftFunc(l.text[l.at:], unicode.IsSpace))
}

// next returns the next token.
func (l *lexer) next() (token, *Error) {
	l.skip()
	t := token{off: l.at, end: l.at}
	if l.at == len(l.text) {
		return t, nil
	}
	switch l.text[l.at] {
	case '(', ')':
		t.kind = opening
		if l.text[l.at] == ')' {
			t.kind = closing
		}
		l.at++
		t.end = l.at
		return t, nil
	case '"', '/':
		return l.term(t)
	}
	name, op := l.head()
	if op != "" {
		return l.fieldTerm(t, name, op)
	}
	l.at += len(word(l.text[l.at:], ""))
	t.end = l.at
	return keyword(t, l.text[t.off:t.end]), nil
}

// head reads the name of a field and the operator after it: "size", ">=".
func (l *lexer) head() (name, op string) {
	rest := l.text[l.at:]
	n := strings.IndexFunc(rest, func(r rune) bool { return !letter(r) })
	if n <= 0 {
		return "", ""
	}
	for _, op := range [...]string{":", ">=", "<=", ">", "<", "="} {
		if strings.HasPrefix(rest[n:], op) {
			return rest[:n], op
		}
	}
	return "", ""
}

func letter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

// keyword gives a word without an operator its meaning.
func keyword(t token, text string) token {
	switch strings.ToLower(text) {
	case "and":
		t.kind = and
	case "or":
		t.kind = or
	case "not":
		t.kind = not
	default:
		t.kind = term
		if f := findField(text); f != nil && f.flag != nil {
			t.field = f
		} else {
			t.values = []value{{text: text, off: t.off, end: t.end}}
		}
	}
	return t
}

// fieldTerm reads a field with its values.
func (l *lexer) fieldTerm(t token, name, op string) (token, *Error) {
	end := l.at + len(name)
	f := findField(name)
	if f == nil {
		return t, &Error{l.at, end, unknownField(name)}
	}
	l.at = end + len(op)
	if op == ":" && f.compares { // "size:>10k" is what size>10k means
		for _, more := range [...]string{">=", "<=", ">", "<", "="} {
			if strings.HasPrefix(l.text[l.at:], more) {
				op = more
				l.at += len(more)
				break
			}
		}
	}
	switch {
	case f.compile == nil:
		return t, &Error{end, l.at, f.name + " has no field; put text that contains this in quotation marks"}
	case !f.takes(op):
		return t, &Error{end, l.at, f.name + " is written " + f.form() + ": it needs " + f.wants}
	}
	t.field, t.op, t.opEnd = f, op, l.at
	return l.term(t)
}

// term reads the values of a term: a list for a field, otherwise one.
func (l *lexer) term(t token) (token, *Error) {
	t.kind = term
	for {
		v, err := l.value(t.field)
		if err != nil {
			return t, err
		}
		t.values = append(t.values, v)
		if t.field == nil || !strings.HasPrefix(l.text[l.at:], ",") {
			break
		}
		l.at++
	}
	t.end = l.at
	if rest := l.text[l.at:]; rest != "" && strings.IndexFunc(rest, ends) != 0 {
		return t, &Error{l.at, l.at + len(word(rest, "")), "a space is missing here"}
	}
	return t, nil
}

// ends reports whether r can follow a term.
func ends(r rune) bool { return r == '(' || r == ')' || unicode.IsSpace(r) }

// value reads one value of f, which is nil for text that stands alone.
func (l *lexer) value(f *field) (value, *Error) {
	rest := l.text[l.at:]
	switch {
	case strings.HasPrefix(rest, `"`):
		return l.quoted()
	case strings.HasPrefix(rest, "/"):
		return l.pattern()
	}
	text := word(rest, ",")
	v := value{text: text, off: l.at, end: l.at + len(text)}
	if text == "" {
		return v, &Error{l.at, l.at, "here " + f.name + " needs " + f.wants}
	}
	l.at = v.end
	return v, nil
}

// word returns the beginning of s up to a space, a bracket or one of stop.
func word(s, stop string) string {
	n := strings.IndexFunc(s, func(r rune) bool { return ends(r) || strings.ContainsRune(stop, r) })
	if n < 0 {
		return s
	}
	return s[:n]
}

// quoted reads text in quotation marks, in which a backslash quotes the next character.
func (l *lexer) quoted() (value, *Error) {
	var b strings.Builder
	for i := l.at + 1; i < len(l.text); i++ {
		switch c := l.text[i]; {
		case c == '"':
			v := value{text: b.String(), off: l.at, end: i + 1, quoted: true}
			l.at = v.end
			if v.text == "" {
				return v, &Error{v.off, v.end, "the quotation marks are empty"}
			}
			return v, nil
		case c == '\\' && i+1 < len(l.text):
			i++
			b.WriteByte(l.text[i])
		default:
			b.WriteByte(c)
		}
	}
	return value{}, &Error{l.at, len(l.text), "the closing quotation mark is missing"}
}

// pattern reads a regular expression between slashes.
func (l *lexer) pattern() (value, *Error) {
	end := -1
	for i := l.at + 1; i < len(l.text) && end < 0; i++ {
		switch l.text[i] {
		case '\\':
			i++
		case '/':
			end = i
		}
	}
	if end < 0 {
		return value{}, &Error{l.at, len(l.text), "a pattern must end with /; put text that begins with / in quotation marks"}
	}
	v := value{text: l.text[l.at+1 : end], off: l.at, end: end + 1}
	if v.text == "" {
		return v, &Error{v.off, v.end, "the pattern is empty"}
	}
	re, err := compilePattern(v.text)
	if err != nil {
		return v, patternError(v, err)
	}
	v.re = re
	l.at = v.end
	return v, nil
}

// patternError says what is wrong with a pattern, and where if that is known.
func patternError(v value, err error) *Error {
	e := &Error{v.off, v.end, "this pattern is invalid"}
	if s, ok := err.(*syntax.Error); ok {
		e.Message = "in this pattern: " + s.Code.String()
		if i := strings.Index(v.text, s.Expr); i >= 0 && s.Expr != "" {
			e.Off = v.off + 1 + i
			e.End = e.Off + len(s.Expr)
		}
	}
	return e
}
