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
)

// maxNotice is the longest part of a notice that an agent wrote, in cells.
const maxNotice = 60

// noticeWaiting reports the first of the tasks that is not on the screen.
func (c *Controller) noticeWaiting(began []*model.Task) tea.Cmd {
	i := slices.IndexFunc(began, c.elsewhere)
	if i < 0 {
		return nil
	}
	t := began[i]
	needs := "needs you"
	if t.Prompt != nil {
		needs = "asks: " + shorten(inbox.Beginning(t.Prompt))
	}
	return c.host.Say(c.who(t.Conversation)+" "+needs+" ("+c.o.Key.Help().Key+" goes there)", false)
}

// OnSignal reports that a turn failed in a conversation that is not on the screen.
func (c *Controller) OnSignal(sig *log.Signal) tea.Cmd {
	if sig == nil || sig.Kind != log.SignalTurnOver || sig.Conversation == 0 || c.host.Refusal() != "" {
		return nil
	}
	turn, conv := c.host.State().Turn(sig.Turn), c.host.State().Conversation(sig.Conversation)
	if turn != nil {
		conv = turn.Conversation
	}
	if conv == nil || conv.ID == c.host.Place().Conversation || conv.Agent.Closed {
		return nil
	}
	why := cmp.Or(sig.Sentence, failure(turn))
	if why == "" {
		return nil
	}
	c.failed = control.Place{Agent: conv.Agent.ID, Conversation: conv.ID}
	return c.host.Say(c.who(conv)+": "+strings.TrimSuffix(shorten(why), ".")+" ("+c.o.Key.Help().Key+" goes there)", true)
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
