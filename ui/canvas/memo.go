package canvas

import "parley/ui/styles"

// A Memo caches rows that were composed of others. A row whose parts have not changed is not
// composed again: a screen changes in a few rows at a time, and comparing a string with itself
// costs nothing. Neither is a row that was a few rows below before, as when a list follows its end.
// The zero Memo is empty.
type Memo struct {
	rows  []memoRow
	moved int // how many rows up the last row that moved did
	width int
	edges edges
}

// mostMoved is how many rows a [Memo] looks down for a row that moved up.
const mostMoved = 8

// Parts are what a row of a [Memo] is composed of; those that are not needed are empty.
type Parts [4]string

type memoRow struct {
	parts Parts
	row   string
	made  bool
}

// Row returns row y, which put composes of parts and nothing else.
func (m *Memo) Row(y int, put func(*Parts) string, parts Parts) string {
	for len(m.rows) <= y {
		m.rows = append(m.rows, memoRow{})
	}
	r := &m.rows[y]
	if r.of(&parts) {
		return r.row
	}
	if below := m.below(y, &parts); below != nil {
		*r = *below
		return r.row
	}
	*r = memoRow{parts: parts, made: true}
	r.row = put(&r.parts)
	return r.row
}

// below returns the row of the same parts that is a few rows below y, nil if there is none. Several rows mostly
// move together.
func (m *Memo) below(y int, parts *Parts) *memoRow {
	rows := m.rows[y:]
	if m.moved < len(rows) && rows[m.moved].of(parts) {
		return &rows[m.moved]
	}
	for by := 1; by <= mostMoved && by < len(rows); by++ {
		if rows[by].of(parts) {
			m.moved = by
			return &rows[by]
		}
	}
	return nil
}

// of reports whether a row was composed of parts.
func (r *memoRow) of(parts *Parts) bool { return r.made && r.parts == *parts }

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
