package tasks

import (
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/ui/control"
	"parley/ui/looks"
	"parley/ui/tasks"
)

// request asks an agent what the list of tasks wants to know.
func (c *Controller) request(in tasks.Intent) tea.Cmd {
	if why := control.Refusal(c.host); why != "" {
		return c.host.Say(why, true)
	}
	e := c.host.Engine()
	switch in := in.(type) {
	case tasks.Get:
		turn := e.Get(in.Ref.Agent, in.Ref.ID, c.conversationOf(in.Ref), in.History)
		return c.sayAsked(in.Ref, turn)
	case tasks.Cancel:
		return c.cancel(in.Ref)
	case tasks.Subscribe:
		return c.subscribe(in.Ref)
	case tasks.Poll:
		e.Await(in.Ref.Agent, in.Ref.ID, c.conversationOf(in.Ref), nil)
		return c.sayPolled(in.Ref)
	case tasks.List:
		for _, id := range in.Agents {
			e.List(id, in.Filter, nil)
		}
	}
	return nil
}

// conversationOf returns the conversation for a request about a task: its own, else that of its
// context, else a new one.
func (c *Controller) conversationOf(ref tasks.Ref) a2a.ConversationID {
	if t := c.host.State().Task(ref.Agent, ref.ID); t != nil {
		return t.Conversation.ID
	}
	if a := c.host.State().Agent(ref.Agent); a != nil && ref.ContextID != "" {
		for _, conv := range a.Conversations {
			if conv.ContextID == ref.ContextID {
				return conv.ID
			}
		}
	}
	return c.host.Engine().NewConversation(ref.Agent)
}

// get asks for a task and goes where it will be shown.
func (c *Controller) get(ref tasks.Ref, history *int) tea.Cmd {
	if why := control.Refusal(c.host); why != "" {
		return c.host.Say(why, true)
	}
	conv := c.conversationOf(ref)
	turn := c.host.Engine().Get(ref.Agent, ref.ID, conv, history)
	c.goTo(ref.Agent, conv)
	return c.sayAsked(ref, turn)
}

func (c *Controller) sayAsked(ref tasks.Ref, turn a2a.TurnID) tea.Cmd {
	return c.host.SayUntil("asked "+c.host.AgentName(ref.Agent)+" for task "+looks.ShortID(ref.ID), false, control.TurnOver(c.host.State(), turn))
}

// subscribe listens to a task and goes where it is shown.
func (c *Controller) subscribe(ref tasks.Ref) tea.Cmd {
	if why := control.Refusal(c.host); why != "" {
		return c.host.Say(why, true)
	}
	conv := c.conversationOf(ref)
	turn := c.host.Engine().Subscribe(ref.Agent, ref.ID, conv, true)
	fresh := c.host.State().Turn(turn) == nil
	c.goTo(ref.Agent, conv)
	return c.host.SayUntil("subscribing to task "+looks.ShortID(ref.ID)+" of "+c.host.AgentName(ref.Agent), false, func() bool {
		t := c.host.State().Turn(turn)
		return fresh && t != nil && (!t.Pending || len(t.Blocks) > 0)
	})
}

// poll asks for a task until it is over and goes where it is shown.
func (c *Controller) poll(ref tasks.Ref) tea.Cmd {
	if why := control.Refusal(c.host); why != "" {
		return c.host.Say(why, true)
	}
	conv := c.conversationOf(ref)
	c.host.Engine().Await(ref.Agent, ref.ID, conv, nil)
	c.goTo(ref.Agent, conv)
	return c.sayPolled(ref)
}

func (c *Controller) sayPolled(ref tasks.Ref) tea.Cmd {
	return c.host.SayUntil("polling task "+looks.ShortID(ref.ID)+" until it is over or waits for you", false, func() bool {
		t := c.host.State().Task(ref.Agent, ref.ID)
		return t != nil && (t.Over() || t.Waits())
	})
}

// StopPoll stops the poll of a task.
func (c *Controller) StopPoll(turn a2a.TurnID) tea.Cmd {
	c.host.Engine().Stop(turn)
	return c.host.Say("stopped polling the task; the agent may still be working", false)
}

func (c *Controller) goTo(agent a2a.AgentID, conv a2a.ConversationID) {
	c.host.Close()
	c.host.GoTo(control.Place{Agent: agent, Conversation: conv})
	c.host.Focus(control.OnComposer)
}
