package editor

import (
	"strconv"

	"parley/ui/canvas"
	"parley/ui/styles"
)

// Gutter returns the width of the line numbers, with a mark and a space, in a pane of w cells;
// 0 if that is narrow.
func (e *Editor) Gutter(w int) int {
	if w < 30 {
		return 0
	}
	return len(strconv.Itoa(len(e.Lines))) + 2
}

// TextWidth returns the width that the gutter leaves for the text.
func (e *Editor) TextWidth(w int) int { return max(1, w-e.Gutter(w)) }

// Number draws the gutter of a line in a pane of w cells. mark is one cell, a space for none.
func (e *Editor) Number(row, w int, mark string, p styles.Paint) string {
	g := e.Gutter(w)
	if g == 0 {
		return ""
	}
	return p.S(canvas.FitRight(strconv.Itoa(row+1), g-2)+mark) + " "
}

// From returns the first visible byte of a line: only the cursor's line scrolls sideways.
func (e *Editor) From(row int) int {
	if row == e.Row {
		return min(e.Left, len(e.Line())) // the line may be shorter since the last frame
	}
	return 0
}

// Point moves the cursor to cell x of a line in a pane of w cells.
func (e *Editor) Point(row, x, w int) {
	from := e.From(row)
	e.GoTo(row, from+byteAt(e.Lines[row][from:], max(0, x-e.Gutter(w))))
}
