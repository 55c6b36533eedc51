package tasks

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/control"
	"parley/ui/looks"
)

// CheckAuth starts or stops the auth poll of a task.
func (c *Controller) CheckAuth(agent a2a.AgentID, id string, on bool) tea.Cmd {
	switch t := c.host.State().Task(agent, id); {
	case control.Refusal(c.host) != "":
		return c.host.Say(control.Refusal(c.host), true)
	case t == nil:
		return nil
	case !on:
		c.host.Engine().StopAuthPoll(agent, id)
		return c.host.Say("Stopped checking task "+looks.ShortID(id)+"; /look checks it again", false)
	case unpollable(t) != "":
		return c.host.Say(unpollable(t), true)
	}
	c.host.Engine().StartAuthPoll(agent, id)
	return c.host.SayUntil("Checking task "+looks.ShortID(id)+" until it continues", false, func() bool {
		t := c.host.State().Task(agent, id)
		return t == nil || t.State != a2a.StateAuthRequired
	})
}

// unpollable says why a task cannot be polled, empty if it can.
func unpollable(t *model.Task) string {
	d, known := t.Conversation.Agent.Profile.Spoken()
	switch {
	case t.Forgotten:
		return "The agent no longer knows task " + looks.ShortID(t.ID) + "."
	case known && !d.Supports(a2a.OpGet):
		return "This agent cannot return a task: only its own messages show its state."
	}
	return ""
}

// OnAuthPollOver reports how an auth poll ended.
func (c *Controller) OnAuthPollOver(s *log.Signal) tea.Cmd {
	if s.Sentence != "" {
		return c.host.Say(s.Sentence, true)
	}
	t := c.host.State().Task(s.Agent, s.TaskID)
	if s.Class != log.AuthPollContinued || t == nil {
		return nil
	}
	return c.host.Say(c.host.AgentName(s.Agent)+" continues task "+looks.ShortID(t.ID)+": "+canvas.SanitizeLine(t.StateWord()), false)
}

// authPollAction returns the action that starts or stops the auth poll of the conversation.
func (c *Controller) authPollAction() action.Action[tea.Cmd] {
	none := func() string {
		if t := c.authRequired(); t != nil {
			return unpollable(t)
		}
		return "no task here waits for credentials"
	}
	name := func() string {
		if t := c.authRequired(); t != nil && t.AuthPoll != nil && control.Refusal(c.host) == "" {
			return "Stop checking task " + looks.ShortID(t.ID)
		}
		return "Check a task that waits for credentials"
	}
	return action.Action[tea.Cmd]{
		Row: action.Row{Slash: "look", Named: name, Now: action.Unless(control.Refused(c.host), none)},
		Run: func() tea.Cmd {
			if t := c.authRequired(); t != nil {
				return c.CheckAuth(t.Conversation.Agent.ID, t.ID, t.AuthPoll == nil)
			}
			return nil
		},
	}
}

// authRequired returns the newest task of the conversation on the screen that waits for
// credentials, nil if there is none.
func (c *Controller) authRequired() *model.Task {
	conv := c.host.Conversation()
	if conv == nil {
		return nil
	}
	for _, t := range slices.Backward(conv.Tasks) {
		if t.State == a2a.StateAuthRequired && !t.Forgotten {
			return t
		}
	}
	return nil
}
