package editor

import (
	"strconv"

	"parley/ui/canvas"
	"parley/ui/styles"
)

// Gutter returns how many of w cells the number of a line takes with a mark and a space
// behind it: none where the text needs them more.
func (e *Editor) Gutter(w int) int {
	if w < 30 {
		return 0
	}
	return len(strconv.Itoa(len(e.Lines))) + 2
}

// TextWidth returns how many of w cells the gutter leaves to the text.
func (e *Editor) TextWidth(w int) int { return max(1, w-e.Gutter(w)) }

// Number draws the gutter of a line in a window of w cells. The mark, of one cell, is a
// space where there is nothing to remark.
func (e *Editor) Number(row, w int, mark string, p styles.Paint) string {
	g := e.Gutter(w)
	if g == 0 {
		return ""
	}
	return p.S(canvas.FitRight(strconv.Itoa(row+1), g-2)+mark) + " "
}

// From returns the first byte that is shown of a line: only the cursor's is scrolled
// sideways.
func (e *Editor) From(row int) int {
	if row == e.Row {
		return min(e.Left, len(e.Line())) // no frame since it was a longer line
	}
	return 0
}

// Point puts the cursor where cell x of a line is shown in a window of w cells, the gutter
// among them.
func (e *Editor) Point(row, x, w int) {
	from := e.From(row)
	e.GoTo(row, from+byteAt(e.Lines[row][from:], max(0, x-e.Gutter(w))))
}
