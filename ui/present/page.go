package present

import (
	"strings"

	"parley/ui/canvas"
	"parley/ui/styles"
)

// A Page draws rows with margins, where other modes have a frame.
type Page struct{ memo canvas.Memo }

// SetStyles changes the styles.
func (p *Page) SetStyles() { p.memo = canvas.Memo{} }

// Rows returns h rows of w cells that have the given rows from column left on. A sign that mark
// returns for a row stands in front of it.
func (p *Page) Rows(rows []string, left, w, h int, mark func(y int) string) []string {
	out := make([]string, h)
	put := func(parts *canvas.Parts) string {
		const near = 2 // cells between the sign and the row
		sign := canvas.Fit(parts[2], min(left, near))
		return canvas.Fit(strings.Repeat(" ", max(0, left-near))+sign+parts[0], w)
	}
	width := canvas.Fit("", w)
	for y := range out {
		row, sign := "", ""
		if y < len(rows) {
			row = rows[y]
		}
		if mark != nil {
			sign = mark(y)
		}
		out[y] = p.memo.Row(y, put, canvas.Parts{row, width, sign})
	}
	return out
}

// A Spot leaves the line under discussion as it is and dims all else.
type Spot struct{ memos [Areas]canvas.Memo }

// SetStyles changes the styles.
func (s *Spot) SetStyles() { s.memos = [Areas]canvas.Memo{} }

// Rows dims the rows of an area that are not bright. Without colours nothing is dim: signs stand in
// front of the bright rows instead, see [Sign].
func (s *Spot) Rows(of Area, rows []string, st *styles.Styles, bright func(y int) bool) []string {
	if st.Faint.On == "" {
		return rows
	}
	put := func(parts *canvas.Parts) string { return canvas.Backdrop(parts[0], st) }
	out := make([]string, len(rows))
	for y, row := range rows {
		if out[y] = row; !bright(y) {
			out[y] = s.memos[of].Row(y, put, canvas.Parts{row})
		}
	}
	return out
}

// Sign returns the sign in front of a bright row, for a [Page]; empty where colours tell.
func Sign(st *styles.Styles, bright bool) string {
	if st.Faint.On != "" || !bright {
		return ""
	}
	return st.G[styles.Prompt]
}
