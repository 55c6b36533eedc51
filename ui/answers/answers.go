package answers

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/compare"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/list"
	"parley/ui/looks"
	"parley/ui/sheet"
	"parley/ui/styles"
)

// An Intent is what the user asked for.
type Intent interface{ intent() }

// The intents of the pane.
type (
	// Copy copies text to the clipboard.
	Copy struct{ Text string }
	// Close closes the pane.
	Close struct{}
)

func (Copy) intent()  {}
func (Close) intent() {}

// A row is a line of the list; a long line of an answer has several.
type row struct {
	mark byte
	line int  // of the comparison
	more bool // it continues the row above
	text string
}

// A Pane shows a comparison as a [Document]. It is not safe for use by several goroutines.
type Pane struct {
	sheet.Base
	*action.Table[Intent]
	of   Document
	rows []row
	wide int // for which rows were made, 0 if there are none yet
}

// New returns an empty pane.
func New(st *styles.Styles) *Pane {
	p := &Pane{Base: sheet.New(st)}
	p.Table = p.actions()
	return p
}

// SetDocument sets what the pane shows. The cursor goes to the first difference, unless the
// document is read from its top.
func (p *Pane) SetDocument(d Document) {
	p.of, p.rows, p.wide, p.List = d, nil, 0, list.Cursor{}
	p.wrap()
}

// SetSize sets the size in cells.
func (p *Pane) SetSize(w, h int) {
	p.Base.SetSize(w, h)
	p.wrap()
}

// maxRows limits the rows that one line becomes.
const maxRows = 40

// wrap makes the rows for the width of the pane. The cursor stays on its line; at first it goes to
// the first difference.
func (p *Pane) wrap() {
	w, fresh, line := max(8, p.W-2), p.wide == 0, 0
	if p.W == 0 || p.wide == w {
		return
	}
	if p.List.At < len(p.rows) {
		line = p.rows[p.List.At].line
	}
	p.rows, p.wide = nil, w
	for n, l := range p.of.Lines {
		most := maxRows * w
		text := strings.ToValidUTF8(l.Text[:min(len(l.Text), 4*most)], "")
		for i, part := range canvas.Wrap(canvas.SanitizeLine(text), w) {
			if i == maxRows {
				p.rows = append(p.rows, row{l.Mark, n, true, p.St.G[styles.Ellipsis]})
				break
			}
			p.rows = append(p.rows, row{l.Mark, n, i > 0, part})
		}
	}
	at := max(0, slices.IndexFunc(p.rows, func(r row) bool { return r.line == line }))
	if fresh {
		at = max(0, slices.IndexFunc(p.rows, func(r row) bool { return !p.of.Top && isDifferent(r.mark) }))
	}
	p.List.Go(at, len(p.rows))
}

// jump goes to the next group of different rows in a direction.
func (p *Pane) jump(by int) {
	for i := p.List.At + by; i >= 0 && i < len(p.rows); i += by {
		begins := isDifferent(p.rows[i].mark) && (i == 0 || !isDifferent(p.rows[i-1].mark))
		if begins {
			p.List.Go(i, len(p.rows))
			return
		}
	}
}

// Title returns the title of the frame.
func (p *Pane) Title() string { return p.of.Title }

// Note returns how many lines differ, for the right end of the frame's top edge.
func (p *Pane) Note() string {
	if p.of.Differ == 0 {
		return "no difference"
	}
	return units.Plural(p.of.Differ, "different line")
}

// Cursor returns nil: the user types no text.
func (p *Pane) Cursor() *tea.Cursor { return nil }

const (
	headRows = 4 // both sides, the verdict and the rule
	footRows = 2
)

func (p *Pane) parts() sheet.Parts { return p.Split(headRows, footRows, 3) }

// Lines renders the pane as exactly as many rows as its height, each exactly as wide as the
// pane.
func (p *Pane) Lines() []string {
	at, st := p.parts(), p.St
	verdict := st.OK
	if p.of.Differ > 0 {
		verdict = st.Text
	}
	head := []string{p.side(compare.First, p.of.First, p.of.Agents[0]), p.side(compare.Second, p.of.Second, p.of.Agents[1]), verdict.S(p.Cut(p.of.Verdict))}
	foot := []string{st.Faint.S(p.Cut(p.of.Rule))}
	return p.Stack(at, head, p.Rows(len(p.rows), at.List, p.row, func() string { return "Neither side has any content." }), foot)
}

// side renders what a side is. It begins with the name of its agent, if that is not 0.
func (p *Pane) side(mark byte, words []string, agent a2a.AgentID) string {
	text := p.St.Text.S(canvas.SanitizeLine(p.Join(words...)))
	if agent != 0 {
		text = looks.Tag(p.St, agent).Bold().S(canvas.SanitizeLine(words[0])) + p.St.Text.S(canvas.SanitizeLine(p.Join("", p.Join(words[1:]...))))
	}
	return p.paint(mark).S(string(mark)) + " " + p.Ellipsize(text, max(0, p.W-2))
}

// row renders row i: the sign of its mark and the text.
func (p *Pane) row(i int) string {
	r := p.rows[i]
	mark := string(r.mark)
	switch {
	case r.mark == compare.Heading || r.mark == compare.Words:
		return p.paint(r.mark).S(canvas.Fit(r.text, p.W))
	case r.more:
		mark = " "
	}
	return p.paint(r.mark).S(canvas.Fit(mark+" "+r.text, p.W))
}

// paint returns the colour of a mark.
func (p *Pane) paint(mark byte) styles.Paint {
	switch mark {
	case compare.First:
		return p.St.Failed
	case compare.Second:
		return p.St.OK
	case compare.Heading:
		return p.St.Bold
	case compare.Words:
		return p.St.Text
	default:
		return p.St.Dim
	}
}

// text returns the comparison for the clipboard.
func (p *Pane) text() string {
	var b strings.Builder
	b.WriteString("- " + strings.Join(p.of.First, ", ") + "\n+ " + strings.Join(p.of.Second, ", ") + "\n" + p.of.Verdict + "\n\n")
	for _, l := range p.of.Lines {
		if l.Mark != compare.Heading && l.Mark != compare.Words {
			b.WriteString(string(l.Mark) + " ")
		}
		b.WriteString(l.Text + "\n")
	}
	return b.String()
}

// Mouse handles a mouse event at a cell of the pane.
func (p *Pane) Mouse(msg tea.MouseMsg, _, y int) Intent {
	at := p.parts()
	p.List.Mouse(msg, y-at.Head, len(p.rows), at.List)
	return nil
}
