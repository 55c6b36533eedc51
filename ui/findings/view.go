package findings

import (
	"cmp"
	"strconv"
	"strings"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/ui/canvas"
	"parley/ui/looks"
	"parley/ui/styles"
)

// aboutHeight is the preferred height in rows of the description of the selected rule,
// including the rule above it.
const aboutHeight = 9

// listHeight returns the number of rows of the list.
func (p *Pane) listHeight() int {
	h := p.h - p.footHeight()
	if h >= 4+aboutHeight {
		return h - aboutHeight
	}
	return max(1, h/2)
}

// footHeight returns the number of rows of the filter, 0 or 1.
func (p *Pane) footHeight() int {
	if (p.open || p.filtered != "") && p.h > 0 {
		return 1
	}
	return 0
}

// Lines renders the pane as exactly as many rows as its height, each exactly as wide as the
// pane.
func (p *Pane) Lines() []string {
	p.read()
	n := p.listHeight()
	var out []string
	out = p.cursor.Rows(p.st, p.w, len(p.rules), n, func(i int) string { return p.row(p.rules[i]) })
	if len(p.rules) == 0 {
		words := "no findings: the records conform to the protocol"
		if p.filtered != "" {
			words = "no rule with findings contains this"
		}
		out = []string{p.st.Faint.S(words)}
	}
	out = canvas.Block(out, p.w, n)
	if c := p.selected(); c != nil {
		out = append(out, canvas.Rule(p.st, p.w))
		out = append(out, p.describe(c)...)
	}
	out = canvas.Block(out, p.w, p.h-p.footHeight())
	if p.footHeight() > 0 {
		out = append(out, p.foot())
	}
	return out
}

func (p *Pane) foot() string {
	if p.open {
		return canvas.Fit(p.input.View(), p.w)
	}
	line := p.st.Accent.S("/ ") + p.st.Text.S(canvas.SanitizeLine(p.input.Value())) + p.st.Faint.S("  esc clears")
	return canvas.Fit(line, p.w)
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
	worst, g := c.Worst(), &p.st.G
	words, text := canvas.SanitizeLine(c.First.Message), p.st.Text
	letter, paint := looks.Severity(p.st, worst)
	mark := g[styles.Flag]
	if c.Muted {
		words, text, mark, paint = "muted "+g[styles.Separator]+" "+words, p.st.Faint, " ", p.st.Faint
	}
	id := canvas.Fit(canvas.Ellipsize(canvas.SanitizeLine(c.Rule), idWidth, g[styles.Ellipsis]), idWidth)
	count := canvas.FitRight(g[styles.Times]+units.Count(total(c)), countWidth)
	room := max(0, p.w-4-idWidth-countWidth-2)
	return paint.S(mark+" "+letter) + " " + text.S(id) + p.st.Faint.S(count) + "  " +
		text.S(canvas.Ellipsize(words, room, g[styles.Ellipsis]))
}

// describe renders the details of a rule and of its current record.
func (p *Pane) describe(c *log.RuleCount) []string {
	about := p.about(c.Rule)
	sep := " " + p.st.G[styles.Separator] + " "
	_, paint := looks.Severity(p.st, c.Worst())
	head := p.st.Bold.S(canvas.SanitizeLine(c.Rule)) + p.st.Faint.S(sep) + paint.S(noun(c.Worst()))
	more := units.Plural(total(c), "finding") + " in " + units.Plural(len(c.Records), "record")
	if c.Muted {
		more += sep + "muted"
	}
	if about.Section != "" {
		more += sep + canvas.SanitizeLine(about.Section)
	}
	out := []string{canvas.Ellipsize(head+p.st.Faint.S(sep+more), p.w, p.st.G[styles.Ellipsis])}
	field := func(label, value string, most int) {
		if value == "" {
			return
		}
		l := canvas.Label{Text: label, W: 12, Paint: p.st.Faint}
		out = append(out, canvas.LabeledIn(most, l, canvas.SanitizeLine(value), p.w, p.st.Text, p.st.G[styles.Ellipsis])...)
	}
	at := min(p.walks[c.Rule].at, len(c.Records)-1)
	here, f := p.here(c, at)
	field("rule", about.Checks, 2)
	field("found", f.Message, 2)
	field("remedy", cmp.Or(about.Fix, f.Fix), 2)
	field("record", here, 1)
	return out
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
	sep := " " + p.st.G[styles.Separator] + " "
	words := "#" + strconv.FormatUint(uint64(c.Records[at]), 10) + sep + log.Describe(it)
	if len(c.Records) > 1 {
		words = units.Count(at+1) + " of " + units.Count(len(c.Records)) + sep + words
	}
	if where := place(f); where != "" {
		words += sep + where
	}
	if n > 1 {
		words += sep + "and " + units.Count(n-1) + " more in it"
	}
	return words, *f
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
