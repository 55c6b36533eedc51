package canvas

import (
	"strings"

	"parley/ui/styles"
)

// A Frame describes a pane's border.
type Frame struct {
	Title   string // left in the top edge; plain, sanitised text
	Note    string // right in the top edge; plain or painted
	Focused bool   // accent border and bold title
	Scroll  Scrolls
	Picks   bool // the rows have the focus although the border has not: of a list at an input
}

// Inner returns the size of the content of a [Box] of w by h cells: without the
// border and without one column of padding on either side.
func Inner(w, h int) (int, int) { return max(w-4, 0), max(h-2, 0) }

// Box draws content in a frame of exactly w by h cells. Rows are fitted to
// [Inner]; missing ones are blank, surplus ones are dropped. Below 3 by 2 cells
// there is no room for a border and the block is blank. In a focused box, an accent bar in the
// padding marks the rows that [Select] drew; in others they become those of [Hold]. A thin bar marks
// the latter. The border shows what part of longer content is visible.
func Box(st *styles.Styles, f Frame, w, h int, content []string) []string {
	return box(new(Memo), st, f, w, h, content)
}

func box(m *Memo, st *styles.Styles, f Frame, w, h int, content []string) []string {
	if w < 3 || h < 2 {
		return Blank(w, h)
	}
	rows := make([]string, h)
	iw, ih := Inner(w, h)
	e, thumbs := m.edges.get(st, f, w), f.Scroll.thumbs()
	put := func(parts *Parts) string {
		row := parts[1]
		if parts[0] == e.held {
			row = hold(row, st)
		}
		return parts[0] + Fit(row, iw) + parts[2]
	}
	for y := range ih {
		row, left, right := "", e.left, e.right
		if thumbs.has(y) {
			right = e.thumb
		} else if y >= len(content) {
			rows[y+1] = e.blank
			continue
		}
		if y < len(content) {
			row = content[y]
		}
		switch selected := isSelected(row, st); {
		case selected && f.Focused:
			left = e.mark
		case selected && !f.Picks, isHeld(row, st):
			left = e.held
		}
		rows[y+1] = m.Row(y, put, Parts{left, row, right})
	}
	rows[0], rows[h-1] = e.top, e.bottom
	return rows
}

// edges are the border around the content of a box, with their inputs.
type edges struct {
	st *styles.Styles
	f  Frame
	w  int

	position                        string // in bottom
	top, bottom, left, right, blank string
	mark, held                      string // left of a selected row, with the focus and without
	thumb                           string // right of a row with a thumb
}

// get returns the edges of a box that is w cells wide, at least 3.
func (e *edges) get(st *styles.Styles, f Frame, w int) *edges {
	line, thumb, position := st.Hairline, st.Faint, f.Scroll.position()
	if f.Focused {
		line, thumb = st.Focus, st.Focus
	}
	f.Scroll = Scrolls{}
	if e.st == st && e.f == f && e.w == w {
		if e.position != position {
			e.position, e.bottom = position, bottomEdge(st, position, line, w)
		}
		return e
	}
	iw, _ := Inner(w, 2)
	side := line.S(st.G[styles.Vertical])
	*e = edges{
		st: st, f: f, w: w, top: topEdge(st, f, line, w), position: position, bottom: bottomEdge(st, position, line, w),
		left: side + spaces(min(w-2, 1)), right: spaces(w-3-iw) + side, thumb: spaces(w-3-iw) + thumb.S(st.G[styles.Thumb]),
	}
	e.blank = e.left + spaces(iw) + e.right
	e.mark = side + st.Accent.S(strings.Repeat(st.G[styles.Bar], min(w-2, 1)))
	e.held = side + st.Dim.S(strings.Repeat(st.G[styles.Hair], min(w-2, 1)))
	return e
}

// topEdge draws the edge with the title and, where there is room, the note. At
// least two cells of line stay visible between them and at the corners' sides.
func topEdge(st *styles.Styles, f Frame, line styles.Paint, w int) string {
	g := &st.G
	title, note := st.Dim, f.Note
	if f.Focused {
		title = st.Title
	}
	// corner, line and the spaces around the title on the left; the same on the right
	room := w - 2 - 2
	name := ""
	if f.Title != "" && room >= 3 {
		name = Ellipsize(f.Title, room-2, g[styles.Ellipsis])
		room -= Width(name) + 2
	}
	if note != "" && room >= 6 {
		note = Ellipsize(note, room-3, g[styles.Ellipsis])
		room -= Width(note) + 2
	} else {
		note = ""
	}
	var b strings.Builder
	if name == "" {
		b.WriteString(line.On + g[styles.TopLeft] + g[styles.Horizontal])
	} else {
		b.WriteString(line.S(g[styles.TopLeft] + g[styles.Horizontal]))
		b.WriteString(" " + title.S(name) + " " + line.On)
	}
	b.WriteString(strings.Repeat(g[styles.Horizontal], max(room, 0)))
	if note != "" {
		b.WriteString(off(line) + " " + st.Faint.S(note) + " " + line.On)
	}
	if w > 3 {
		b.WriteString(g[styles.Horizontal])
	}
	b.WriteString(g[styles.TopRight] + off(line))
	return b.String()
}

// bottomEdge draws the edge with the position at its right, where there is room.
func bottomEdge(st *styles.Styles, position string, line styles.Paint, w int) string {
	g := &st.G
	left, right := g[styles.BottomLeft], g[styles.BottomRight]
	room := w - 2 - Width(position) - 3 // the spaces around it, and a cell of line on its right
	if position == "" || room < 1 {
		return line.S(left + strings.Repeat(g[styles.Horizontal], w-2) + right)
	}
	return line.S(left+strings.Repeat(g[styles.Horizontal], room)) + " " + st.Faint.S(position) + " " + line.S(g[styles.Horizontal]+right)
}

// off returns the sequence that ends a paint.
func off(p styles.Paint) string {
	if p.On == "" {
		return ""
	}
	return reset
}
