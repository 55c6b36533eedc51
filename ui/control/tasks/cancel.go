package tasks

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/action"
	"parley/ui/control"
	"parley/ui/keys"
	"parley/ui/looks"
	"parley/ui/tasks"
)

// CancelRunning cancels the newest running task of the conversation on the screen.
func (c *Controller) CancelRunning() tea.Cmd {
	conv := c.host.Conversation()
	if control.Refusal(c.host) != "" || conv == nil {
		return c.host.Say("There is no task here to cancel.", true)
	}
	if t := c.turnWithoutTask(conv); t != nil {
		c.host.Engine().Stop(t.ID)
		return c.host.Say("stopped waiting; the agent does not know, because it has named no task", false)
	}
	for _, t := range slices.Backward(conv.Tasks) {
		switch {
		case t.Over():
		case t.LastRequest.Open && t.LastRequest.Op == a2a.OpCancel: // which has no answer yet
			c.stopWaiting(conv)
			return c.host.Say("stopped waiting for an answer about task "+looks.ShortID(t.ID)+"; the agent may continue it", false)
		default:
			agent := c.host.Place().Agent
			answered := c.answered(tasks.Ref{Agent: agent, ID: t.ID})
			c.host.Engine().Cancel(agent, t.ID, conv.ID)
			return c.host.SayUntil("asked "+c.host.AgentName(agent)+" to cancel task "+looks.ShortID(t.ID)+"; "+keys.Name(c.host.Key(action.CancelTask))+" again stops waiting", false, answered)
		}
	}
	if c.stopWaiting(conv) {
		return c.host.Say("stopped waiting; the agent does not know, because it has named no task", false)
	}
	return c.host.Say("Nothing is running here: every task has ended.", true)
}

// cancel asks an agent to cancel any of its tasks.
func (c *Controller) cancel(ref tasks.Ref) tea.Cmd {
	answered := c.answered(ref)
	c.host.Engine().Cancel(ref.Agent, ref.ID, c.conversationOf(ref))
	return c.host.SayUntil("asked "+c.host.AgentName(ref.Agent)+" to cancel task "+looks.ShortID(ref.ID), false, answered)
}

// answered returns a function that reports whether a request about a task, which is about to be
// sent, was answered.
func (c *Controller) answered(ref tasks.Ref) func() bool {
	sent, over := a2a.RecordID(c.host.State().Log.Len()), c.isOver(ref)
	return func() bool {
		t := c.host.State().Task(ref.Agent, ref.ID)
		return t != nil && (!over && t.Over() || t.LastRequest.Record > sent && !t.LastRequest.Open)
	}
}

// isOver reports whether a task is known to be over.
func (c *Controller) isOver(ref tasks.Ref) bool {
	t := c.host.State().Task(ref.Agent, ref.ID)
	return t != nil && t.Over()
}

// turnWithoutTask returns the newest turn of a conversation if it is pending without an answer and not
// about a task, else nil: to cancel another task would not end it.
func (c *Controller) turnWithoutTask(conv *model.Conversation) *model.Turn {
	if len(conv.Turns) == 0 {
		return nil
	}
	t := conv.Turns[len(conv.Turns)-1]
	if !t.Pending || len(t.Blocks) > 0 || c.host.State().Task(t.Target.Agent, t.Target.TaskID) != nil {
		return nil
	}
	return t
}

// stopWaiting stops the pending turns of a conversation on this side, and reports whether there
// were any.
func (c *Controller) stopWaiting(conv *model.Conversation) (any bool) {
	for _, t := range conv.Turns {
		if t.Pending {
			c.host.Engine().Stop(t.ID)
			any = true
		}
	}
	return any
}

// Cancels returns the action that cancels the running task on the screen, which works everywhere. The
// footer does not name it if nothing runs, and in the pane of agents.
func (c *Controller) Cancels() []action.Action[tea.Cmd] {
	return []action.Action[tea.Cmd]{{
		Row: action.Row{
			ID: action.CancelTask, Keys: []string{"ctrl+x"}, Does: "cancel task", Now: c.canCancel,
			Slash: "cancel", Takes: "[ID]", Name: "Cancel the running task, or another one", Also: []string{"stop", "abort"},
		},
		Run: c.CancelRunning, With: c.cancelByID, Offers: c.offers,
	}}
}

// canCancel returns how the action stands that cancels the running task.
func (c *Controller) canCancel() action.State {
	s, conv := action.State{Why: control.Refusal(c.host)}, c.host.Conversation()
	if s.Why != "" || conv == nil || c.host.Focused() == control.OnAgents {
		s.Idle = true
		return s
	}
	switch turn, task := c.o.Underway(conv); {
	case task:
	case turn:
		s.Does = "stop waiting" // the agent has named no task
	default:
		s.Idle = true
	}
	return s
}
