package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/canvas"
	"parley/ui/control"
	"parley/ui/control/present"
	drawn "parley/ui/present"
)

var _ present.Screen = host{}

func (h host) Arrangement() present.Arrangement {
	m := h.m
	talk, records := m.panes.chat.Position(), m.panes.wire.Position()
	return present.Arrangement{Focus: m.screen.at, Zoom: m.screen.zoom, Split: m.screen.split, Scroll: func() {
		m.panes.chat.Return(talk)
		m.panes.wire.Return(records)
	}}
}

func (h host) Rearrange(to present.Arrangement) {
	m := h.m
	m.screen.zoom, m.screen.split = to.Zoom, to.Split
	m.setFocus(to.Focus)
	m.arrange()
	if to.Scroll != nil {
		to.Scroll()
	}
}

func (h host) SetCalm(on bool) {
	h.m.panes.chat.SetCalm(on) // and the one beside it
	h.m.panes.composer.SetCalm(on)
}

func (h host) Typing() bool { return h.m.typing() }

func (h host) Masked() bool {
	m := h.m
	s := m.sheet()
	switch {
	case s != nil:
		p, ok := s.Pane.(interface{ Masked() bool })
		return ok && p.Masked()
	case m.screen.over == overPalette:
		return m.panes.palette.Masked()
	default:
		return m.screen.at == control.OnComposer && m.panes.composer.Secret()
	}
}

// presentable are the rows of a pane as an audience sees them. Where the user types, every cell
// stays where it is.
func presentable(m *Model, of drawn.Area, rows []string, bright func(y int) bool) []string {
	switch {
	case of == drawn.Text:
		return m.present.Typed(of, rows, drawn.All)
	case m.typing() && (of == drawn.Talk && m.screen.at == control.OnChat || of == drawn.Wire && m.screen.at == control.OnWire):
		return m.present.Typed(of, rows, drawn.All)
	case of == drawn.Wire && m.panes.wire.Reveals():
		return m.present.Revealed(of, rows, bright)
	}
	return m.present.Rows(of, rows, bright)
}

// overlaid are the rows of what lies over the panes, as an audience sees them.
func overlaid(m *Model, rows []string, cursor *tea.Cursor) []string {
	if cursor != nil {
		return m.present.Typed(drawn.Overlay, rows, cursor.Y)
	}
	return m.present.Masked(drawn.Overlay, rows)
}

// drawStrokes draws the keys that were pressed last over the bottom right corner of the panes.
func drawStrokes(m *Model, rows []string) []string {
	l := m.screen.layout
	keys := m.present.Strokes(m.screen.w - 2*noticeEdge)
	if y := len(rows) - l.Footer.H - 1; keys != "" && y >= 0 {
		return canvas.Overlay(rows, []string{keys}, m.screen.w-noticeEdge-canvas.Width(keys), y)
	}
	return rows
}

// alongside draws the header or the footer: across the screen, or where the conversation has margins,
// between them.
func alongside(m *Model, draw func(w int) string) string {
	l, w := &m.screen.layout, m.screen.w
	if !l.Bare {
		return draw(w)
	}
	left := max(0, l.Chat.X-1) // they have a cell of their own
	right := left
	if l.Wire.X > l.Talk.X+l.Talk.W/2 { // beside it
		right = 0
	}
	return canvas.Fit(canvas.Fit("", left)+draw(max(0, w-left-right)), w)
}
