package ui

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/control"
	"parley/ui/looks"
)

// goTo shows a place: its draft in the composer, its records in the wire pane.
func (m *Model) goTo(p control.Place) {
	if p == m.cur {
		return
	}
	m.outbox.Leave()
	m.cur = p
	m.outbox.Enter()
	m.panes.composer.SetHistory(m.history.Of(p.Agent))
	m.panes.agents.SetAgents(m.state.Agents)
	m.panes.agents.SetShown(p.Agent, p.Conversation)
	m.opts.Engine.SetShownAgent(p.Agent)
	m.touch()
}

func (m *Model) newConversation(id a2a.AgentID) {
	m.goTo(control.Place{Agent: id})
	m.focusComposer()
}

// focusComposer gives the keys to the composer, which a recording does not have.
func (m *Model) focusComposer() {
	if !m.readOnly() {
		m.setFocus(control.OnComposer)
	}
}

// cancelTask asks the agent to cancel the newest task that runs in the
// conversation on the screen.
func (m *Model) cancelTask() tea.Cmd {
	conv := m.conversation()
	if m.readOnly() || conv == nil {
		return m.say("There is no task here to cancel.", true)
	}
	if t := m.unnamed(conv); t != nil {
		m.opts.Engine.Stop(t.ID)
		return m.say("stopped waiting; the agent was not told, because it has named no task", false)
	}
	for _, t := range slices.Backward(conv.Tasks) {
		switch {
		case !endable(t):
		case t.LastRequest.Open && t.LastRequest.Op == a2a.OpCancel: // and is not answered
			m.stopWaiting(conv)
			return m.say("stopped waiting for an answer about task "+shortID(t.ID)+", which may go on at the agent", false)
		default:
			m.opts.Engine.Cancel(m.cur.Agent, t.ID, conv.ID)
			return m.say("asked "+m.agentName(m.cur.Agent)+" to cancel task "+shortID(t.ID)+"; "+m.keys.Cancel.Help().Key+" again stops waiting for that", false)
		}
	}
	if m.stopWaiting(conv) {
		return m.say("stopped waiting; the agent was not told, because it has named no task", false)
	}
	return m.say("Nothing runs here: every task has ended.", true)
}

// unnamed is the newest turn of a conversation if it has brought nothing yet and is not
// about a task: to cancel another one would not end it. It is nil if that is not so.
func (m *Model) unnamed(conv *model.Conversation) *model.Turn {
	if len(conv.Turns) == 0 {
		return nil
	}
	t := conv.Turns[len(conv.Turns)-1]
	if !t.Pending || len(t.Blocks) > 0 || m.state.Task(t.Target.Agent, t.Target.TaskID) != nil {
		return nil
	}
	return t
}

// stopWaiting ends what is under way in a conversation on this side, and reports whether
// anything was.
func (m *Model) stopWaiting(conv *model.Conversation) (any bool) {
	for _, t := range conv.Turns {
		if t.Pending {
			m.opts.Engine.Stop(t.ID)
			any = true
		}
	}
	return any
}

// endable reports whether an agent can be asked to end a task.
func endable(t *model.Task) bool { return !t.Over() }

// wayOut is the key that ends what is under way in the conversation on the screen; it is
// disabled if nothing is, and in the list of all conversations.
func (m *Model) wayOut() key.Binding {
	conv, k := m.conversation(), m.keys.Cancel
	if m.readOnly() || conv == nil || m.screen.at == control.OnAgents {
		k.SetEnabled(false)
		return k
	}
	switch turn, task := m.outbox.Underway(conv); {
	case task:
	case turn:
		k.SetHelp(k.Help().Key, "stop waiting") // the agent has named no task
	default:
		k.SetEnabled(false)
	}
	return k
}

// openRef opens another agent and goes there.
func (m *Model) openRef(ref string) tea.Cmd {
	if why := m.refusal(); why != "" {
		return m.say(why, true)
	}
	if a := m.openAs(ref); a != nil {
		return m.toPlace(m.newestOf(a))()
	}
	id := m.opts.Engine.Open(ref)
	m.kept.opened(id, false)
	m.newConversation(id)
	return m.say("looking for "+looks.Reference(ref), false)
}

func (m *Model) openCard(id a2a.AgentID) tea.Cmd {
	a := m.state.Agent(id)
	if a == nil {
		return m.say(control.NoAgent, true)
	}
	if id != m.cur.Agent {
		m.goTo(control.Place{Agent: id})
	}
	m.panes.card.SetAgent(a)
	m.show(overCard)
	return nil
}

func (m *Model) toggleMouse() tea.Cmd {
	m.screen.noMouse = !m.screen.noMouse
	if m.screen.noMouse {
		return m.say("the mouse is the terminal's: select and copy; alt+m takes it back", false)
	}
	return m.say("the mouse is Parley's again", false)
}
