// Package fanout is the pane of one message that was sent to several agents: their answers side by
// side while they arrive, or below each other on a narrow screen.
//
// A [Pane] draws [Column] values and does not know how an answer is drawn. It returns what the user
// asks for as an [Intent].
package fanout

import (
	"strconv"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/looks"
	"parley/ui/sheet"
	"parley/ui/styles"
)

// An Intent is what the user asked for.
type Intent interface{ intent() }

// The intents of the pane.
type (
	// Compare compares the answer of a column with that of another.
	Compare struct{ Column int }
	// Open shows the conversation of a column.
	Open struct{ Column int }
	// Close closes the pane.
	Close struct{}
)

func (Compare) intent() {}
func (Open) intent()    {}
func (Close) intent()   {}

// A Body draws an answer.
type Body interface {
	SetSize(w, h int)
	SetStyles(st *styles.Styles)
	Lines() []string
}

// A Column is the answer of one agent.
type Column struct {
	Agent   a2a.AgentID
	Name    string
	Tag     string // tells the agent from the others; safe to draw
	Sign    styles.Glyph
	Paint   styles.Paint // of the sign
	State   string       // in words
	Figures string       // how fast it came
	Body    Body         // nil while nothing was sent
	Scroll  func(msg tea.KeyPressMsg)
}

// A Pane shows columns. It is not safe for use by several goroutines.
type Pane struct {
	sheet.Base
	*action.Table[Intent]
	prompt  string
	columns []Column
	at      int // the selected column
	first   int // the first one on the screen
}

// New returns an empty pane.
func New(st *styles.Styles) *Pane {
	p := &Pane{Base: sheet.New(st)}
	p.Table = p.actions()
	return p
}

// SetColumns sets what the pane shows.
func (p *Pane) SetColumns(prompt string, columns []Column) {
	p.prompt, p.columns = prompt, columns
	p.at = max(0, min(p.at, len(columns)-1))
}

// Select selects a column.
func (p *Pane) Select(i int) { p.at = max(0, min(i, len(p.columns)-1)) }

// At returns the selected column.
func (p *Pane) At() int { return p.at }

// SetStyles changes the styles.
func (p *Pane) SetStyles(st *styles.Styles) {
	p.Base.SetStyles(st)
	for i := range p.columns {
		if b := p.columns[i].Body; b != nil {
			b.SetStyles(st)
		}
	}
}

// Title returns the title of the frame.
func (p *Pane) Title() string { return "answers side by side" }

// Note returns which columns are on the screen, for the right end of the frame's top edge.
func (p *Pane) Note() string {
	from, to := p.Window()
	if to-from == len(p.columns) {
		return strconv.Itoa(len(p.columns)) + " agents"
	}
	if to-from == 1 {
		return strconv.Itoa(to) + " of " + strconv.Itoa(len(p.columns)) + " agents"
	}
	return strconv.Itoa(from+1) + " to " + strconv.Itoa(to) + " of " + strconv.Itoa(len(p.columns)) + " agents"
}

// Cursor returns nil: the user types no text.
func (p *Pane) Cursor() *tea.Cursor { return nil }

const (
	minColumn  = 36 // cells of a column; where two have no room, they are stacked
	maxColumns = 4
	minStacked = 8 // rows of a column that is stacked
	headRows   = 2 // of the pane: the prompt and a rule
	cellRows   = 3 // above an answer: the agent, how it is going, a rule
)

// grid returns how many columns are beside each other and how many below.
func (p *Pane) grid() (across, down int) {
	n := max(len(p.columns), 1)
	if across = min(maxColumns, n, (p.W+1)/(minColumn+1)); across > 1 {
		return across, 1
	}
	return 1, max(1, min(n, (p.H-headRows)/minStacked))
}

// Window returns the columns on the screen, which include the selected one.
func (p *Pane) Window() (from, to int) {
	across, down := p.grid()
	room := across * down
	p.first = max(0, min(p.first, p.at, len(p.columns)-room))
	if p.at >= p.first+room {
		p.first = p.at - room + 1
	}
	return p.first, min(len(p.columns), p.first+room)
}

// cell returns the rectangle of a column on the screen, in cells of the pane.
func (p *Pane) cell(i int) canvas.Rect {
	across, down := p.grid()
	from, to := p.Window()
	i -= from
	if down == 1 {
		across = max(1, min(across, to-from))
		w := (p.W - across + 1) / across
		x := i * (w + 1)
		if i == across-1 {
			w = p.W - x
		}
		return canvas.Rect{X: x, Y: headRows, W: max(0, w), H: max(0, p.H-headRows)}
	}
	down = max(1, min(down, to-from))
	h := (p.H - headRows) / down
	y := headRows + i*h
	if i == down-1 {
		h = p.H - y
	}
	return canvas.Rect{Y: y, W: p.W, H: max(0, h)}
}

// Lines renders the pane as exactly as many rows as its height, each exactly as wide as the
// pane.
func (p *Pane) Lines() []string {
	if p.W <= 0 || p.H <= 0 {
		return canvas.Blank(max(0, p.W), max(0, p.H))
	}
	st := p.St
	rows := []string{st.User.S("> ") + st.Text.S(p.Ellipsize(canvas.SanitizeLine(p.prompt), max(0, p.W-2))), canvas.Rule(st, p.W)}
	from, to := p.Window()
	_, down := p.grid()
	if down > 1 {
		for i := from; i < to; i++ {
			rows = append(rows, p.column(i)...)
		}
		return canvas.Block(rows, p.W, p.H)
	}
	var parts [][]string
	for i := from; i < to; i++ {
		if i > from {
			line := make([]string, max(0, p.H-headRows))
			for y := range line {
				line[y] = st.Hairline.S(st.G[styles.Vertical])
			}
			parts = append(parts, line)
		}
		parts = append(parts, p.column(i))
	}
	if len(parts) > 0 {
		rows = append(rows, canvas.Columns(parts...)...)
	}
	return canvas.Block(rows, p.W, p.H)
}

// column renders a column: the agent, how its answer is going, and the answer.
func (p *Pane) column(i int) []string {
	c, box, st := &p.columns[i], p.cell(i), p.St
	sign := " "
	if i == p.at {
		sign = st.G[styles.Bar]
	}
	name := looks.Tag(st, c.Agent).Bold()
	state := canvas.SanitizeLine(c.State)
	if c.Figures != "" {
		state = p.Join(state, c.Figures)
	}
	rows := []string{
		st.Accent.S(sign) + looks.Tagged(st, c.Agent, c.Tag, name.S(p.Ellipsize(canvas.SanitizeLine(c.Name), max(0, box.W-2-canvas.Width(c.Tag))))),
		" " + c.Paint.S(st.G[c.Sign]) + " " + st.Dim.S(p.Ellipsize(state, max(0, box.W-3))),
		canvas.Rule(st, box.W),
	}
	if h := box.H - cellRows; c.Body != nil && h > 0 && box.W > 0 {
		c.Body.SetSize(box.W, h)
		rows = append(rows, c.Body.Lines()...)
	}
	return canvas.Block(rows, box.W, box.H)
}

// Mouse handles a mouse event at a cell of the pane: a click selects a column, the wheel scrolls
// the one below it.
func (p *Pane) Mouse(msg tea.MouseMsg, x, y int) Intent {
	from, to := p.Window()
	for i := from; i < to; i++ {
		if b := p.cell(i); x < b.X || x >= b.X+b.W || y < b.Y || y >= b.Y+b.H {
			continue
		}
		switch msg := msg.(type) {
		case tea.MouseClickMsg:
			p.Select(i)
		case tea.MouseWheelMsg:
			if scroll := p.columns[i].Scroll; scroll != nil {
				switch keys.Wheel(msg) {
				case -1:
					scroll(tea.KeyPressMsg{Code: tea.KeyUp})
				case 1:
					scroll(tea.KeyPressMsg{Code: tea.KeyDown})
				}
			}
		}
	}
	return nil
}
