package findings

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/looks"
	"parley/ui/styles"
)

// aboutHeight is the preferred height in rows of the description of the selected rule,
// including the rule above it.
const aboutHeight = 9

// listHeight returns the number of rows of the list. The description stands directly below them.
func (p *Pane) listHeight() int {
	h := p.H - p.Pinned()
	switch n := len(p.rules); {
	case n == 0:
		return h
	case h >= 4+aboutHeight:
		return min(n, h-aboutHeight)
	default:
		return min(n, max(1, h/2))
	}
}

// Pinned returns how many rows stay at the end of the pane: the line of the filter.
func (p *Pane) Pinned() int {
	if (p.typing || p.filter != "") && p.H > 0 {
		return 1
	}
	return 0
}

// Lines renders the pane as exactly as many rows as its height, each exactly as wide as the
// pane.
func (p *Pane) Lines() []string {
	p.update()
	n := p.listHeight()
	out := p.Listed(0, len(p.rules), n, func(i int) string { return p.row(p.rules[i]) })
	if len(p.rules) == 0 {
		words := "No findings: the records conform to the protocol. A record that breaks a rule of it appears here, and " + keys.Name(p.Of(ShowRecord)) + " goes to it."
		if p.filter != "" {
			words = "no rule with findings contains this"
		}
		out = canvas.Paragraph(words, p.W, p.St.Faint)
	}
	out = canvas.Block(out, p.W, n)
	if c := p.selected(); c != nil {
		out = append(out, canvas.Rule(p.St, p.W))
		out = append(out, p.describe(c)...)
	}
	out = canvas.Block(out, p.W, p.H-p.Pinned())
	if p.Pinned() > 0 {
		out = append(out, p.foot())
	}
	return out
}

func (p *Pane) foot() string {
	if p.typing {
		return canvas.Fit(p.input.View(), p.W)
	}
	line := p.St.Accent.S("/ ") + p.St.Text.S(canvas.SanitizeLine(p.input.Value())) + p.St.Faint.S("  "+keys.Name(p.Of(clearFilter))+" clears")
	return canvas.Fit(line, p.W)
}

// total returns the number of findings of a rule.
func total(c *log.RuleCount) int {
	n := 0
	for _, k := range c.Counts {
		n += k
	}
	return n
}

// row renders a rule: its severity, id, number of findings and first finding.
func (p *Pane) row(c *log.RuleCount) string {
	const idWidth, countWidth = 10, 8
	worst, g := c.Worst(), &p.St.G
	words, text := canvas.SanitizeLine(c.First.Message), p.St.Text
	if of := p.agents(c); of != "" {
		words = canvas.SanitizeLine(of) + ": " + words
	}
	letter, paint := looks.Severity(p.St, worst)
	mark := g[styles.Flag]
	if c.Muted {
		words, text, mark, paint = "muted "+g[styles.Separator]+" "+words, p.St.Faint, " ", p.St.Faint
	}
	id := p.Cell(canvas.SanitizeLine(c.Rule), idWidth)
	count := canvas.FitRight(g[styles.Times]+units.Count(total(c)), countWidth)
	room := max(0, p.W-4-idWidth-countWidth-2)
	return paint.S(mark+" "+letter) + " " + text.S(id) + p.St.Faint.S(count) + "  " +
		text.S(p.Ellipsize(words, room))
}

// agents names the agent of a rule's findings, or has the tags of several, or says how many there are; empty if
// none is known.
func (p *Pane) agents(c *log.RuleCount) string {
	const most = 4 // tags
	of := slices.DeleteFunc(slices.Sorted(maps.Keys(c.Of)), func(a a2a.AgentID) bool { return a == 0 })
	switch {
	case len(of) == 0:
		return ""
	case len(of) == 1:
		return p.nameOf(of[0])
	case len(of) > most:
		return units.Plural(len(of), "agent")
	}
	tags := make([]string, 0, most)
	for _, agent := range of {
		tags = append(tags, cmp.Or(p.tag(agent), p.name(agent)))
	}
	return strings.Join(tags, ", ")
}

// nameOf returns the name of an agent, after its tag if there are others.
func (p *Pane) nameOf(agent a2a.AgentID) string {
	if tag := p.tag(agent); tag != "" {
		return tag + " " + p.name(agent)
	}
	return p.name(agent)
}

// describe renders the details of a rule and of its current record.
func (p *Pane) describe(c *log.RuleCount) []string {
	about := p.about(c.Rule)
	_, paint := looks.Severity(p.St, c.Worst())
	head := p.St.Bold.S(canvas.SanitizeLine(c.Rule)) + p.St.Faint.S(p.Join("", "")) + paint.S(noun(c.Worst()))
	words := []string{"", units.Plural(total(c), "finding") + " in " + units.Plural(len(c.Records), "record")}
	if c.Muted {
		words = append(words, "muted")
	}
	if about.Section != "" {
		words = append(words, canvas.SanitizeLine(about.Section))
	}
	at := min(p.walks[c.Rule].at, len(c.Records)-1)
	here, f := p.here(c, at)
	const labelWidth = 12
	return slices.Concat([]string{p.Cut(head + p.St.Faint.S(p.Join(words...)))},
		p.Detail("rule", labelWidth, about.Checks, 2), p.Detail("found", labelWidth, f.Message, 2),
		p.Detail("remedy", labelWidth, cmp.Or(about.Fix, f.Fix), 2), p.Detail("record", labelWidth, here, 1))
}

// here describes record at of a rule and returns its first finding of that rule.
func (p *Pane) here(c *log.RuleCount, at int) (string, a2a.Finding) {
	it := p.log.At(c.Records[at])
	if it == nil {
		return "", c.First
	}
	f, n := first(it, c.Rule)
	if n == 0 {
		f = &c.First
	}
	words := []string{"#" + strconv.FormatUint(uint64(c.Records[at]), 10), log.Describe(it)}
	if agent := p.log.Owner(c.Records[at]).Agent; agent != 0 {
		words = append(words, canvas.SanitizeLine(p.nameOf(agent)))
	}
	if len(c.Records) > 1 {
		words = append([]string{units.Count(at+1) + " of " + units.Count(len(c.Records))}, words...)
	}
	if where := place(f); where != "" {
		words = append(words, where)
	}
	if n > 1 {
		words = append(words, "and "+units.Count(n-1)+" more in it")
	}
	return p.Join(words...), *f
}

// first returns the first finding of a rule in an item and the number of its findings.
func first(it *log.Item, rule string) (f *a2a.Finding, n int) {
	for i := range it.Findings {
		if it.Findings[i].Rule == rule {
			if n++; n == 1 {
				f = &it.Findings[i]
			}
		}
	}
	return f, n
}

// place describes where in its record a finding is.
func place(f *a2a.Finding) string {
	var words []string
	if f.Pointer != "" {
		words = append(words, f.Pointer)
	}
	if f.Offset >= 0 && (f.Offset > 0 || f.Pointer != "") {
		words = append(words, "byte "+strconv.Itoa(f.Offset))
	}
	return strings.Join(words, " ")
}
