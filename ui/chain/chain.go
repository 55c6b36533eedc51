// Package chain is the pane of the exchanges that passed through taps, as trees: what an agent asked
// of the next one stands below what it was asked for.
//
// A [Pane] shows the rows that it is given and returns what the user asks for as an [Intent].
package chain

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/units"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/list"
	"parley/ui/looks"
	"parley/ui/sheet"
	"parley/ui/styles"
)

// A Row is one exchange.
type Row struct {
	Exchange a2a.ExchangeID
	Agent    a2a.AgentID // that was asked
	Tag      string      // of the agent, safe to draw; empty if there is one agent
	Depth    int
	Text     string // it may come from the network
	Findings bool   // rules found an error or a warning in it
	Failed   bool
	Open     bool
}

// An Intent is what the user asked for.
type Intent interface{ intent() }

// The intents of the pane.
type (
	// Show shows an exchange in the wire.
	Show struct{ Exchange a2a.ExchangeID }
	// Copy copies text to the clipboard. What names the text.
	Copy struct{ Text, What string }
	// Close closes the pane.
	Close struct{}
)

func (Show) intent()  {}
func (Copy) intent()  {}
func (Close) intent() {}

// A Pane lists exchanges. It is not safe for use by several goroutines.
type Pane struct {
	sheet.Base
	*action.Table[Intent]
	rows []Row
}

// New returns an empty pane.
func New(st *styles.Styles) *Pane {
	p := &Pane{Base: sheet.New(st)}
	p.Table = p.actions()
	return p
}

// SetRows sets what is shown. The cursor stays at its exchange.
func (p *Pane) SetRows(rows []Row) {
	was := p.selected()
	p.rows = rows
	p.List.Go(p.List.At, len(rows))
	if was == 0 || p.selected() == was {
		return
	}
	for i := range rows {
		if rows[i].Exchange == was {
			p.List.At = i
		}
	}
}

// selected returns the exchange under the cursor, 0 if there is none.
func (p *Pane) selected() a2a.ExchangeID {
	if p.List.At < len(p.rows) {
		return p.rows[p.List.At].Exchange
	}
	return 0
}

// Mouse handles a click or a turn of the wheel at row y. A click on the selected exchange shows it.
func (p *Pane) Mouse(msg tea.MouseMsg, _, y int) Intent {
	if p.List.Mouse(msg, y, len(p.rows), p.parts().List) == list.HitSelected {
		return Show{p.selected()}
	}
	return nil
}

// Title returns the title of the frame.
func (p *Pane) Title() string { return "chain" }

// Note returns how many exchanges there are, for the right end of the frame's top edge.
func (p *Pane) Note() string { return units.Plural(len(p.rows), "exchange") }

// Cursor returns nil: nothing is typed here.
func (p *Pane) Cursor() *tea.Cursor { return nil }

const footRows = 6 // the whole text of the selected exchange, including the rule

func (p *Pane) parts() sheet.Parts { return p.SplitFor(len(p.rows), 0, footRows, 3) }

// Lines renders the pane as exactly as many rows as its height, each exactly as wide as the
// pane.
func (p *Pane) Lines() []string {
	at := p.parts()
	return p.Stack(at, nil, p.Rows(len(p.rows), at.List, p.row, p.empty), p.foot())
}

func (p *Pane) empty() string {
	return "No exchange has passed through a tap yet. What an agent asks of the next one stands here below what it was asked for, with a tap in front of each."
}

// indentCols is the indentation of each level, which stops where a row would have no room.
const indentCols, maxLevels = 2, 12

// row renders exchange i.
func (p *Pane) row(i int) string {
	r, st := &p.rows[i], p.St
	sign, paint := st.G[styles.Done], st.OK
	switch {
	case r.Failed:
		sign, paint = st.G[styles.Failed], st.Failed
	case r.Open:
		sign, paint = st.G[styles.Online], st.Agent
	}
	flag := " "
	if r.Findings {
		flag = st.Waiting.S(st.G[styles.Flag])
	}
	indent := strings.Repeat(" ", min(r.Depth, maxLevels)*indentCols)
	branch := ""
	if r.Depth > 0 {
		branch = st.Faint.S(st.G[styles.LastBranch]) + " "
	}
	tag := looks.Tagged(st, r.Agent, r.Tag, "")
	room := max(0, p.W-canvas.Width(indent)-canvas.Width(branch)-canvas.Width(tag)-4)
	return flag + " " + indent + branch + paint.S(sign) + " " + tag + st.Text.S(canvas.Fit(p.Ellipsize(canvas.SanitizeLine(r.Text), room), room))
}

// foot renders the whole text of the selected exchange.
func (p *Pane) foot() []string {
	if p.List.At >= len(p.rows) {
		return nil
	}
	const most = 2000 // bytes of a text
	text := p.rows[p.List.At].Text
	return canvas.Paragraph(canvas.SanitizeLine(strings.ToValidUTF8(text[:min(len(text), most)], "")), p.W, p.St.Text)
}

// text returns all rows as text.
func (p *Pane) text() string {
	var b strings.Builder
	for i := range p.rows {
		b.WriteString(strings.Repeat("  ", min(p.rows[i].Depth, maxLevels)) + canvas.SanitizeLine(p.rows[i].Text) + "\n")
	}
	return b.String()
}
