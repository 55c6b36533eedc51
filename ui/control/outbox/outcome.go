package outbox

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/model"
	"parley/ui/canvas"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/keys"
)

// waitReason says why a message queued before a turn ended is not sent without asking, empty if it is.
func waitReason(t *model.Turn) string {
	if t == nil || taskForgotten(t) {
		return ""
	}
	o, _ := t.Outcome()
	return o.Holds()
}

// taskForgotten reports whether the agent no longer knows the newest task of a turn, so that
// there is nothing left to wait for. It is false after a cancel, after which the user decides.
func taskForgotten(t *model.Turn) bool {
	if t == nil {
		return false
	}
	for _, b := range slices.Backward(t.Blocks) {
		if b.Task != nil {
			return b.Task.Forgotten && b.Task.LastRequest.Op != a2a.OpCancel
		}
	}
	return false
}

// askFirst asks the agent about the newest turn of a conversation if the agent may work on its message
// without anybody knowing, once. The message that the user wants to send stays in the composer meanwhile.
func (c *Controller) askFirst(in composer.Send) (cmd tea.Cmd, asked bool) {
	conv := c.host.State().Conversation(in.Target.Conversation)
	if conv == nil || len(conv.Turns) == 0 || control.Refusal(c.host) != "" {
		return nil, false
	}
	t := conv.Turns[len(conv.Turns)-1]
	if o, over := t.Outcome(); !over || !o.Doubtful() || t.Message == nil || c.asked[t.ID] {
		return nil, false
	}
	c.asked[t.ID] = true
	c.composer.Restore(in.Draft)
	again := keys.Name(c.composer.Keys().Send) + " sends this message"
	doubt := "The agent may have taken the message before. "
	d, known := conv.Agent.Profile.Spoken()
	switch task := newestTask(t); {
	case task != nil:
		c.host.Engine().Get(conv.Agent.ID, task.ID, conv.ID, nil)
		return c.host.Say(doubt+"Parley asks for task "+units.ID(canvas.SanitizeLine(task.ID))+" first; "+again, false), true
	case known && d.Supports(a2a.OpList):
		c.host.Engine().List(conv.Agent.ID, a2a.ListFilter{ContextID: conv.ContextID, PageSize: 10}, nil)
		return c.host.Say(doubt+"Parley asks for the agent's tasks first; "+again, false), true
	}
	return c.host.Say(doubt+"A2A "+conv.Agent.Profile.Dialect.Number()+" cannot ask the agent about it: "+again, false), true
}
