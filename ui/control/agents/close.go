package agents

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/action"
	"parley/ui/agents"
	"parley/ui/control"
	"parley/ui/keys"
)

// A closed agent can be restored for the rest of the run.
type closed struct {
	at control.Place // the place on the screen if it was the agent's
}

// Closed returns the agents that can be restored, the newest last.
func (c *Controller) Closed() []a2a.AgentID {
	out := make([]a2a.AgentID, len(c.closed))
	for i, was := range c.closed {
		out[i] = was.at.Agent
	}
	return out
}

// close closes an agent that has no pending turn, and goes to the next one.
func (c *Controller) close(id a2a.AgentID) tea.Cmd {
	open, refusal := c.host.State().Agents, c.host.Refusal()
	at := slices.IndexFunc(open, func(a *model.Agent) bool { return a.ID == id })
	if at < 0 || refusal != "" {
		return c.host.Say(cmp.Or(refusal, "This agent is already closed."), true)
	}
	a := open[at]
	for _, conv := range a.Conversations {
		if slices.ContainsFunc(conv.Turns, func(t *model.Turn) bool { return t.Pending }) {
			return c.host.Say(a.Name()+" is working: cancel its task with "+keys.Name(c.host.Key(action.CancelTask))+" before you close it.", true)
		}
	}
	said := "closed " + a.Name()
	if slices.ContainsFunc(c.host.State().Waiting(), func(t *model.Task) bool { return t.Conversation.Agent == a }) {
		said += ", which still waits for an answer"
	}
	was := closed{at: control.Place{Agent: id}}
	if shown := c.host.Place(); shown.Agent == id {
		was.at = shown
		c.host.GoTo(c.beside(at))
	}
	c.setClosed(append(c.closed, was))
	c.host.Engine().Dismiss(id)
	undo := "/agent undo"
	if c.host.Focused() == control.OnAgents {
		undo = keys.Name(c.pane.Of(agents.ReopenAgent))
	}
	return c.host.Say(said+"; "+undo+" reopens it", false)
}

func (c *Controller) setClosed(list []closed) {
	c.closed = list
	c.pane.SetClosed(len(list))
}

// restore reopens the agent that was closed last, with its conversations and its draft.
func (c *Controller) restore() tea.Cmd {
	if why := c.host.Refusal(); why != "" {
		return c.host.Say(why, true)
	}
	n := len(c.closed)
	if n == 0 {
		return c.host.Say("No agent was closed in this run.", true)
	}
	was := c.closed[n-1]
	c.setClosed(c.closed[:n-1])
	c.host.Engine().Restore(was.at.Agent)
	c.host.GoTo(was.at)
	return c.host.Say(c.host.AgentName(was.at.Agent)+" is open again", false)
}

// beside returns the place to show when the agent at an index is closed: that of the agent
// below it, else of the one above, else none.
func (c *Controller) beside(at int) control.Place {
	switch open := c.host.State().Agents; {
	case at+1 < len(open):
		return c.host.LastPlace(open[at+1])
	case at > 0:
		return c.host.LastPlace(open[at-1])
	default:
		return control.Place{}
	}
}

// closeByName closes the open agent with a name, or the one on the screen if the name is empty.
func (c *Controller) closeByName(name string) tea.Cmd {
	if a := c.host.Agent(); name == "" && a != nil {
		return c.close(a.ID)
	}
	for _, a := range c.host.State().Agents {
		if strings.EqualFold(a.Name(), name) || a.Ref == name {
			return c.close(a.ID)
		}
	}
	return c.host.Say("No open agent has this name: type /agent close and a space to list them.", true)
}

// Discard closes an agent that was opened by mistake, and forgets it.
func (c *Controller) Discard(id a2a.AgentID) {
	delete(c.remember, id)
	delete(c.save, id)
	if c.host.Place().Agent == id {
		open := c.host.State().Agents
		if at := slices.IndexFunc(open, func(a *model.Agent) bool { return a.ID == id }); at >= 0 {
			c.host.GoTo(c.beside(at))
		}
	}
	c.host.Engine().Dismiss(id)
}
