package ui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/control"
)

// key handles a key press: first the overlay, then the chords that work everywhere, then the
// focused pane, then the single letters.
func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	m.keysPressed++
	shown := m.present.Press(msg)
	defer m.present.Acted()
	m.notices.press()
	done := m.act(msg) // what it says comes before what waits
	return tea.Batch(shown, done, m.notices.turn())
}

// act carries out a key press.
func (m *Model) act(msg tea.KeyPressMsg) tea.Cmd {
	if !key.Matches(msg, m.keys.Quit) {
		m.quit = false
	}
	msg, done := m.presses.prefixed(msg, &m.keys)
	switch {
	case done:
		return nil
	case key.Matches(msg, m.keys.Write):
		return m.write()
	case key.Matches(msg, m.keys.Help) && m.screen.over != overHelp:
		m.openHelp()
		return nil
	case m.screen.over != noOverlay:
		return m.overlayKey(msg)
	}
	if m.completes() && key.Matches(msg, m.keys.Next) {
		if m.screen.at == control.OnWire {
			return m.onWireIntent(m.panes.wire.Key(msg))
		}
		return m.onComposerIntent(m.panes.composer.Key(msg))
	}
	if c := m.panes.composer; m.screen.at == control.OnComposer && (c.Listed() || c.Searching()) && key.Matches(msg, m.keys.Back) {
		return m.onComposerIntent(m.panes.composer.Key(msg))
	}
	if cmd, done := m.chord(msg); done {
		return cmd
	}
	if m.screen.at == control.OnComposer {
		if m.conversation() == nil && msg.Mod == tea.ModAlt && msg.Code >= '1' && msg.Code <= '9' {
			return m.onChatIntent(m.panes.chat.Key(msg)) // one of the prompts to try
		}
		return m.onComposerIntent(m.panes.composer.Key(msg))
	}
	m.presses.see(msg, m.keys.Back)
	if !m.typing() {
		if cmd, done := m.holdBack(msg); done {
			return cmd
		}
		if cmd, done := m.letter(msg); done {
			return cmd
		}
		if cmd, done := m.records.Key(msg); done {
			return cmd
		}
		if cmd, done := m.outbox.TurnKey(msg); done {
			return cmd
		}
	}
	switch m.screen.at {
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

// keysNow returns the keys, with the one for the next pane disabled if it completes the input.
func (m *Model) keysNow() keyMap {
	k := m.keys
	k.Next.SetEnabled(!m.completes())
	return k
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

// chord handles the keys that work everywhere, and reports whether msg was one.
func (m *Model) chord(msg tea.KeyPressMsg) (tea.Cmd, bool) {
	k := &m.keys
	if cmd, done := m.pair.Key(msg); done {
		return cmd, true
	}
	if cmd, done := m.present.Key(msg); done {
		return cmd, true
	}
	switch {
	case key.Matches(msg, k.Quit):
		return m.clearOrQuit(), true
	case key.Matches(msg, k.Suspend):
		return host{m}.handOver(tea.Suspend), true
	case key.Matches(msg, k.Next):
		m.step(1)
	case key.Matches(msg, k.Prev):
		m.step(-1)
	case key.Matches(msg, k.Find):
		return m.openPalette(), true
	case key.Matches(msg, k.Form):
		return m.forms.Open(), true
	case key.Matches(msg, k.Waiting):
		return m.inbox.Next(), true
	case key.Matches(msg, k.Link):
		return m.links.OpenWaiting(), true
	case key.Matches(msg, k.New):
		return m.outbox.Begin(m.cur.Agent), true
	case key.Matches(msg, k.Cancel):
		return m.tasks.CancelRunning(), true
	case key.Matches(msg, k.Card):
		return m.cards.Open(m.cur.Agent), true
	case key.Matches(msg, k.Tasks):
		return m.tasks.Open(), true
	case key.Matches(msg, k.Credentials):
		return m.signIn.Open(), true
	case key.Matches(msg, k.Lanes):
		return m.lanes.Open(), true
	case key.Matches(msg, k.Push):
		return m.webhooks.Open(), true
	case key.Matches(msg, k.Theme):
		return m.theme.Open(), true
	case key.Matches(msg, k.Mouse):
		return m.toggleMouse(), true
	case key.Matches(msg, k.ZoomAny), m.screen.zoom && m.screen.at == control.OnComposer && key.Matches(msg, k.Back):
		m.screen.zoom = !m.screen.zoom
	default:
		return nil, false
	}
	return nil, true
}

// letter handles the single letters that work outside text fields, and reports whether msg was
// one.
func (m *Model) letter(msg tea.KeyPressMsg) (tea.Cmd, bool) {
	k := &m.keys
	switch {
	case key.Matches(msg, k.Zoom):
		m.screen.zoom = !m.screen.zoom
	case key.Matches(msg, k.HelpAny):
		m.openHelp()
	case key.Matches(msg, k.Findings):
		return m.findings.Open(), true
	case key.Matches(msg, k.Left):
		m.moveBorder(-4)
	case key.Matches(msg, k.Right):
		m.moveBorder(4)
	case key.Matches(msg, k.Back):
		m.back()
	case key.Matches(msg, k.Leave):
		return m.leave(), true
	case key.Matches(msg, k.WriteAny):
		return m.write(), true
	default:
		return nil, false
	}
	return nil, true
}

// overlayKey passes a key to the overlay.
func (m *Model) overlayKey(msg tea.KeyPressMsg) tea.Cmd {
	if s := m.sheet(); s != nil {
		if writes(s, msg, m.keys.WriteAny) {
			return m.write()
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
	m.screen.over = sheet
	m.touch()
}

// closeOverlay closes the overlay.
func (m *Model) closeOverlay() {
	m.screen.over = noOverlay
	m.touch()
}
