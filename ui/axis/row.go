package axis

import (
	"strings"

	"parley/ui/styles"
)

// A Row is a row of signs, one per cell. The zero Row has no cells.
type Row struct {
	signs  []string
	paints []styles.Paint
}

// NewRow returns a blank row of w cells.
func NewRow(w int) Row {
	var r Row
	r.Reset(w)
	return r
}

// Reset makes the row a blank one of w cells.
func (r *Row) Reset(w int) {
	w = max(w, 0)
	if cap(r.signs) < w {
		r.signs, r.paints = make([]string, w), make([]styles.Paint, w)
	}
	r.signs, r.paints = r.signs[:w], r.paints[:w]
	clear(r.paints)
	for i := range r.signs {
		r.signs[i] = " "
	}
}

// Put sets the sign of a cell, if the row has that cell.
func (r *Row) Put(cell int, sign string, p styles.Paint) {
	if cell >= 0 && cell < len(r.signs) {
		r.signs[cell], r.paints[cell] = sign, p
	}
}

// Sign returns the sign of a cell, empty if the row does not have that cell.
func (r *Row) Sign(cell int) string {
	if cell < 0 || cell >= len(r.signs) {
		return ""
	}
	return r.signs[cell]
}

// Fill sets the sign of the cells from one to before another.
func (r *Row) Fill(from, to int, sign string, p styles.Paint) {
	for cell := max(from, 0); cell < min(to, len(r.signs)); cell++ {
		r.signs[cell], r.paints[cell] = sign, p
	}
}

// Text writes text, each of whose characters takes one cell.
func (r *Row) Text(cell int, text string, p styles.Paint) {
	for _, c := range text {
		r.Put(cell, string(c), p)
		cell++
	}
}

// Shade changes the paints of the cells from one to before another.
func (r *Row) Shade(from, to int, shade func(styles.Paint) styles.Paint) {
	var last, shaded styles.Paint // neighbours often have the same paint
	for cell := max(from, 0); cell < min(to, len(r.paints)); cell++ {
		if p := r.paints[cell]; cell == max(from, 0) || p != last {
			last, shaded = p, shade(p)
		}
		r.paints[cell] = shaded
	}
}

// String returns the row. Adjacent signs of the same paint are joined.
func (r *Row) String() string {
	var b strings.Builder
	for i := 0; i < len(r.signs); {
		end := i + 1
		for end < len(r.signs) && r.paints[end] == r.paints[i] {
			end++
		}
		b.WriteString(r.paints[i].S(strings.Join(r.signs[i:end], "")))
		i = end
	}
	return b.String()
}
