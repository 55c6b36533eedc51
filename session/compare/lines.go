package compare

import (
	"cmp"
	"fmt"
	"strings"

	"parley/internal/units"
)

// maxPrompts is how many different prompts a result lists as text.
const maxPrompts = 1000

// NotCounted ends the line of an aspect that differs and does not count.
const NotCounted = " (does not count)"

// Lines returns the result as text: how many differences there are of each aspect, what differs
// by prompt, and what was left out. The texts are those of the session: a caller makes them safe
// to show.
func (r *Result) Lines() []Line {
	p := printer{r: r}
	for _, a := range r.Aspects {
		p.aspect(a)
	}
	for _, note := range r.Notes {
		p.add(Words, note)
	}
	p.cards()
	p.findings()
	p.prompts()
	p.heading("Not compared")
	for _, rule := range r.Rules {
		p.add(Words, rule)
	}
	return p.out
}

// A printer writes a result as lines.
type printer struct {
	r   *Result
	out []Line
}

func (p *printer) add(mark byte, text string) { p.out = append(p.out, Line{mark, text}) }

// heading begins a section after an empty line.
func (p *printer) heading(text string) {
	p.add(Words, "")
	p.add(Heading, text)
}

// aspect writes how many differences there are of an aspect.
func (p *printer) aspect(a AspectResult) {
	says := "the same"
	noun := "prompt"
	switch {
	case a.Of == 0 && a.Aspect == Findings:
		says = "none on either side"
	case a.Of == 0:
		says = "nothing to compare"
	case a.Aspect == Card:
		noun = "agent"
	case a.Aspect == Findings:
		noun = "rule"
	}
	if a.Differ > 0 {
		verb := "differ"
		if a.Differ == 1 {
			verb = "differs"
		}
		says = fmt.Sprintf("%s of %s %s", units.Count(a.Differ), units.Plural(a.Of, noun), verb)
		if !a.Counts {
			says += NotCounted
		}
	}
	p.add(Words, fmt.Sprintf("%-10s %s", a.Aspect, says))
}

// cards writes what differs between the cards.
func (p *printer) cards() {
	for _, c := range p.r.Cards {
		switch {
		case c.Second == "":
			p.heading("Card")
			p.add(First, "agent "+c.First)
		case c.First == "":
			p.heading("Card")
			p.add(Second, "agent "+c.Second)
		case len(c.Changes) > 0:
			name := c.First
			if c.Second != c.First {
				name += " and " + c.Second
			}
			p.heading("Card of " + name)
			for _, change := range c.Changes {
				mark := "  "
				if change.Security {
					mark = "! "
				}
				p.add(Words, mark+change.Sentence)
			}
		}
	}
}

// findings writes the rules that report on one side only.
func (p *printer) findings() {
	begun := false
	for i := range p.r.Findings {
		f := &p.r.Findings[i]
		if !f.Differs() {
			continue
		}
		if !begun {
			begun = true
			p.heading("Findings")
		}
		mark, n, at := First, f.First, f.FirstAt
		if f.First == 0 {
			mark, n, at = Second, f.Second, f.SecondAt
		}
		p.add(mark, fmt.Sprintf("%s %s, %s, first in record %d: %s", f.Severity, cmp.Or(f.Rule, "decoder"), units.Plural(n, "finding"), at, f.Message))
	}
}

// prompts writes what differs by prompt.
func (p *printer) prompts() {
	listed, more, same := 0, 0, 0
	for i := range p.r.Prompts {
		row := &p.r.Prompts[i]
		switch {
		case len(row.aspects) == 0 && row.Other == "" && row.First != nil && row.Second != nil:
			same++
		case listed == maxPrompts:
			more++
		default:
			listed++
			p.prompt(row)
		}
	}
	if more+same > 0 {
		p.add(Words, "")
	}
	if more > 0 {
		p.add(Words, units.Plural(more, "more prompt")+" with differences: -o json lists all.")
	}
	if same > 0 {
		p.add(Words, units.Plural(same, "prompt")+" without a difference.")
	}
}

// prompt writes what differs after a prompt.
func (p *printer) prompt(row *Prompt) {
	p.heading(fmt.Sprintf("Prompt %d: %s", row.Number, beginning(row.Text)))
	switch {
	case row.First == nil:
		p.add(Second, "the prompt, record "+fmt.Sprint(row.Second.Record))
	case row.Second == nil:
		p.add(First, "the prompt, record "+fmt.Sprint(row.First.Record))
	case row.Other != "":
		p.add(First, "prompt: "+beginning(row.Text))
		p.add(Second, "prompt: "+beginning(row.Other))
	}
	for _, d := range row.Differences {
		name := strings.TrimSpace(string(d.Aspect) + " " + d.At)
		if d.First != "" {
			p.add(First, name+": "+d.First)
		}
		if d.Second != "" {
			p.add(Second, name+": "+d.Second)
		}
	}
	if row.More > 0 {
		p.add(Words, units.Plural(row.More, "more difference")+" of artifacts.")
	}
	if row.Omitted {
		p.add(Words, "The answers differ in "+units.Plural(row.Answer.Differ, "line")+".")
	}
	p.out = append(p.out, row.Answer.Lines...)
}

// beginning returns the beginning of a text in one line.
func beginning(text string) string {
	const most = 200
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text[:min(len(text), 4*most)], "")), " ")
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "…"
	}
	return text
}
