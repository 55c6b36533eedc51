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

// Block makes rows a block of exactly h rows of exactly w cells: the surplus is cut off, the
// missing is blank. It does not change rows.
func Block(rows []string, w, h int) []string {
	block := Blank(w, h)
	for i := range min(len(rows), len(block)) {
		block[i] = Fit(rows[i], w)
	}
	return block
}

// A Part is a part of a [Stack]: its rows, and its height.
type Part struct {
	Rows []string
	H    int
}

// Stack puts a list of w cells between a head and a foot, each as high as its H. A hairline
// separates head and foot from the list; it is one of their rows, and is the last to go: a head
// with too little room loses its first rows, a foot its last.
func Stack(st *styles.Styles, w int, head, list, foot Part) []string {
	rule := Rule(st, w)
	above := append(slices.Clip(head.Rows), rule)
	above = above[max(0, len(above)-max(0, head.H)):]
	below := append([]string{rule}, foot.Rows...)
	return slices.Concat(Block(above, w, head.H), Block(list.Rows, w, list.H), Block(below, w, foot.H))
}

// Entry draws line as an entry of a list, in exactly w cells, with [Select] if it is selected.
func Entry(st *styles.Styles, line string, w int, selected bool) string {
	line = Fit(line, w)
	if selected {
		return Select(line, st)
	}
	return line
}

// Paragraph wraps text into rows of w cells and paints each. Below 8 cells, too few for words,
// its rows are 8 wide, to be cut off.
func Paragraph(text string, w int, p styles.Paint) []string {
	rows := Wrap(text, max(8, w))
	for i := range rows {
		rows[i] = p.S(rows[i])
	}
	return rows
}
