package inbox

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/ui/canvas"
	"parley/ui/control"
	"parley/ui/inbox"
	"parley/ui/keys"
)

// maxNotice is the longest part of a notice that an agent wrote, in cells.
const maxNotice = 60

// noticeWaiting reports the first of the tasks that is not on the screen.
func (c *Controller) noticeWaiting(began []*model.Task) tea.Cmd {
	i := slices.IndexFunc(began, func(t *model.Task) bool { return !c.host.OnScreen(t.Conversation.ID) })
	if i < 0 {
		return nil
	}
	t := began[i]
	needs := "needs you"
	if t.Prompt != nil {
		needs = "asks: " + shorten(inbox.Beginning(t.Prompt))
	}
	return c.host.SayUntil(c.who(t.Conversation)+" "+needs+" ("+keys.Name(c.host.Key(GoToWaiting))+" goes there)", false, func() bool {
		return !t.Asks() || c.host.OnScreen(t.Conversation.ID)
	})
}

// OnSignal reports that a turn failed in a conversation that is not on the screen, and that the
// agent at work there cannot be reached.
func (c *Controller) OnSignal(sig *log.Signal) tea.Cmd {
	if sig == nil || c.host.Refusal() != "" {
		return nil
	}
	switch sig.Kind {
	case log.SignalWatch:
		return c.onAway(c.host.State().Agent(sig.Agent))
	case log.SignalTurnOver:
		return c.onTurnOver(sig)
	}
	return nil
}

func (c *Controller) onTurnOver(sig *log.Signal) tea.Cmd {
	if sig.Conversation == 0 {
		return nil
	}
	turn, conv := c.host.State().Turn(sig.Turn), c.host.State().Conversation(sig.Conversation)
	if turn != nil {
		conv = turn.Conversation
	}
	if conv == nil || conv.Agent.Closed {
		return nil
	}
	why := failure(turn)
	if sig.Sentence != "" {
		why = cmp.Or(problemOf(turn), sig.Sentence)
	}
	if why == "" {
		return nil
	}
	return c.noticeFailure(conv, ": "+strings.TrimSuffix(shorten(why), "."), nil)
}

// onAway reports the newest conversation with an agent that cannot be reached, if the agent is at
// work there.
func (c *Controller) onAway(a *model.Agent) tea.Cmd {
	if a == nil {
		return nil
	}
	for _, conv := range slices.Backward(a.Conversations) {
		if n := len(conv.Turns); n > 0 && conv.Turns[n-1].Pending {
			return c.noticeFailure(conv, " is not reachable: start it, or wait", func() bool { return !a.Away() })
		}
	}
	return nil
}

// noticeFailure reports what went wrong in a conversation that is not on the screen, until it is
// over or the conversation is on the screen.
func (c *Controller) noticeFailure(conv *model.Conversation, what string, over func() bool) tea.Cmd {
	onScreen := func() bool { return c.host.OnScreen(conv.ID) }
	if onScreen() {
		return nil
	}
	c.failed = control.Place{Agent: conv.Agent.ID, Conversation: conv.ID}
	c.said = c.who(conv) + what + " (" + keys.Name(c.host.Key(GoToWaiting)) + " goes there)"
	return c.host.SayUntil(c.said, true, func() bool { return onScreen() || over != nil && over() })
}

// problemOf returns the sentence with which a turn ends in its conversation, empty if it ends
// with none: it knows more than the signal, for example that the agent forgot the task.
func problemOf(t *model.Turn) string {
	if t == nil || len(t.Blocks) == 0 {
		return ""
	}
	entries := t.Blocks[len(t.Blocks)-1].Entries
	if len(entries) == 0 || entries[len(entries)-1].Problem == nil {
		return ""
	}
	return entries[len(entries)-1].Problem.Sentence
}

// failure says that a task of the turn failed, empty if none did.
func failure(t *model.Turn) string {
	if t == nil {
		return ""
	}
	for i := range t.Blocks {
		if task := t.Blocks[i].Task; task != nil && (task.State == a2a.StateFailed || task.State == a2a.StateRejected) {
			return "the task is " + task.State.String()
		}
	}
	return ""
}

// goToFailure shows the conversation of the newest failure, once.
func (c *Controller) goToFailure() tea.Cmd {
	at := c.failed
	c.failed = control.Place{}
	c.host.Close()
	c.host.GoTo(at)
	c.host.Focus(control.OnChat)
	return nil
}

// who names a conversation by its agent and its prompt.
func (c *Controller) who(conv *model.Conversation) string {
	name := canvas.Ellipsize(canvas.SanitizeLine(c.host.AgentName(conv.Agent.ID)), maxNotice/2, "...")
	if conv.Name() == "" {
		return name
	}
	return name + " (" + canvas.Ellipsize(canvas.SanitizeLine(conv.Name()), maxNotice/2, "...") + ")"
}

func shorten(text string) string {
	return canvas.EllipsizeWords(canvas.SanitizeLine(text), maxNotice, "...")
}
