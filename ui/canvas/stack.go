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

// leastWidth is how many cells words need. In fewer, rows stay as wide, to be cut off.
const leastWidth = 8

// Paragraph wraps text into rows of w cells, at least leastWidth, and paints each.
func Paragraph(text string, w int, p styles.Paint) []string {
	return WrapPainted(text, max(leastWidth, w), p)
}

// WrapPainted is [Wrap] in at least one cell, with each row painted.
func WrapPainted(text string, w int, p styles.Paint) []string {
	rows := Wrap(text, max(1, w))
	for i := range rows {
		rows[i] = p.S(rows[i])
	}
	return rows
}

// A Label is text beside the first row of a value; the other rows are indented by its width.
type Label struct {
	Text  string
	W     int // cells, with the space behind it
	Paint styles.Paint
}

// WrapLabeled wraps a value beside its label, in w cells together, of which the value has at
// least leastWidth.
func WrapLabeled(l Label, value string, w int, p styles.Paint) []string {
	rows := WrapPainted(value, max(leastWidth, w-l.W), p)
	for i := range rows {
		rows[i] = l.Paint.S(Fit(l.Text, l.W)) + rows[i]
		l.Text = ""
	}
	return rows
}

// WrapLabeledIn is [WrapLabeled] in at most n rows. Where that cuts the value off, mark (an
// ellipsis) is at its end.
func WrapLabeledIn(n int, l Label, value string, w int, p styles.Paint, mark string) []string {
	rows := WrapLabeled(l, value, w, p)
	if len(rows) > n {
		rows = rows[:n]
		rows[n-1] = Ellipsize(rows[n-1]+p.S(mark), max(leastWidth, w-l.W)+l.W, mark)
	}
	return rows
}
