package ui

import "parley/ui/canvas"

// Content sizes of the finder, in cells.
const finderWidth, finderHeight = 72, 18

// overlayBox returns the frame of the overlay. All pages have the same; a menu and the finder
// lie inside of it.
func (m *Model) overlayBox() canvas.Rect {
	page := m.screen.layout.Sheet
	if s := m.sheet(); s != nil && s.Size != nil {
		return within(page, s.Size)
	}
	if m.screen.over == overPalette {
		return within(page, func() (w, h int) { return finderWidth, finderHeight })
	}
	return page
}

// within returns a frame around content of some size, in the middle of a page and in its upper
// half.
func within(page canvas.Rect, size func() (w, h int)) canvas.Rect {
	w, h := size()
	box := canvas.Rect{W: min(page.W, w+4), H: min(page.H, h+2)}
	box.X, box.Y = page.X+(page.W-box.W)/2, page.Y+(page.H-box.H)/3
	return box
}

// backdrop draws the rows of the panes behind an overlay.
func (m *Model) backdrop(rows []string) {
	put := func(parts []string) string { return canvas.Backdrop(parts[0], m.st) }
	for y := range rows {
		rows[y] = m.screen.memo.behind.Row(y, put, rows[y], m.st.Faint.On, m.st.Hairline.On)
	}
}

func (m *Model) overlayLines(box canvas.Rect) []string {
	if s := m.sheet(); s != nil {
		return m.sheetLines(s, box)
	}
	return canvas.Box(m.st, canvas.Frame{Title: m.panes.palette.Title(), Focused: true}, box.W, box.H, m.panes.palette.Lines())
}
