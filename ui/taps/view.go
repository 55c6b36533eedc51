package taps

import (
	"cmp"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/internal/units"
	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/looks"
	"parley/ui/sheet"
	"parley/ui/styles"
)

// Title returns the title of the frame.
func (p *Pane) Title() string { return "taps" }

// Note returns how many taps there are, for the right end of the frame's top edge.
func (p *Pane) Note() string { return units.Plural(len(p.about.Taps), "tap") }

// Cursor returns nil: nothing is typed here.
func (p *Pane) Cursor() *tea.Cursor { return nil }

const (
	footRows  = 7  // details of the selected tap, including the rule
	labelCols = 10 // of a detail
)

// parts returns the heights of list and foot.
func (p *Pane) parts() sheet.Parts { return p.SplitFor(len(p.about.Taps), 0, footRows, 3) }

// Lines renders the pane as exactly as many rows as its height, each exactly as wide as the
// pane.
func (p *Pane) Lines() []string {
	at := p.parts()
	return p.Stack(at, nil, p.Rows(len(p.about.Taps), at.List, p.row, p.empty), p.foot())
}

// empty says what taps are for.
func (p *Pane) empty() string {
	return cmp.Or(p.about.Why, "No tap is open: "+keys.Name(p.Of(begin))+" starts one in front of an agent. Clients that use its address instead of the agent's are shown here.")
}

// row renders tap i: its name, its address and its agent, what has passed, and its fault.
func (p *Pane) row(i int) string {
	t, st := &p.about.Taps[i], p.St
	sign, paint := styles.Online, st.Agent
	switch {
	case t.Problem != "":
		sign, paint = styles.Failed, st.Failed
	case t.Open == 0:
		sign, paint = styles.Idle, st.Dim
	}
	const most, gaps = 18, 6
	counts := units.Plural(t.Exchanges, "exchange")
	if t.Open > 0 {
		counts += ", " + units.Count(t.Open) + " open"
	}
	fault := ""
	if t.Fault != "" {
		fault = "  " + st.G[styles.Cut] + " " + canvas.SanitizeLine(t.Fault)
	}
	name := min(most, max(6, p.W/4))
	room := max(0, p.W-name-gaps-canvas.Width(counts)-canvas.Width(fault))
	way := p.Ellipsize(short(t.URL)+" "+st.G[styles.Later]+" "+short(t.Target), room)
	return paint.S(st.G[sign]) + " " + st.Text.S(p.Cell(canvas.SanitizeLine(t.Name), name)) + "  " + st.Text.S(canvas.Fit(way, room)) + "  " + st.Dim.S(counts) + st.Waiting.S(fault)
}

// short returns a URL for a row: without the scheme that most have.
func short(url string) string {
	return strings.TrimPrefix(canvas.SanitizeLine(looks.Reference(url)), "http://")
}

// foot renders the details of the selected tap.
func (p *Pane) foot() []string {
	t := p.selected()
	if t == nil {
		return nil
	}
	var out []string
	out = append(out, p.Detail("clients", labelCols, "use "+t.URL+" in place of "+looks.Reference(t.Target), 2)...)
	if t.Fault != "" {
		out = append(out, p.Detail("fault", labelCols, t.Fault+"; the verdict says what the client did", 2)...)
	}
	if t.Problem != "" {
		out = append(out, p.Detail("problem", labelCols, t.Problem, 2)...)
	}
	return out
}
