package ui

import "parley/ui/canvas"

// overlayBox returns the frame of the overlay.
func (m *Model) overlayBox() canvas.Rect {
	w, h := m.screen.w, m.screen.h
	box := canvas.Rect{W: min(w, 84), H: max(0, h-2), Y: min(1, h)}
	if h < 10 { // no rows to spare
		box.H, box.Y = h, 0
	}
	if s := m.sheet(); s != nil {
		return m.sheetBox(s, box)
	}
	if m.screen.over == overPalette {
		box.W, box.H = min(w, 76), min(box.H, 20)
	}
	if w > box.W {
		box.X = (w - box.W) / 2
	}
	if h > 30 && m.screen.over == overPalette {
		box.Y = h / 6
	}
	return box
}

func (m *Model) overlayLines(box canvas.Rect) []string {
	if s := m.sheet(); s != nil {
		return m.sheetLines(s, box)
	}
	return canvas.Box(m.st, canvas.Frame{Title: m.panes.palette.Title(), Focused: true}, box.W, box.H, m.panes.palette.Lines())
}
