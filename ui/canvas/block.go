package canvas

import (
	"strings"

	"parley/ui/styles"
)

// A Rect is a part of the screen, in cells; X and Y count from the top left.
type Rect struct{ X, Y, W, H int }

// Contains reports whether the cell at x, y lies in r.
func (r Rect) Contains(x, y int) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
}

// Inset returns r without dx columns on both sides and dy rows above and below.
func (r Rect) Inset(dx, dy int) Rect {
	return Rect{r.X + dx, r.Y + dy, max(r.W-2*dx, 0), max(r.H-2*dy, 0)}
}

// Blank returns h rows of w spaces.
func Blank(w, h int) []string {
	row, rows := strings.Repeat(" ", max(w, 0)), make([]string, max(h, 0))
	for i := range rows {
		rows[i] = row
	}
	return rows
}

// Columns puts blocks beside each other. A block that is shorter than the highest
// is continued with blank rows as wide as its first.
func Columns(cols ...[]string) []string { return nil }

// Overlay returns base with box drawn over it, its top left cell at x, y. What
// does not fit on base is cut off; base itself is not changed.
func Overlay(base, box []string, x, y int) []string { return nil }

// Highlight draws line on the background that p sets, also behind what is painted
// already: p is switched on again after every reset.
func Highlight(line string, p styles.Paint) string { return line }

// Select draws line as the selected row: on the selection's background, faint
// text raised to dim so that it stays readable there.
func Select(line string, st *styles.Styles) string { return line }

// A Frame says how a pane's border looks.
type Frame struct {
	Title   string // left in the top edge; plain, sanitised text
	Note    string // right in the top edge, may be painted
	Focused bool
}

// Inner returns the size of the content of a [Box] of w by h cells: without the
// border and without one column of padding on either side.
func Inner(w, h int) (int, int) { return max(w-4, 0), max(h-2, 0) }

// Box draws content in a frame of exactly w by h cells. Rows are fitted to
// [Inner]; missing ones are blank, surplus ones are dropped. Below 3 by 2 cells
// there is no room for a border and the block is blank.
func Box(st *styles.Styles, f Frame, w, h int, content []string) []string { return Blank(w, h) }
