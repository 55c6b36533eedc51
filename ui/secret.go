package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/control"
)

// hide makes what is being written a secret, or shows it again.
func (m *Model) hide() tea.Cmd {
	m.focusComposer()
	on := !m.panes.composer.Secret()
	m.panes.composer.Hide(on)
	return m.hidden(on)
}

// hidden says what becomes of what is being written.
func (m *Model) hidden(on bool) tea.Cmd {
	if on {
		return m.say("a secret: dots here, ••• in the conversation, on the wire and in what is recorded", false)
	}
	return m.say("no secret any more: it is sent, shown and recorded as it is", false)
}

// hiding lists what can be done to keep an answer to oneself.
func (m *Model) hiding() []control.Command {
	name := "Hide what is being written: a secret"
	if m.panes.composer.Secret() {
		name = "Show what is being written: no secret"
	}
	return []control.Command{{Key: m.panes.composer.HideKey(), Slash: "secret", Name: name, Why: m.refusal(), Do: m.hide}}
}
