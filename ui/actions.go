package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/control"
	"parley/ui/keys"
)

// goTo shows a place: its draft in the composer, its records in the wire pane.
func (m *Model) goTo(p control.Place) {
	if p == m.cur {
		return
	}
	m.outbox.Leave()
	m.pair.OnPlace(m.cur, p)
	m.cur = p
	m.visits.add(p)
	m.outbox.Enter()
	m.panes.composer.SetHistory(m.history.Of(p.Agent))
	m.panes.agents.SetAgents(m.state.Agents)
	m.panes.agents.SetShown(p.Agent, p.Conversation)
	m.panes.wire.SetView(p.Agent, p.Conversation)
	m.opts.Engine.SetShownAgent(p.Agent)
	m.touch()
}

// focusComposer moves the focus to the composer, which a recording does not have.
func (m *Model) focusComposer() {
	if !m.readOnly() {
		m.setFocus(control.OnComposer)
	}
}

func (m *Model) toggleMouse() tea.Cmd {
	m.screen.noMouse = !m.screen.noMouse
	if m.screen.noMouse {
		return m.say("the terminal has the mouse: select and copy; "+keys.Name(m.keys.Key(toggleMouse))+" returns it", false)
	}
	return m.say("Parley has the mouse again", false)
}
