package filter

import "parley/internal/units"

const (
	maxText  = 4096 // bytes of a filter
	maxDepth = 100  // brackets within brackets
)

// Parse reads a filter. The error is an [*Error], nil if there is none.
func Parse(text string) (*Filter, error) {
	if len(text) > maxText {
		return nil, &Error{maxText, len(text), "a filter has at most " + units.Bytes(maxText)}
	}
	p := parser{lex: lexer{text: text}}
	f := &Filter{text: text}
	if err := p.step(); err != nil {
		return nil, err
	}
	if p.tok.kind == theEnd {
		return f, nil
	}
	root, err := p.any(0)
	switch {
	case err != nil:
		return nil, err
	case p.tok.kind == closing:
		return nil, &Error{p.tok.off, p.tok.end, "the opening bracket is missing"}
	}
	f.root, f.uses = root, root.uses
	return f, nil
}

// A parser works by recursive descent: "or" of "and" of simple terms.
type parser struct {
	lex lexer
	tok token // the current one
}

// step goes to the next token.
func (p *parser) step() (err *Error) {
	p.tok, err = p.lex.next()
	return err
}

// any reads the terms around "or".
func (p *parser) any(depth int) (node, *Error) {
	var nodes []node
	for {
		n, err := p.all(depth)
		if err != nil {
			return n, err
		}
		nodes = append(nodes, n)
		if p.tok.kind != or {
			return either(nodes), nil
		}
		if err := p.step(); err != nil {
			return n, err
		}
	}
}

// all reads adjacent terms, with or without "and".
func (p *parser) all(depth int) (node, *Error) {
	var nodes []node
	for {
		n, err := p.one(depth)
		if err != nil {
			return n, err
		}
		nodes = append(nodes, n)
		switch p.tok.kind {
		case theEnd, closing, or:
			return all(nodes), nil
		case and:
			if err := p.step(); err != nil {
				return n, err
			}
		}
	}
}

// one reads a term, a negation or a group in brackets.
func (p *parser) one(depth int) (n node, err *Error) {
	t := p.tok
	switch t.kind {
	case not:
		if err = p.step(); err == nil {
			n, err = p.one(depth)
		}
		if err == nil {
			n = inverse(n)
		}
		return n, err
	case opening:
		return p.brackets(depth + 1)
	case term:
		if n, err = t.compile(); err == nil {
			err = p.step()
		}
		return n, err
	case theEnd:
		return n, &Error{t.off, t.end, "a term is missing at the end"}
	case closing:
		return n, &Error{t.off, t.end, "a term is missing before this bracket"}
	default:
		return n, &Error{t.off, t.end, "a term is missing before \"" + p.lex.text[t.off:t.end] + "\"; put the word itself in quotation marks"}
	}
}

// brackets reads a group in brackets.
func (p *parser) brackets(depth int) (n node, err *Error) {
	t := p.tok
	if depth > maxDepth {
		return n, &Error{t.off, t.end, "the brackets are nested too deeply"}
	}
	if err = p.step(); err != nil {
		return n, err
	}
	if p.tok.kind == theEnd {
		return n, &Error{t.off, t.end, "the closing bracket is missing"}
	}
	if n, err = p.any(depth); err != nil {
		return n, err
	}
	if p.tok.kind != closing {
		return n, &Error{t.off, t.end, "the closing bracket is missing"}
	}
	return n, p.step()
}

// compile makes a node of a term.
func (t *token) compile() (node, *Error) {
	switch {
	case t.field == nil:
		return textNode(t.values[0]), nil
	case len(t.values) == 0:
		return *t.field.flag, nil
	}
	nodes := make([]node, 0, len(t.values))
	for _, v := range t.values {
		n, err := t.field.compile(t.op, v)
		if err != nil {
			return n, err
		}
		nodes = append(nodes, n)
	}
	return either(nodes), nil
}
