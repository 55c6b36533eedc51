package start

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/units"
	"parley/ui/canvas"
	"parley/ui/looks"
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
	leadWidth   = 2  // of the bar in front of the selected row
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
		out = append(out, line{text: p.heading(s.Title, hint)})
		for j := range rows {
			out = append(out, line{row: &rows[j]})
		}
		if more > 0 {
			out = append(out, line{text: p.St.Faint.S("  and " + units.Count(more) + " more: type a name")})
		}
	}
	if len(out) == 0 {
		w, _ := p.column()
		for _, text := range canvas.Wrap(p.nothing, max(1, w)) {
			out = append(out, line{text: p.St.Faint.S(text)})
		}
	}
	return out
}

// heading renders the title of a section, and beside it what can be said about the section.
func (p *Pane) heading(title, hint string) string {
	w, _ := p.column()
	title = canvas.SanitizeLine(title)
	if hint == "" {
		return p.St.Accent.Bold().S(title)
	}
	at := leadWidth + nameWidth(w-leadWidth)
	if w < narrow || canvas.Width(title) >= at {
		at = canvas.Width(title) + leadWidth
	}
	return p.St.Accent.Bold().S(title) + strings.Repeat(" ", at-canvas.Width(title)) + p.St.Faint.S(p.Ellipsize(canvas.SanitizeLine(hint), max(0, w-at)))
}

// nameWidth returns how many of the cells of a row its name takes, with the gap behind it.
func nameWidth(w int) int { return min(40, max(0, w-ageWidth)*9/20) }

// Lines renders the pane as exactly as many rows as its height, each exactly as wide as the pane.
func (p *Pane) Lines() []string {
	lines, chosen := p.lines(), p.chosen()
	w, left := p.column()
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
			out = append(out, pad+canvas.Entry(p.St, lead+p.drawRow(r, w-leadWidth), w, r == chosen))
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

// Cursor returns the terminal's cursor relative to the pane.
func (p *Pane) Cursor() *tea.Cursor {
	_, left := p.column()
	n := len(p.lines())
	return p.input.Cursor(left, p.top(n)-p.head()+min(1, p.head()-1), p.W, p.H)
}

// drawRow renders a row: its sign, its name, what else is known, and its age.
func (p *Pane) drawRow(r *Row, w int) string {
	st, lead := p.St, p.sign(r.Sign)
	if w < narrow {
		return lead + st.Text.S(p.Cell(canvas.SanitizeLine(r.Name), max(0, w-canvas.Width(lead))))
	}
	const gap = 2
	age, room, name := p.when(r), max(0, w-ageWidth), nameWidth(w)
	if r.Records > 0 {
		name = room * 3 / 5 // a prompt is longer than a name
	}
	if age == "" {
		room = w
	}
	if r.Note == "" {
		name = room + gap
	}
	line := lead + st.Text.S(p.Cell(canvas.SanitizeLine(r.Name), max(0, name-gap-canvas.Width(lead))))
	if r.Note != "" {
		line += strings.Repeat(" ", gap) + p.note(r, room-name)
	}
	return canvas.Fit(line, room) + st.Faint.S(strings.Repeat(" ", max(0, w-room-canvas.Width(age)))+age)
}

// note renders what is known of a row; for a recording, how it ended and how long it is stand last.
func (p *Pane) note(r *Row, w int) string {
	words := canvas.SanitizeLine(r.Note)
	if p.St.G[styles.Separator] != "·" {
		words = strings.NewReplacer("·", p.St.G[styles.Separator], "…", p.St.G[styles.Ellipsis]).Replace(words)
	}
	if r.Records == 0 {
		return p.St.Dim.S(p.Ellipsize(words, w))
	}
	separator := p.St.Faint.S(" " + p.St.G[styles.Separator] + " ")
	tail := separator + p.St.Dim.S(units.Count(r.Records))
	if r.Outcome != a2a.StateUnknown {
		sign, paint := looks.State(p.St, r.Outcome)
		tail = separator + paint.S(p.St.G[sign]) + tail
	}
	return p.St.Dim.S(p.Ellipsize(words, max(0, w-canvas.Width(tail)))) + tail
}

// when says when a row was used last: the time of day for a recording of today, else the age.
func (p *Pane) when(r *Row) string {
	const day, clock = "2006-01-02", "15:04"
	if at := r.Time.Local(); r.Records > 0 && !r.Time.IsZero() && at.Format(day) == p.now.Local().Format(day) {
		return at.Format(clock)
	}
	return sheet.Ago(r.Time, p.now)
}

// sign renders the glyph in front of a row, and the gap behind it.
func (p *Pane) sign(s Sign) string {
	st, sign := p.St, styles.Idle
	paint := st.Faint
	switch s {
	case Action:
		return ""
	case Running:
		sign, paint = styles.Online, st.OK
	case Waiting:
		sign, paint = looks.State(st, a2a.StateInputRequired)
	case Working:
		sign, paint = looks.State(st, a2a.StateWorking)
	case Interrupted:
		sign, paint = styles.Cut, st.Waiting
	case Known:
	}
	return paint.S(st.G[sign]) + " "
}
