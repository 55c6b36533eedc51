package canvas

import "strings"

// A Rect is a part of the screen, in cells; X and Y count from the top left.
type Rect struct{ X, Y, W, H int }

// Contains reports whether the cell at x, y lies in r.
func (r Rect) Contains(x, y int) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
}

// Blank returns h rows of w spaces.
func Blank(w, h int) []string {
	row, rows := spaces(w), make([]string, max(h, 0))
	for i := range rows {
		rows[i] = row
	}
	return rows
}

// Columns puts blocks beside each other. A block that is shorter than the highest is continued
// with blank rows as wide as its first. A single block is returned unchanged.
func Columns(cols ...[]string) []string { return columns(nil, cols) }

func columns(m *Memo, cols [][]string) []string {
	if len(cols) == 1 {
		return cols[0]
	}
	height := 0
	blanks := make([]string, len(cols))
	for i, col := range cols {
		height = max(height, len(col))
		if len(col) > 0 {
			blanks[i] = spaces(Width(col[0]))
		}
	}
	rows, parts := make([]string, height), make([]string, len(cols))
	put := func(parts *Parts) string { return strings.Join(parts[:], "") }
	for y := range rows {
		for i, col := range cols {
			parts[i] = cell(col, y, blanks[i])
		}
		if m == nil {
			rows[y] = strings.Join(parts, "")
			continue
		}
		var memo Parts
		copy(memo[:], parts)
		rows[y] = m.Row(y, put, memo)
	}
	return rows
}

func cell(col []string, y int, blank string) string {
	if y < len(col) {
		return col[y]
	}
	return blank
}

// Overlay returns base with box drawn over it, its top left cell at x, y. The part of box
// outside of base is cut off; base itself is not changed, and rows that box does not touch are
// shared with it.
func Overlay(base, box []string, x, y int) []string {
	rows := append([]string(nil), base...)
	for i, line := range box {
		if y+i < 0 || y+i >= len(rows) {
			continue
		}
		at := x
		if at < 0 {
			line, at = Skip(line, -at), 0
		}
		rows[y+i] = over(rows[y+i], line, at)
	}
	return rows
}

// over draws the row line over the row under from cell at on, up to the end of under. It reads the
// part of under that it keeps once.
func over(under, line string, at int) string {
	left := measure(under, at)
	if !left.more {
		return under
	}
	w := Width(line)
	open, width, i := left.open, left.width, left.end
	for i < len(under) && width < at+w {
		n, uw := next(under[i:])
		if under[i] == esc {
			open.read(under[i : i+n])
		}
		i += n
		width += uw
	}
	head := ""
	if at > 0 {
		head = under[:left.end] + left.open.off() + spaces(at-left.width)
	}
	if i == len(under) {
		return head + Fit(line, min(w, width-at)) + spaces(width-at-w)
	}
	return head + Fit(line, w) + open.on() + spaces(width-at-w) + under[i:]
}
