package ui

import (
	"slices"
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/action"
	"parley/ui/control"
	"parley/ui/control/inbox"
	"parley/ui/keys"
)

// presses is what earlier keys mean for the next one.
type presses struct {
	prefix bool // the next key is pressed with alt
	// chosen says that the user moved the focus to the pane that has it. Otherwise a letter may
	// be meant as text, so one that acts has to be pressed twice.
	chosen bool
	asked  string // the letter that was pressed once
}

// withAlt returns a key as it is with alt.
func withAlt(msg tea.KeyPressMsg) tea.KeyPressMsg {
	if msg.Text != "" {
		r, _ := utf8.DecodeRuneInString(msg.Text)
		return tea.KeyPressMsg{Code: r, Mod: tea.ModAlt}
	}
	msg.Mod |= tea.ModAlt
	return msg
}

// prefixed handles the key after the one that stands for alt: it is pressed with alt, unless it is one
// of those that only end that. It reports whether the key has had its effect.
func (p *presses) prefixed(msg tea.KeyPressMsg, end ...key.Binding) (tea.KeyPressMsg, bool) {
	if !p.prefix {
		return msg, false
	}
	p.prefix = false
	if key.Matches(msg, end...) {
		return msg, true
	}
	return withAlt(msg), false
}

// altKeys returns the keys that can follow the one that stands for alt.
func (m *Model) altKeys() (out []key.Binding) {
	groups := m.paneKeys()
	if s := m.sheet(); s != nil {
		if groups = s.Keys(); edits(s) {
			groups = append(groups, m.st.Editing.Help()...)
		}
	}
	out = append(out, action.Label(keys.Name(m.keys.Key(goBack)), "cancel"))
	for _, b := range slices.Concat(append(m.keys.everywhere.FullHelp(), groups...)...) {
		i := slices.IndexFunc(b.Keys(), func(name string) bool { return strings.HasPrefix(name, "alt+") })
		if i >= 0 && b.Enabled() {
			out = append(out, action.Label(strings.TrimPrefix(b.Keys()[i], "alt+"), b.Help().Desc))
		}
	}
	return out
}

// paneKeys returns the keys of the pane with the focus.
func (m *Model) paneKeys() [][]key.Binding {
	switch m.screen.at {
	case control.OnChat:
		return m.panes.chat.FullHelp()
	case control.OnWire:
		return m.panes.wire.FullHelp()
	case control.OnAgents:
		return m.panes.agents.FullHelp()
	case control.OnPlayer:
		return m.panes.player.FullHelp()
	default:
		return append(m.panes.composer.FullHelp(), m.st.Editing.Help()[:1]...)
	}
}

// write closes what lies over the panes and moves the focus to the text field.
func (m *Model) write() tea.Cmd {
	if m.readOnly() {
		return m.say(m.refusal(), true)
	}
	var cmds []tea.Cmd
	const most = 3 // a sheet closes an open input first
	for i := 0; i < most && m.screen.over != noOverlay; i++ {
		cmds = append(cmds, m.overlayKey(tea.KeyPressMsg{Code: tea.KeyEscape}))
	}
	m.closeOverlay()
	m.focusComposer()
	return tea.Batch(cmds...)
}

// beyond runs one of the letters that work outside text fields also over a sheet, unless the sheet uses
// the letter or takes text: the one that shows the help, and the one that writes a message, except
// over a menu. A page closes for a task that waits for the user. It reports whether the key was one.
func (r rootActions) beyond(s *control.Sheet, msg tea.KeyPressMsg) (cmd tea.Cmd, done bool) {
	outside := r.m.keys.outside
	types := s.AlwaysTypes() || s.Typing != nil && s.Typing()
	uses := func(b key.Binding) bool { return key.Matches(msg, b) }
	if types || slices.ContainsFunc(slices.Concat(s.Keys()...), uses) {
		return nil, false
	}
	if s.Page && len(r.m.state.Waiting()) > 0 && uses(r.m.keys.Key(inbox.GoToWaiting)) {
		r.m.closeOverlay()
		return r.m.keys.everywhere.Do(inbox.GoToWaiting), true
	}
	for _, id := range []action.ID{showHelp, writeMessage} {
		if menu := s.Help == ""; key.Matches(msg, outside.Of(id)) && !(menu && id == writeMessage) {
			return outside.Do(id), true
		}
	}
	return nil, false
}

// seen notes a key that shows that the user works in the pane with the focus: an arrow, or enter, also
// in an input of the pane. Others have the key.
func (m *Model) seen(msg tea.KeyPressMsg) (tea.Cmd, bool) {
	if msg.Text == "" && !key.Matches(msg, m.keys.Key(goBack)) {
		m.presses.chosen = true
	}
	return nil, false
}

// holdBack asks for a second press of a letter that sends, cancels or opens an editor, unless
// the user chose the pane: the letter may be meant as text. It reports whether it did.
func (m *Model) holdBack(msg tea.KeyPressMsg) (tea.Cmd, bool) {
	p := &m.presses
	again := p.asked == msg.Text
	p.asked = ""
	if p.chosen || msg.Text == "" || m.readOnly() {
		return nil, false
	}
	for _, t := range m.keys.underCursor(m.screen.at) {
		b, asks := t.Asks(msg)
		if !asks {
			continue
		}
		if again {
			p.chosen = true
			return nil, false
		}
		p.asked = msg.Text
		return m.sayUntil("press "+b.Help().Key+" again to "+b.Help().Desc+"; "+keys.Name(m.keys.outside.Of(writeMessage))+" writes a message", false, func() bool { return p.asked == "" }), true
	}
	return nil, false
}
