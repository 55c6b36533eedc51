package ui

import (
	"parley/ui/canvas"
)

// Content size of the finder, in cells. A high screen shows more rows.
const finderWidth, finderHeight = 64, 18

// overlayBox returns the frame of the overlay. All pages have the same; a menu and the finder
// begin in its first cell and are as high as their content.
func (m *Model) overlayBox() canvas.Rect {
	page, talk := m.screen.layout.Sheet, m.screen.layout.Talk
	if s := m.sheet(); s != nil && s.Size != nil {
		w, h := s.Size()
		return flush(page, talk, w, h)
	}
	if m.screen.over == overPalette {
		return flush(page, talk, finderWidth, max(finderHeight, page.H/2))
	}
	if s := m.sheet(); s != nil && s.Whole {
		page.X, page.W = 0, m.screen.w
	}
	return page
}

// flush returns a frame around content of some size at the top of a page. Its right edge is that
// of the conversation if the content fits there, otherwise that of the page, so that no frame
// ends in the middle of a pane's text.
func flush(page, talk canvas.Rect, w, h int) canvas.Rect {
	box := canvas.Rect{X: page.X, Y: page.Y, W: page.W, H: min(page.H, h+2)}
	if talk.X == page.X && talk.W >= w+4 && talk.W < page.W {
		box.W = talk.W
	}
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
	p := m.panes.palette
	lines := overlaid(m, p.Lines(), p.Cursor())
	return canvas.Box(m.st, canvas.Frame{Title: p.Title(), Focused: true, Scroll: p.Scrolls()}, box.W, box.H, lines)
}
