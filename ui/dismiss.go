package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session"
)

// A Dismisser engine closes agents.
type Dismisser interface{ Dismiss(agent a2a.AgentID) }

// dismiss closes an agent that has nothing under way, and goes to the next one.
func (m *Model) dismiss(id a2a.AgentID) tea.Cmd {
	engine, ok := m.opts.Engine.(Dismisser)
	at := slices.IndexFunc(m.state.Agents, func(a *session.Agent) bool { return a.ID == id })
	if !ok || at < 0 {
		return m.say(recorded, true)
	}
	a := m.state.Agents[at]
	for _, c := range a.Conversations {
		if slices.ContainsFunc(c.Turns, func(t *session.Turn) bool { return t.Pending }) {
			return m.say(a.Name()+" is at work: ctrl+x cancels its task, then it can be closed.", true)
		}
	}
	said := "closed " + a.Name()
	if slices.ContainsFunc(m.state.Waiting(), func(t *session.Task) bool { return t.Conversation.Agent == a }) {
		said += ", which still waits for an answer"
	}
	if m.cur.agent == id {
		m.goTo(m.beside(at))
	}
	engine.Dismiss(id)
	return m.say(said, false)
}

// beside is the place of the agent that is shown when one is closed: the one below it,
// else the one above, else none.
func (m *Model) beside(at int) place {
	switch list := m.state.Agents; {
	case at+1 < len(list):
		return m.newestOf(list[at+1])
	case at > 0:
		return m.newestOf(list[at-1])
	default:
		return place{}
	}
}

// dismissNamed closes the open agent of a name, or the one on the screen.
func (m *Model) dismissNamed(name string) tea.Cmd {
	if a := m.agent(); name == "" && a != nil {
		return m.dismiss(a.ID)
	}
	for _, a := range m.state.Agents {
		if strings.EqualFold(a.Name(), name) || a.Ref == name {
			return m.dismiss(a.ID)
		}
	}
	return m.say("No open agent is called so: /agent close and tab lists them.", true)
}
