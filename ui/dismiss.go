package ui

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/control"
)

// dismiss closes an agent that has nothing under way, and goes to the next one.
func (m *Model) dismiss(id a2a.AgentID) tea.Cmd {
	at := slices.IndexFunc(m.state.Agents, func(a *model.Agent) bool { return a.ID == id })
	if at < 0 || m.readOnly() {
		return m.say(cmp.Or(m.refusal(), "This agent is closed already."), true)
	}
	a := m.state.Agents[at]
	for _, c := range a.Conversations {
		if slices.ContainsFunc(c.Turns, func(t *model.Turn) bool { return t.Pending }) {
			return m.say(a.Name()+" is at work: ctrl+x cancels its task, then it can be closed.", true)
		}
	}
	said := "closed " + a.Name()
	if slices.ContainsFunc(m.state.Waiting(), func(t *model.Task) bool { return t.Conversation.Agent == a }) {
		said += ", which still waits for an answer"
	}
	was := closed{at: control.Place{Agent: id}}
	if m.cur.Agent == id {
		was.at = m.cur
		m.goTo(m.beside(at))
	}
	m.closed = append(m.closed, was)
	m.panes.agents.SetClosed(len(m.closed))
	m.opts.Engine.Dismiss(id)
	undo := "/agent undo"
	if m.screen.at == control.OnAgents {
		undo = "u"
	}
	return m.say(said+"; "+undo+" brings it back", false)
}

// A closed agent is one that can be brought back for the rest of the run.
type closed struct {
	at control.Place // that was on the screen if it was the agent's
}

// closedAgents returns the agents that were closed in this run, the newest last.
func (m *Model) closedAgents() []a2a.AgentID {
	out := make([]a2a.AgentID, 0, len(m.closed))
	for _, c := range m.closed {
		out = append(out, c.at.Agent)
	}
	return out
}

// undismiss brings back the agent that was closed last: its conversations were only out of
// sight, and so was what was being written there.
func (m *Model) undismiss() tea.Cmd {
	if why := m.refusal(); why != "" {
		return m.say(why, true)
	}
	n := len(m.closed)
	if n == 0 {
		return m.say("No agent was closed in this run.", true)
	}
	was := m.closed[n-1]
	m.closed = m.closed[:n-1]
	m.panes.agents.SetClosed(len(m.closed))
	m.opts.Engine.Restore(was.at.Agent)
	m.goTo(was.at)
	return m.say(m.agentName(was.at.Agent)+" is open again", false)
}

// beside is the place of the agent that is shown when one is closed: the one below it,
// else the one above, else none.
func (m *Model) beside(at int) control.Place {
	switch list := m.state.Agents; {
	case at+1 < len(list):
		return m.newestOf(list[at+1])
	case at > 0:
		return m.newestOf(list[at-1])
	default:
		return control.Place{}
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
