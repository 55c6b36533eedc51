package canvas

import (
	"slices"
	"strings"

	"parley/ui/styles"
)

// Rule returns a hairline of w cells.
func Rule(st *styles.Styles, w int) string {
	return st.Hairline.S(strings.Repeat(st.G[styles.Horizontal], max(w, 0)))
}

// Block makes rows a block of exactly h rows of exactly w cells: what is too wide or too
// much is cut off, what is missing is blank. It leaves rows as they are.
func Block(rows []string, w, h int) []string {
	block := Blank(w, h)
	for i := range min(len(rows), len(block)) {
		block[i] = Fit(rows[i], w)
	}
	return block
}

// A Part is a part of what a [Stack] lays out: its rows, and how many there is room for.
type Part struct {
	Rows []string
	H    int
}

// Stack puts a list of w cells between a head and a foot, each as high as its H says. A
// hairline parts head and foot from the list; it is one of their rows, and stays the
// longest: a head with too little room loses its first rows, a foot its last.
func Stack(st *styles.Styles, w int, head, list, foot Part) []string {
	rule := Rule(st, w)
	above := append(slices.Clip(head.Rows), rule)
	above = above[max(0, len(above)-max(0, head.H)):]
	below := append([]string{rule}, foot.Rows...)
	return slices.Concat(Block(above, w, head.H), Block(list.Rows, w, list.H), Block(below, w, foot.H))
}

// Reveal returns the first row that a window of h rows shows of a list of n, which was top:
// the window ends with the list at the latest, and row at is in it.
func Reveal(top, at, n, h int) int {
	switch top = max(0, min(top, n-h)); {
	case at < top:
		return at
	case h > 0 && at >= top+h:
		return at - h + 1
	default:
		return top
	}
}

// Entry draws line as an entry of a list, in exactly w cells, and as [Select] does where it
// is the selected one.
func Entry(st *styles.Styles, line string, w int, selected bool) string {
	line = Fit(line, w)
	if selected {
		return Select(line, st)
	}
	return line
}

// Paragraph wraps text into rows of w cells and paints each. Below 8 cells, too few for
// words, its rows stay 8 wide, to be cut off.
func Paragraph(text string, w int, p styles.Paint) []string {
	rows := Wrap(text, max(8, w))
	for i := range rows {
		rows[i] = p.S(rows[i])
	}
	return rows
}
