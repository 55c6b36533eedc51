package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/ui/canvas"
	"parley/ui/control"
	"parley/ui/layout"
)

// Content size of the finder, in cells. A high screen shows more rows.
const finderWidth, finderHeight = control.Wide, 18

// overlayBox returns the frame of the overlay: that of all pages, or that of a box.
func (m *Model) overlayBox() canvas.Rect {
	l := &m.screen.layout
	s := m.sheet()
	switch {
	case s == nil:
		return l.Middle(finderWidth+4, max(finderHeight, l.Sheet.H/2)+2)
	case s.Whole:
		return canvas.Rect{Y: l.Sheet.Y, W: m.screen.w, H: l.Sheet.H}
	}
	return m.screen.placed(s).frame()
}

// within returns the part of an overlay's box that its content has: a frame takes the rest, or margins
// where the sheet over all panes has no frame.
func within(box canvas.Rect, s *control.Sheet) canvas.Rect {
	const edge = 2 // with the padding
	w, h := canvas.Inner(box.W, box.H)
	if s != nil && s.Whole {
		return canvas.Rect{X: box.X + edge, Y: box.Y, W: w, H: box.H}
	}
	return canvas.Rect{X: box.X + edge, Y: box.Y + 1, W: w, H: h}
}

// A placed is the open sheet where it stands. The pane of a box is as high as the page: it is cut off
// after what it says.
type placed struct {
	*control.Sheet
	l   *layout.Layout
	box *layout.Box
}

// placed returns a sheet at its place.
func (s *screen) placed(of *control.Sheet) placed { return placed{of, &s.layout, &s.box} }

// boxed reports whether the sheet is no page.
func (p placed) boxed() bool { return !p.Page && !p.Whole && !p.box.Full(p.l) }

// frame returns the frame of a sheet that does not lie over all panes.
func (p placed) frame() canvas.Rect {
	w := layout.BoxWidth
	switch {
	case p.Page:
		return p.l.Sheet
	case p.Width != nil:
		w = p.Width() + 4
	case p.Wide:
		w = control.Wide + 4
	}
	return p.box.Frame(p.l, w)
}

// size returns the size of the sheet's pane in a frame of w columns: it is as high as the page.
func (p placed) size(w int) (int, int) {
	content := within(canvas.Rect{W: w, H: p.l.Sheet.H}, p.Sheet)
	return content.W, content.H
}

// lines returns the rows that the sheet shows in a frame of w cells.
func (p placed) lines(w int) []string {
	draw := func(w int) []string {
		p.Pane.SetSize(p.size(w))
		return p.Pane.Lines()
	}
	rows := draw(w)
	if p.boxed() {
		last := p.pinned()
		if p.box.Fit(p.l, said(rows[:len(rows)-last])+last+2); !p.boxed() {
			rows = draw(p.frame().W)
		}
	}
	if n, before := p.hidden(); n > 0 {
		return slices.Concat(rows[:before], rows[before+n:])
	}
	return rows
}

// said returns how many rows there are without the blank ones at the end.
func said(rows []string) int {
	n := len(rows)
	for n > 0 && strings.Trim(rows[n-1], " ") == "" {
		n--
	}
	return n
}

// pinned returns how many rows of the pane stay at its bottom, whatever is above them.
func (p placed) pinned() int {
	if pane, ok := p.Pane.(interface{ Pinned() int }); ok {
		return pane.Pinned()
	}
	return 0
}

// hidden returns how many rows of the pane are not shown, and before which row they are.
func (p placed) hidden() (n, before int) {
	if !p.boxed() {
		return 0, 0
	}
	_, h := canvas.Inner(0, p.frame().H)
	_, whole := canvas.Inner(0, p.l.Sheet.H)
	return whole - h, h - p.pinned()
}

// cursor returns the terminal's cursor relative to the sheet.
func (p placed) cursor() *tea.Cursor {
	c := p.Pane.Cursor()
	if n, before := p.hidden(); c != nil && c.Y >= before+n {
		moved := *c
		moved.Y -= n
		return &moved
	}
	return c
}

// mouse passes a mouse event at a cell of the sheet to it.
func (p placed) mouse(msg tea.MouseMsg, x, y int) tea.Cmd {
	if n, before := p.hidden(); y >= before {
		y += n
	}
	return p.Mouse(msg, x, y)
}

// backdrop draws the rows of the panes behind an overlay.
func (m *Model) backdrop(rows []string) {
	put := func(parts *canvas.Parts) string { return canvas.Backdrop(parts[0], m.st) }
	for y := range rows {
		rows[y] = m.screen.memo.behind.Row(y, put, canvas.Parts{rows[y], m.st.Faint.On, m.st.Hairline.On})
	}
}

// drawOverlay draws the overlay over the rows of the panes.
func (m *Model) drawOverlay(rows []string) []string {
	if s := m.sheet(); s != nil {
		lines := m.sheetLines(s)
		at := m.overlayBox()
		return canvas.Overlay(rows, lines, at.X, at.Y)
	}
	p, at := m.panes.palette, m.overlayBox()
	lines := overlaid(m, p.Lines(), p.Cursor())
	f := canvas.Frame{Title: p.Title(), Focused: true, Scroll: p.Scrolls()}
	return canvas.Overlay(rows, canvas.Box(m.st, f, at.W, at.H, lines), at.X, at.Y)
}
