package record

import (
	"strconv"
	"strings"

	"parley/ui/canvas"
	"parley/ui/styles"
)

// rule draws the line above the record: the record's number and the tabs.
func (v *View) rule(reading bool) string {
	line, number := v.st.Hairline, v.st.Bold
	if reading {
		line, number = v.st.Focus, v.st.Title
	}
	dash := v.st.G[styles.Horizontal]
	if v.it == nil {
		return line.S(strings.Repeat(dash, v.w))
	}
	var b strings.Builder
	b.WriteString(line.S(dash+dash) + " " + number.S(v.number()))
	used := 3 + len(v.number())
	for _, s := range v.spans() {
		paint := v.st.Faint
		if s.tab == v.Tab() {
			paint = v.st.Accent.Bold()
		}
		b.WriteString(strings.Repeat(" ", s.from-used) + paint.S(s.text))
		used = s.to
	}
	rest := v.w - used - 1
	if rest <= 0 {
		return b.String()
	}
	return b.String() + " " + line.S(strings.Repeat(dash, rest))
}

func (v *View) number() string { return strconv.FormatUint(uint64(v.it.Record.ID), 10) }

// A tabSpan is the position of a tab's name in the rule.
type tabSpan struct {
	tab      Tab
	text     string
	from, to int
}

func (v *View) spans() []tabSpan {
	out := v.spansWith(tabNames[Findings], "  ")
	if n := len(out); out[n-1].to > v.w {
		out = v.spansWith(v.st.G[styles.Flag], " ")
	}
	return out
}

// spansWith lays the tabs out with the given name for the findings and the given space between
// tabs.
func (v *View) spansWith(findings, between string) []tabSpan {
	x := 3 + len(v.number()) + 1
	var out []tabSpan
	for i, name := range tabNames {
		if Tab(i) == Findings {
			if len(v.it.Findings) == 0 {
				break
			}
			name = findings + " muted"
			if n := len(v.log.Findings().Shown(v.it)); n > 0 {
				name = findings + " " + strconv.Itoa(n)
			}
		}
		w := canvas.Width(name)
		out = append(out, tabSpan{Tab(i), name, x, x + w})
		x += w + len(between)
	}
	return out
}

// Click handles a click at x, y of the view: it moves the cursor, on the cursor's line it folds
// or acts as enter, and on the rule it chooses a tab.
func (v *View) Click(x, y int) Intent {
	v.invalidate()
	switch {
	case v.it == nil:
	case y == 0:
		for _, s := range v.spans() {
			if x >= s.from && x < s.to {
				v.tab = s.tab
			}
		}
	case v.shows() == showTree:
		v.tree.Click(v.treeRow(y))
	case v.shows() == showSheet:
		v.sheet.fill(v)
		if v.sheet.click(y - 1) {
			return v.enter()
		}
	}
	return nil
}
