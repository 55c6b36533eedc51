package editor

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/styles"
)

// Rows draws the lines in a window of w by h cells. sign returns a line's mark, one cell, and
// the colour of its number; paint returns the colour of each byte of a line, which is called in
// order. A line that is scrolled sideways has the colour of text.
func (e *Editor) Rows(st *styles.Styles, w, h int, sign func(row int) (string, styles.Paint), paint func(row int) func(at int) styles.Paint) []string {
	e.resize(w, h)
	var out []string
	for row := e.Top; row < min(e.Top+h, len(e.Lines)); row++ {
		mark, number := sign(row)
		colour, from := func(int) styles.Paint { return st.Text }, e.from(row)
		if from == 0 {
			colour = paint(row)
		}
		out = append(out, e.number(row, w, mark, number)+e.draw(st, e.Lines[row], from, e.textWidth(w), colour))
	}
	return out
}

// Cursor returns the terminal's cursor for a window of w by h cells below row y.
func (e *Editor) Cursor(y, w, h int) *tea.Cursor {
	e.resize(w, h)
	x := e.gutter(w) + cells(e.Line()[e.Left:e.Col])
	return tea.NewCursor(min(x, w-1), y+e.Row-e.Top)
}

// resize sets the size of the window and scrolls to the cursor.
func (e *Editor) resize(w, h int) {
	e.h = h
	e.reveal(e.textWidth(w))
}

// Mouse handles a mouse event at cell x, y of a window of w cells: a click moves the cursor, and
// so does the wheel.
func (e *Editor) Mouse(msg tea.MouseMsg, x, y, w int) {
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		e.Vertical(3 * keys.Wheel(msg))
	case tea.MouseClickMsg:
		if row := e.Top + y; msg.Button == tea.MouseLeft && y >= 0 && row < len(e.Lines) {
			e.point(row, x, w)
		}
	}
}

// gutter returns the width of the line numbers, with a mark between two spaces, in a pane of w cells;
// 0 if that is narrow.
func (e *Editor) gutter(w int) int {
	if w < 30 {
		return 0
	}
	return len(strconv.Itoa(len(e.Lines))) + 3
}

// textWidth returns the width that the gutter leaves for the text.
func (e *Editor) textWidth(w int) int { return max(1, w-e.gutter(w)) }

// number draws the gutter of a line in a pane of w cells. mark is one cell, a space for none.
func (e *Editor) number(row, w int, mark string, p styles.Paint) string {
	g := e.gutter(w)
	if g == 0 {
		return ""
	}
	return p.S(canvas.FitRight(strconv.Itoa(row+1), g-3)+" "+mark) + " "
}

// from returns the first visible byte of a line: only the cursor's line scrolls sideways.
func (e *Editor) from(row int) int {
	if row == e.Row {
		return min(e.Left, len(e.Line())) // the line may be shorter since the last frame
	}
	return 0
}

// point moves the cursor to cell x of a line in a pane of w cells.
func (e *Editor) point(row, x, w int) {
	from := e.from(row)
	e.GoTo(row, from+byteAt(e.Lines[row][from:], max(0, x-e.gutter(w))))
}

// reveal scrolls to the cursor in a window of w cells of text.
func (e *Editor) reveal(w int) {
	e.Top = max(0, min(e.Top, len(e.Lines)-e.h))
	switch {
	case e.Row < e.Top:
		e.Top = e.Row
	case e.Row >= e.Top+e.h:
		e.Top = e.Row - e.h + 1
	}
	line := e.Line()
	if e.Left > len(line) || e.Left > e.Col || e.Col < w && cells(line[:e.Col]) < w-1 {
		e.Left = 0
	}
	if e.Col-e.Left <= longest*w && cells(line[e.Left:e.Col]) < w-1 {
		return
	}
	e.Left = e.Col // then back by three quarters of the window
	for x := 0; e.Left > 0; {
		at := lastUnit(line[:e.Left])
		if x += cells(line[at:e.Left]); x > w*3/4 {
			break
		}
		e.Left = at
	}
}

// draw draws a line from a byte on in at most w cells. paint returns the colour of a byte and
// is called in order.
func (e *Editor) draw(st *styles.Styles, line string, from, w int, paint func(at int) styles.Paint) string {
	var b strings.Builder
	x, last := 0, styles.Paint{}
	var run strings.Builder
	flush := func() {
		b.WriteString(last.S(run.String()))
		run.Reset()
	}
	put := func(p styles.Paint, s string, cells int) {
		if p != last {
			flush()
			last = p
		}
		run.WriteString(s)
		x += cells
	}
	mark := st.G[styles.Ellipsis]
	if from > 0 && w > 1 {
		put(st.Faint, mark, 1)
		n, _, _ := unit(line[from:] + " ")
		from += n
	}
	for i := from; i < len(line); {
		n, cw, drawn := unit(line[i:])
		more := i+n < len(line)
		if x+cw > w || more && x+cw == w {
			put(st.Faint, mark, 1)
			break
		}
		if drawn == "" {
			put(st.Faint, stand(st, line[i]), cw)
		} else {
			put(paint(i), drawn, cw)
		}
		i += n
	}
	flush()
	return canvas.Fit(b.String(), w)
}

// stand returns the sign for a byte that cannot be drawn.
func stand(st *styles.Styles, c byte) string {
	if c == '\t' {
		return st.G[styles.Send]
	}
	return st.G[styles.Unknown]
}
