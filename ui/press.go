package ui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/chat"
	"parley/ui/control"
	"parley/ui/layout"
)

// key handles a key press: first the overlay, then the keys that work everywhere, then the letters
// that work outside text fields, then the focused pane. See [Model.steps].
func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	m.keysPressed++
	shown := m.present.Press(msg)
	defer m.present.Acted()
	m.notices.press()
	done := m.act(msg) // what it says comes before what waits
	return tea.Batch(shown, done, m.notices.turn())
}

// A step is what may have a key press, in the order of all.
type step struct {
	on    func(msg tea.KeyPressMsg) bool
	press func(msg tea.KeyPressMsg) (cmd tea.Cmd, done bool)
}

// steps returns what may have a key press, in order.
func (m *Model) steps() []step {
	always := func(tea.KeyPressMsg) bool { return true }
	all := func(press func(tea.KeyPressMsg) tea.Cmd) func(tea.KeyPressMsg) (tea.Cmd, bool) {
		return func(msg tea.KeyPressMsg) (tea.Cmd, bool) { return press(msg), true }
	}
	free := func(tea.KeyPressMsg) bool { return !m.typing() }
	writing := func(tea.KeyPressMsg) bool { return m.screen.at == control.OnComposer }
	zoomed := func(msg tea.KeyPressMsg) bool {
		return m.screen.zoom && m.screen.at == control.OnComposer && key.Matches(msg, m.keys.Key(goBack))
	}
	steps := []step{
		{always, m.keys.first.Press},
		{func(tea.KeyPressMsg) bool { return m.screen.over != noOverlay }, all(m.overlayKey)},
		{m.paneFirst, all(m.paneKey)},
		{always, m.keys.everywhere.Press},
		{zoomed, m.keys.outside.Press},
		{writing, all(m.paneKey)},
		{always, m.seen},
		{free, m.holdBack},
		{free, m.keys.outside.Press},
	}
	for _, t := range m.keys.underCursor(m.screen.at) {
		steps = append(steps, step{free, t.Press})
	}
	return append(steps, step{always, all(m.paneKey)})
}

// act carries out a key press.
func (m *Model) act(msg tea.KeyPressMsg) tea.Cmd {
	letters := m.screen.over == noOverlay && !m.typing()
	if !key.Matches(msg, m.keys.Key(clearOrQuit)) && !(letters && key.Matches(msg, m.keys.Key(leave))) {
		m.quit = false
	}
	msg, done := m.presses.prefixed(msg, m.keys.Key(withAltKey), m.keys.Key(goBack), m.keys.Key(clearOrQuit))
	if done {
		return nil
	}
	for _, s := range m.steps() {
		if !s.on(msg) {
			continue
		}
		if cmd, done := s.press(msg); done {
			return cmd
		}
	}
	return nil
}

// paneFirst reports whether a key that works everywhere is one of the focused pane at the moment: it
// completes the input, or closes its list.
func (m *Model) paneFirst(msg tea.KeyPressMsg) bool {
	c := m.panes.composer
	listed := m.screen.at == control.OnComposer && (c.Listed() || c.Searching())
	return m.completes() && key.Matches(msg, m.keys.Key(nextPane)) || listed && key.Matches(msg, m.keys.Key(goBack))
}

// paneKey passes a key to the focused pane.
func (m *Model) paneKey(msg tea.KeyPressMsg) tea.Cmd {
	switch m.screen.at {
	case control.OnComposer:
		if (m.conversation() == nil || m.panes.chat.HasReplies()) && msg.Mod == tea.ModAlt && key.Matches(msg, m.panes.chat.Of(chat.UseExample)) {
			return m.onChatIntent(m.panes.chat.Key(msg)) // one of the prompts to try, or of the replies
		}
		return m.onComposerIntent(m.panes.composer.Key(msg))
	case control.OnChat:
		return m.onChatIntent(m.panes.chat.Key(msg))
	case control.OnWire:
		return m.onWireIntent(m.panes.wire.Key(msg))
	case control.OnPlayer: // which has had the key
		return nil
	default:
		return m.agents.OnIntent(m.panes.agents.Key(msg))
	}
}

// completes reports whether the key for the next pane completes the input instead.
func (m *Model) completes() bool {
	switch m.screen.at {
	case control.OnWire:
		return m.panes.wire.Completes()
	case control.OnComposer:
		return m.panes.composer.Completes()
	default:
		return false
	}
}

// typing reports whether the focused pane has an open input, so that letters are text.
func (m *Model) typing() bool {
	switch m.screen.at {
	case control.OnChat:
		return m.panes.chat.Typing()
	case control.OnWire:
		return m.panes.wire.Typing()
	case control.OnComposer:
		return true
	default:
		return false
	}
}

// overlayKey passes a key to the overlay.
func (m *Model) overlayKey(msg tea.KeyPressMsg) tea.Cmd {
	if s := m.sheet(); s != nil {
		if cmd, done := (rootActions{m}).beyond(s, msg); done {
			return cmd
		}
		return m.sheetKey(s, msg)
	}
	if in := m.panes.palette.Key(msg); in != nil {
		return m.onFinderIntent(in)
	}
	return m.credentials.FinderTyped(m.panes.palette.Text())
}

// paste passes pasted text to the open input, else to the composer, so that no paste is lost
// because the focus was elsewhere. A recording has no composer.
func (m *Model) paste(msg tea.PasteMsg) tea.Cmd {
	s := m.sheet()
	switch {
	case s != nil && s.OnPaste != nil:
		return s.OnPaste(msg)
	case s != nil && s.TakesPaste():
		s.Paste(msg)
	case m.screen.over == overPalette:
		m.panes.palette.Paste(msg)
		return m.credentials.FinderTyped(m.panes.palette.Text())
	case m.screen.at == control.OnWire && m.panes.wire.Typing():
		m.panes.wire.Paste(msg)
	case m.screen.at == control.OnChat && m.panes.chat.Typing():
		m.panes.chat.Paste(msg.Content)
	case m.readOnly():
	default:
		m.closeOverlay()
		m.setFocus(control.OnComposer)
		m.panes.composer.Paste(msg.Content)
		return m.attachments.OnPaste(msg.Content)
	}
	return nil
}

// step moves the focus by n panes, among those that can be shown.
func (m *Model) step(n int) {
	if (host{m}).Both() {
		m.pair.Step(n)
		m.presses.chosen = true
		return
	}
	order := []control.Focus{control.OnComposer, control.OnChat, control.OnWire, control.OnAgents}
	if m.readOnly() {
		order = order[1:]
	}
	if m.opts.Player != nil {
		order = append(order, control.OnPlayer)
	}
	order = m.present.Panes(order)
	for i, at := range order {
		if at == m.screen.at {
			m.setFocus(order[(i+n+len(order))%len(order)])
			m.presses.chosen = true
			return
		}
	}
}

// setFocus moves the focus to a pane.
func (m *Model) setFocus(at control.Focus) {
	if at != m.screen.at {
		m.screen.at, m.presses = at, presses{}
	}
	m.panes.composer.Blur()
	m.panes.chat.Blur()
	m.panes.wire.Blur()
	m.panes.agents.Blur()
	m.panes.player.Blur()
	switch at {
	case control.OnComposer:
		m.panes.composer.Focus()
	case control.OnChat:
		m.panes.chat.Focus()
	case control.OnWire:
		m.panes.wire.Focus()
	case control.OnAgents:
		m.panes.agents.Focus()
	case control.OnPlayer:
		m.panes.player.Focus()
	}
	m.touch()
}

// leaveInput closes the search or filter that has the focus.
func (m *Model) leaveInput() {
	if m.screen.at == control.OnWire {
		m.panes.wire.Back()
		return
	}
	m.panes.chat.Key(tea.KeyPressMsg{Code: tea.KeyEscape})
}

// back handles esc: it closes the record in the wire pane, then the zoom, then goes to the
// composer.
func (m *Model) back() {
	m.presses.chosen = false // the user may think that the text field has the focus
	switch {
	case m.screen.at == control.OnWire && m.panes.wire.Back():
	case m.screen.zoom:
		m.screen.zoom = false
	default:
		m.focusComposer()
	}
}

func (m *Model) moveBorder(n int) {
	m.screen.split = max(-m.screen.w/2, min(m.screen.split+n, m.screen.w/2))
}

// show opens a sheet.
func (m *Model) show(sheet control.SheetName) {
	m.screen.over, m.screen.box = sheet, layout.Box{}
	m.touch()
}

// closeOverlay closes the overlay.
func (m *Model) closeOverlay() {
	m.screen.over = noOverlay
	m.touch()
}
