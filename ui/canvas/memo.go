package canvas

import "parley/ui/styles"

// A Memo caches rows that were composed of others. A row whose parts have not changed is not
// composed again: a screen changes in a few rows at a time, and comparing a string with itself
// costs nothing. The zero Memo is empty.
type Memo struct {
	rows  []memoRow
	width int
	edges edges
}

// maxParts is how many parts a row of a [Memo] has at most.
const maxParts = 4

type memoRow struct {
	parts [maxParts]string
	row   string
	made  bool
}

// Row returns row y, which put composes of at most four parts and nothing else.
func (m *Memo) Row(y int, put func(parts []string) string, parts ...string) string {
	for len(m.rows) <= y {
		m.rows = append(m.rows, memoRow{})
	}
	r := &m.rows[y]
	var now [maxParts]string
	copy(now[:], parts)
	if !r.made || now != r.parts {
		*r = memoRow{parts: now, row: put(parts), made: true}
	}
	return r.row
}

// fit drops rows for another width.
func (m *Memo) fit(w int) {
	if w != m.width {
		m.rows, m.width = m.rows[:0], w
	}
}

// Box is [Box] with cached rows.
func (m *Memo) Box(st *styles.Styles, f Frame, w, h int, content []string) []string {
	m.fit(w)
	return box(m, st, f, w, h, content)
}

// Columns is [Columns], for at most four blocks, with cached rows.
func (m *Memo) Columns(cols ...[]string) []string { return columns(m, cols) }
