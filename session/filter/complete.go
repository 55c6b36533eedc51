package filter

import (
	"slices"
	"strconv"
	"strings"

	"parley/a2a"
	"parley/internal/units"
)

// A Candidate is a possible completion of a filter: Text instead of its bytes From to To.
type Candidate struct {
	Text, Note string // Note is a description in one line; it may be empty
	From, To   int
}

// Complete returns the possible completions at the cursor, at bytes into text, the likely
// first: fields and words of the grammar, and after a field its values, including those in the
// records of env. A complete word is not offered.
func Complete(text string, at int, env *Env) []Candidate {
	at = min(max(at, 0), len(text))
	if len(text) > maxText {
		return nil
	}
	p := placeAt(text, at)
	switch {
	case p.text:
		return nil
	case p.field == nil:
		return p.pick(openers(p.first))
	default:
		return p.pick(p.field.completions(p.op, env))
	}
}

// A place is the position of the cursor: after word, which is to be completed.
type place struct {
	field    *field // whose value word is; nil at the beginning of a term
	op       string // before the value
	word     string
	from, to int
	first    bool // nothing precedes it
	text     bool // in free text of the user
}

// placeAt finds the place of the cursor, in spite of errors before it.
func placeAt(text string, at int) place {
	lex := lexer{text: text[:at]}
	p := place{first: true}
	for {
		lex.skip()
		p.from = lex.at
		t, err := lex.next()
		if err != nil || t.kind == theEnd || lex.at == at && t.kind != opening && t.kind != closing {
			break
		}
		p.first = t.kind != term && t.kind != closing
	}
	lex.at = p.from
	name, op := lex.head()
	if op != "" {
		p.field, p.op = findField(name), op
		p.from += len(name) + len(op)
		p.from += lastOf(text[p.from:at])
	}
	p.word = text[p.from:at]
	quoted := strings.HasPrefix(p.word, `"`)
	p.text = op != "" && p.field == nil || op == "" && quoted || strings.HasPrefix(p.word, "/")
	p.word = strings.TrimPrefix(p.word, `"`)
	p.to = at + len(word(text[at:], ","))
	if op == "" {
		lex = lexer{text: text, at: p.from}
		if name, op := lex.head(); op != "" && p.from+len(name) >= at {
			p.to = p.from + len(name) + len(op)
		}
	}
	if i := strings.IndexByte(text[at:], '"'); quoted && i >= 0 {
		p.to = at + i + 1
	}
	return p
}

// lastOf returns the beginning of the last item of a list of values.
func lastOf(list string) int {
	from, quoted := 0, false
	for i := range len(list) {
		switch list[i] {
		case '"':
			quoted = !quoted
		case ',':
			if !quoted {
				from = i + 1
			}
		}
	}
	return from
}

// pick returns those that begin with the word at the place, then those that contain it.
func (p *place) pick(from []choice) []Candidate {
	var begin, within []Candidate
	low := strings.ToLower(p.word)
	for _, c := range from {
		have := strings.ToLower(strings.TrimPrefix(c.word, `"`))
		cand := Candidate{c.word, c.note, p.from, p.to}
		switch i := strings.Index(have, low); {
		case have == low || i < 0:
		case i == 0:
			begin = append(begin, cand)
		case p.field != nil:
			within = append(within, cand)
		}
	}
	return append(begin, within...)
}

// openers returns the possible beginnings of a term; first says that nothing precedes it that
// "and" or "or" could join.
func openers(first bool) []choice {
	var out []choice
	if !first {
		out = append(out, choice{word: "or", note: "either side matches"}, choice{word: "and", note: "both sides match, as without it"})
	}
	for i := range fields {
		f := &fields[i]
		out = append(out, choice{word: f.form(), note: f.note})
		for _, w := range f.words {
			out = append(out, choice{word: f.name + ":" + w.word, note: w.note})
		}
	}
	return append(out, choice{word: "not", note: "excludes matches"}, choice{word: "finding", note: "any finding"})
}

// completions returns the possible values of a field behind op.
func (f *field) completions(op string, env *Env) []choice {
	out := slices.Clone(f.choices)
	if op == ":" && f.words != nil {
		out = slices.Clone(f.words)
	}
	if env == nil {
		return out
	}
	for _, v := range env.Values.newest(f.values) {
		c := choice{word: Quote(v)}
		switch f.values {
		case agentValues:
			c.word = ""
			if id, err := strconv.ParseUint(v, 10, 32); err == nil && env.Agent != nil {
				if name := env.Agent(a2a.AgentID(id)); name != "" && printable(name) {
					c.word = Quote(name)
				}
			}
		case taskValues, contextValues:
			if short := units.ID(v); short != v {
				c.word, c.note = Quote(short), v
			}
		case stateValues:
			c.word, c.note = quoted(v), "the agent's own word"
		}
		known := func(o choice) bool { return o.word == c.word }
		if c.word != "" && !slices.ContainsFunc(out, known) {
			out = append(out, c)
		}
	}
	if f.values == statusValues {
		out = append(out, choice{word: "4xx", note: "the caller's fault"}, choice{word: "5xx", note: "the agent's fault"})
	}
	return out
}
