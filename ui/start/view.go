package start

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/internal/units"
	"parley/ui/canvas"
	"parley/ui/sheet"
	"parley/ui/styles"
)

const (
	columnWidth = 96 // that the rows take at most
	headHeight  = 3  // the title, the input, and a blank line
	mostRows    = 5  // of a section while nothing is typed
	fewRows     = 3  // of a section where there is little room
	ageWidth    = 7
	narrow      = 36 // in fewer cells a row has its name alone
)

// A line is one row of the screen below the head: of a row, or some text.
type line struct {
	row  *Row
	text string
}

// Title returns the title of the frame.
func (p *Pane) Title() string { return "start" }

// Note returns nothing: the rows say everything.
func (p *Pane) Note() string { return "" }

// column returns the width of the rows, and how many cells are left of them.
func (p *Pane) column() (w, left int) {
	w = min(p.W, columnWidth)
	return w, (p.W - w) / 2
}

// head returns how many rows of the head there is room for.
func (p *Pane) head() int {
	if p.H < 8 {
		return min(p.H, 1)
	}
	return headHeight
}

// top returns how many rows are above the first of n lines.
func (p *Pane) top(n int) int {
	const most = 3
	return p.head() + p.above(n, most)
}

// above returns how many rows are left blank above everything if n lines leave room.
func (p *Pane) above(n, most int) int { return max(0, min(most, (p.H-p.head()-n)/4)) }

// lines returns what is below the head, in as few rows as there is room for.
func (p *Pane) lines() []line {
	if !p.dirty {
		return p.shown
	}
	p.dirty = false
	for _, form := range []struct {
		most int
		gaps bool
	}{{mostRows, true}, {mostRows, false}, {fewRows, false}} {
		if p.shown = p.build(form.most, form.gaps); len(p.shown) <= p.H-p.head() {
			break
		}
	}
	return p.shown
}

// build returns the lines, with at most some rows of each section, and gaps between them or none.
func (p *Pane) build(most int, gaps bool) (out []line) {
	if p.address != nil {
		out = append(out, line{row: p.address})
	}
	for i := range p.sections {
		s := &p.sections[i]
		rows, more := p.matching(s, most)
		hint := s.Hint
		if p.Text() != "" {
			hint = ""
		}
		if len(rows) == 0 && hint == "" {
			continue
		}
		if gaps && len(out) > 0 {
			out = append(out, line{})
		}
		out = append(out, line{text: p.St.Accent.Bold().S(s.Title)})
		for j := range rows {
			out = append(out, line{row: &rows[j]})
		}
		if more > 0 {
			out = append(out, line{text: p.St.Faint.S("  and " + units.Count(more) + " more: type a name")})
		}
		if hint != "" {
			out = append(out, p.hintLines(s, hint)...)
		}
	}
	if len(out) == 0 {
		out = append(out, line{text: p.St.Faint.S("Nothing here contains this. An address looks like localhost:9999 or https://agent.example.")})
	}
	return out
}

// hintLines renders what can be said about a section.
func (p *Pane) hintLines(s *Section, hint string) (out []line) {
	w, _ := p.column()
	if s.Key != "" {
		hint = s.Key + " " + hint
	}
	for i, l := range canvas.Wrap(hint, max(1, w-2)) {
		text := p.St.Faint.S(l)
		if rest, ok := strings.CutPrefix(l, s.Key); ok && i == 0 {
			text = p.St.Accent.S(s.Key) + p.St.Faint.S(rest)
		}
		out = append(out, line{text: "  " + text})
	}
	return out
}

// Lines renders the pane as exactly as many rows as its height, each exactly as wide as the pane.
func (p *Pane) Lines() []string {
	lines, rows := p.lines(), p.rows()
	w, left := p.column()
	var chosen *Row
	if len(rows) > 0 {
		chosen = rows[p.at(rows)]
	}
	h := max(0, p.H-p.top(len(lines)))
	p.reveal(lines, chosen, h)
	out := canvas.Blank(p.W, p.top(len(lines))-p.head())
	pad := strings.Repeat(" ", left)
	for _, l := range p.drawHead(w) {
		out = append(out, pad+l)
	}
	for i := p.List.Top; i < min(len(lines), p.List.Top+h); i++ {
		if r := lines[i].row; r != nil {
			lead := "  "
			if r == chosen && left > 0 { // else the frame has the bar
				lead = p.St.Accent.S(p.St.G[styles.Bar]) + " "
			}
			out = append(out, pad+canvas.Entry(p.St, lead+p.drawRow(r, w-2), w, r == chosen))
		} else {
			out = append(out, pad+canvas.Fit(lines[i].text, w))
		}
	}
	return canvas.Block(out, p.W, p.H)
}

// reveal moves the window so that the selected row is in it, with the heading of its section if it is the
// first there.
func (p *Pane) reveal(lines []line, chosen *Row, h int) {
	first := true
	for i := range lines {
		if lines[i].row == nil {
			continue
		}
		if lines[i].row == chosen {
			p.List.At = i
			if first {
				p.List.Top = 0
			} else if lines[i-1].row == nil && p.List.Top == i {
				p.List.Top--
			}
		}
		first = false
	}
	if p.List.At < len(lines) && p.List.At > 0 && lines[p.List.At-1].row == nil && h > 1 {
		p.List.Top = min(p.List.Top, p.List.At-1)
	}
	p.List.Reveal(len(lines), h)
}

// drawHead renders the title and the input.
func (p *Pane) drawHead(w int) []string {
	p.input.SetWidth(w)
	input := canvas.Fit(p.input.View(), w)
	if p.head() < headHeight {
		return []string{input}[:p.head()]
	}
	title := p.St.Bold.S(canvas.SanitizeLine(p.title)) + "  " + p.St.Dim.S(canvas.SanitizeLine(p.intro))
	return []string{canvas.Fit(p.Ellipsize(title, w), w), canvas.Highlight(input, p.St.Well), ""}
}

// Cursor returns the terminal's cursor relative to the pane while the user types, else nil.
func (p *Pane) Cursor() *tea.Cursor {
	if !p.typing {
		return nil
	}
	_, left := p.column()
	n := len(p.lines())
	return p.input.Cursor(left, p.top(n)-p.head()+min(1, p.head()-1), p.W, p.H)
}

// drawRow renders a row: its sign, its name, what else is known, and its age.
func (p *Pane) drawRow(r *Row, w int) string {
	st := p.St
	if w < narrow {
		return p.sign(r.Sign) + " " + st.Text.S(p.Cell(canvas.SanitizeLine(r.Name), max(0, w-2)))
	}
	age := sheet.Ago(r.Time, p.now)
	room := max(0, w-2-ageWidth)
	name := min(42, room/2)
	note := p.Ellipsize(canvas.SanitizeLine(r.Note), max(0, room-name-2))
	if r.Note == "" {
		name, note = room, ""
	}
	line := p.sign(r.Sign) + " " + st.Text.S(p.Cell(canvas.SanitizeLine(r.Name), name)) + "  " + st.Dim.S(note)
	return canvas.Fit(line, max(0, w-ageWidth)) + st.Faint.S(strings.Repeat(" ", max(0, ageWidth-canvas.Width(age)))+age)
}

// sign renders the glyph in front of a row.
func (p *Pane) sign(s Sign) string {
	g := &p.St.G
	switch s {
	case Running:
		return p.St.OK.S(g[styles.Online])
	case Interrupted:
		return p.St.Waiting.S(g[styles.Cut])
	case Recorded:
		return p.St.Dim.S(g[styles.Bullet])
	case Action:
		return p.St.Accent.S(g[styles.Prompt])
	default:
		return p.St.Faint.S(g[styles.Idle])
	}
}
