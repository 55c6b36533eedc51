package card

import (
	"parley/ui/canvas"
	"parley/ui/styles"
)

const (
	twoColumns = 130 // of a pane from which the skills stand beside the facts
	widestHalf = 100 // longer lines are hard to read
	gutter     = 4   // between the halves
)

// half returns the width of each half of a pane of w columns, 0 if there is room for one column only.
func half(w int) int {
	if w < twoColumns {
		return 0
	}
	return min((w-gutter)/2, widestHalf)
}

// beside adds what two functions make, one beside the other. The rows of both have the same numbers:
// they scroll together, and an entry is where its rows are.
func (b *builder) beside(left, right func(b *builder)) {
	top := len(b.lines)
	l, r := *b, *b
	l.w, r.w = b.half, b.half
	left(&l)
	r.entries, r.right = nil, nil
	r.lines = make([]string, top) // no gap comes before the first row
	right(&r)
	for i := range r.entries {
		r.entries[i].right = true
	}
	b.lines, b.right, b.entries = l.lines, r.lines, append(l.entries, r.entries...)
	for len(b.lines) < len(b.right) {
		b.row("")
	}
}

// line draws line i, with the chosen entry selected.
func (p *Pane) line(i int) string {
	chosen, right := false, false
	if p.at >= 0 {
		e := &p.entries[p.at]
		chosen, right = e.from <= i && i < e.to, e.right
	}
	if i >= len(p.right) {
		return canvas.Entry(p.st, p.lines[i], p.w, chosen)
	}
	bar := " "
	if chosen && right {
		bar = p.st.Accent.S(p.st.G[styles.Bar])
	}
	return canvas.Fit(canvas.Entry(p.st, p.lines[i], p.half, chosen && !right)+canvas.Fit("", gutter-1)+bar+
		canvas.Entry(p.st, p.right[i], p.half, chosen && right), p.w)
}
