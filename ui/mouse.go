package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/ui/control"
	"parley/ui/palette"
)

// mouse passes a click or the wheel to the pane under it. A click also moves the focus there;
// the wheel does not.
func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	at := msg.Mouse()
	_, click := msg.(tea.MouseClickMsg)
	_, wheel := msg.(tea.MouseWheelMsg)
	if m.drags(msg) {
		m.touch()
		return nil
	}
	if s := m.sheet(); !click && !wheel && (s == nil || !s.Drags) {
		return nil
	}
	m.touch()
	if m.screen.over != noOverlay {
		return m.overlayMouse(msg, at)
	}
	l := m.screen.layout
	switch {
	case click && m.header.Flags().Contains(at.X, at.Y):
		return m.findings.Open()
	case click && m.header.Agents().Contains(at.X, at.Y):
		m.find(palette.List{
			Title: "agents", Entries: slices.DeleteFunc(m.entries(), func(e palette.Entry) bool { return e.Group != agentGroup }),
			Hint: "an agent; or paste a URL", Typed: finder{m}.typed, Else: noMatch,
		})
	case l.Agents.Contains(at.X, at.Y):
		m.clicked(click, control.OnAgents)
		return m.agents.OnIntent(m.panes.agents.Mouse(msg, at.X-l.AgentsBody.X, at.Y-l.AgentsBody.Y))
	case l.Wire.Contains(at.X, at.Y):
		m.clicked(click, control.OnWire)
		return m.onWireIntent(m.panes.wire.Mouse(msg, at.X-l.WireBody.X, at.Y-l.WireBody.Y))
	case l.Second.Contains(at.X, at.Y):
		return m.onSecond(msg, click)
	case m.onPopup(msg, at):
		return nil
	case l.Composer.Contains(at.X, at.Y):
		m.clicked(click, control.OnComposer)
		return m.onComposerIntent(m.panes.composer.Mouse(msg, at.X-l.Composer.X, at.Y-l.Composer.Y))
	case l.Talk.Contains(at.X, at.Y):
		m.clicked(click, control.OnChat)
		return m.onChatIntent(m.panes.chat.Mouse(msg, at.X-l.Chat.X, at.Y-l.Chat.Y))
	}
	return nil
}

// onSecond passes a click or the wheel to the second conversation. After a click the user acts on
// it.
func (m *Model) onSecond(msg tea.MouseMsg, click bool) tea.Cmd {
	at, body := msg.Mouse(), m.screen.layout.SecondBody
	in := m.pair.Pane().Mouse(msg, at.X-body.X, at.Y-body.Y) // before the pane gets another size
	if click {
		m.clicked(true, control.OnChat)
		m.pair.GoOther()
	}
	return m.onChatIntent(in)
}

// onPopup passes a click or the wheel to the list above the composer, and reports whether it
// was there.
func (m *Model) onPopup(msg tea.MouseMsg, at tea.Mouse) bool {
	chat, rows := m.screen.layout.Chat, len(m.popup())
	return rows > 0 && m.panes.composer.PopupMouse(msg, at.X-chat.X, at.Y-(chat.Y+chat.H-rows), chat.H)
}

func (m *Model) clicked(click bool, at control.Focus) {
	if click {
		m.setFocus(at)
		m.presses.chosen = true
	}
}

// drags moves the border between conversation and wire with the mouse, and reports whether it
// did.
func (m *Model) drags(msg tea.MouseMsg) bool {
	at, l := msg.Mouse(), m.screen.layout
	switch msg.(type) {
	case tea.MouseClickMsg:
		edge := l.Edge()
		m.screen.drag = m.screen.over == noOverlay && (edge.Contains(at.X, at.Y) || edge.Contains(at.X+1, at.Y))
		return m.screen.drag
	case tea.MouseReleaseMsg:
		m.screen.drag = false
	case tea.MouseMotionMsg:
		if m.screen.drag {
			m.moveBorder(at.X - l.Edge().X)
			return true
		}
	}
	return false
}

func (m *Model) overlayMouse(msg tea.MouseMsg, at tea.Mouse) tea.Cmd {
	box := m.overlayBox()
	if !box.Contains(at.X, at.Y) {
		if _, click := msg.(tea.MouseClickMsg); click {
			m.closeOverlay()
		}
		return nil
	}
	s := m.sheet()
	content := within(box, s)
	x, y := at.X-content.X, at.Y-content.Y
	if s != nil {
		return m.screen.placed(s).mouse(msg, x, y)
	}
	return m.onFinderIntent(m.panes.palette.Mouse(msg, x, y))
}
