package start

import (
	"slices"
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
	ageWidth  = 7
	narrow    = 36 // in fewer cells a row has its name alone
	leadWidth = 2  // of the bar in front of the selected row
)

// Title names the sheet, which has no frame.
func (p *Pane) Title() string { return "start" }

// Note returns nothing: the rows say everything.
func (p *Pane) Note() string { return "" }

// heading renders the title of a section in w cells, and beside it what can be said about the section.
func (p *Pane) heading(title, hint string, w int) string {
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
	g, chosen := p.page(), p.chosen()
	h := max(0, p.H-g.first())
	p.reveal(g, chosen, h)
	out, pad, gap := canvas.Blank(p.W, g.top), strings.Repeat(" ", g.left), strings.Repeat(" ", columnGap)
	for _, l := range p.drawHead(g) {
		out = append(out, pad+l)
	}
	for i := p.List.Top; i < min(g.height(), p.List.Top+h); i++ {
		cells := make([]string, 0, len(g.columns))
		for _, column := range g.columns {
			cells = append(cells, p.cell(column, i, g.w, chosen))
		}
		out = append(out, pad+strings.Join(cells, gap))
	}
	return canvas.Block(out, p.W, p.H)
}

// cell renders line i of a column.
func (p *Pane) cell(column []line, i, w int, chosen *Row) string {
	switch {
	case i >= len(column):
		return canvas.Fit("", w)
	case column[i].row == nil:
		return canvas.Fit(column[i].text, w)
	}
	lead, r := strings.Repeat(" ", leadWidth), column[i].row
	if r == chosen {
		lead = canvas.Fit(p.St.Accent.S(p.St.G[styles.Bar]), leadWidth)
	}
	return canvas.Entry(p.St, lead+p.drawRow(r, w-leadWidth), w, r == chosen)
}

// reveal moves the window so that the selected row is in it, with the heading of its section if it is the
// first there.
func (p *Pane) reveal(g *page, chosen *Row, h int) {
	for _, column := range g.columns {
		first := true
		for i := range column {
			if column[i].row == nil {
				continue
			}
			if column[i].row == chosen {
				p.List.At = i
				if above := i > 0 && column[i-1].row == nil; first {
					p.List.Top = 0
				} else if above && h > 1 {
					p.List.Top = min(p.List.Top, i-1)
				}
			}
			first = false
		}
	}
	p.List.Reveal(g.height(), h)
}

// drawHead renders the mark, the title and the input.
func (p *Pane) drawHead(g *page) []string {
	p.input.SetWidth(g.wide)
	input := canvas.Fit(p.input.View(), g.wide)
	if g.head < headHeight {
		return []string{input}[:g.head]
	}
	input = canvas.Highlight(input, p.St.Well)
	switch title, intro := p.words(); {
	case g.mark == nil:
		return []string{canvas.Fit(p.Ellipsize(title+"  "+intro, g.wide), g.wide), input, ""}
	case g.beside:
		gap := strings.Repeat(" ", markGap)
		return []string{g.mark[0], g.mark[1] + gap + title, g.mark[2] + gap + intro, "", input, ""}
	default:
		return append(slices.Clone(g.mark), "", canvas.Fit(p.Ellipsize(title+"  "+intro, g.wide), g.wide), input, "")
	}
}

// words renders the title and what stands beside it.
func (p *Pane) words() (title, intro string) {
	return p.St.Bold.S(canvas.SanitizeLine(p.title)), p.St.Dim.S(canvas.SanitizeLine(p.intro))
}

// Cursor returns the terminal's cursor relative to the pane.
func (p *Pane) Cursor() *tea.Cursor {
	g := p.page()
	return p.input.Cursor(g.left, g.top+max(0, g.head-2), p.W, p.H)
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
