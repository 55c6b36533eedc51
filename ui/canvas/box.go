package canvas

import (
	"strings"

	"parley/ui/styles"
)

// A Frame says how a pane's border looks.
type Frame struct {
	Title   string // left in the top edge; plain, sanitised text
	Note    string // right in the top edge; plain or painted
	Focused bool   // accent border and bold title
}

// Inner returns the size of the content of a [Box] of w by h cells: without the
// border and without one column of padding on either side.
func Inner(w, h int) (int, int) { return max(w-4, 0), max(h-2, 0) }

// Box draws content in a frame of exactly w by h cells. Rows are fitted to
// [Inner]; missing ones are blank, surplus ones are dropped. Below 3 by 2 cells
// there is no room for a border and the block is blank.
func Box(st *styles.Styles, f Frame, w, h int, content []string) []string {
	return box(new(Memo), st, f, w, h, content)
}

func box(m *Memo, st *styles.Styles, f Frame, w, h int, content []string) []string {
	if w < 3 || h < 2 {
		return Blank(w, h)
	}
	line := st.Hairline
	if f.Focused {
		line = st.Focus
	}
	rows := make([]string, h)
	rows[0] = topEdge(st, f, line, w)
	iw, ih := Inner(w, h)
	pad := spaces(min(w-2, 1))
	left, right := line.S(st.G[styles.Vertical])+pad, spaces(w-3-iw)+line.S(st.G[styles.Vertical])
	blank := left + spaces(iw) + right
	put := func(parts []string) string { return parts[0] + Fit(parts[1], iw) + parts[2] }
	for y := range ih {
		rows[y+1] = blank
		if y < len(content) {
			rows[y+1] = m.Row(y, put, left, content[y], right)
		}
	}
	rows[h-1] = line.S(st.G[styles.BottomLeft] + strings.Repeat(st.G[styles.Horizontal], w-2) + st.G[styles.BottomRight])
	return rows
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

// off returns what ends a paint.
func off(p styles.Paint) string {
	if p.On == "" {
		return ""
	}
	return reset
}
