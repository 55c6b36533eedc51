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
		return nil, &Error{p.tok.off, p.tok.end, "this bracket was never opened"}
	}
	f.root, f.uses = root, root.uses
	return f, nil
}

// A parser reads by descent: any of all of simple ones.
type parser struct {
	lex lexer
	tok token // the one that is looked at
}

// step goes to the next token.
func (p *parser) step() (err *Error) {
	p.tok, err = p.lex.next()
	return err
}

// any reads what stands around "or".
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

// all reads what stands side by side, with "and" between or not.
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

// one reads a term, a negation or what is in brackets.
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
		return n, &Error{t.off, t.end, "something is missing at the end"}
	case closing:
		return n, &Error{t.off, t.end, "something is missing before this bracket"}
	default:
		return n, &Error{t.off, t.end, "something is missing before \"" + p.lex.text[t.off:t.end] + "\"; the word itself wants quotation marks"}
	}
}

// brackets reads what is in brackets.
func (p *parser) brackets(depth int) (n node, err *Error) {
	t := p.tok
	if depth > maxDepth {
		return n, &Error{t.off, t.end, "there are too many brackets within brackets"}
	}
	if err = p.step(); err != nil {
		return n, err
	}
	if p.tok.kind == theEnd {
		return n, &Error{t.off, t.end, "this bracket is never closed"}
	}
	if n, err = p.any(depth); err != nil {
		return n, err
	}
	if p.tok.kind != closing {
		return n, &Error{t.off, t.end, "this bracket is never closed"}
	}
	return n, p.step()
}

// compile makes of a term what can be asked.
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
