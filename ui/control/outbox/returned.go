package outbox

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/session/model"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/control/target"
	"parley/ui/keys"
)

// A message that came back is sent to its earlier target again, unless the user chooses
// another: without the tasks that it refers to it would be another message.

// OnOver restores the message of a turn that is over into the composer if nothing was started, and
// reports it; only the user sends it again. t is nil if none is over.
func (c *Controller) OnOver(t *model.Turn) tea.Cmd {
	if t == nil || t.Message == nil || c.host.Refusal() != "" {
		return nil
	}
	if o, over := t.Outcome(); !over || !o.Returns() {
		return nil
	}
	was, ok := c.sent[t.ID]
	d := was.draft
	if !ok {
		d, was.to = composer.DraftOf(t.Message), t.Target
	}
	at := control.Place{Agent: t.Target.Agent, Conversation: t.Target.Conversation}
	switch {
	case was.queued: // it returns to the front of the queue
		was.again = true
		c.sent[t.ID] = was
	case at == c.host.Place():
		if c.composer.Restore(d) {
			c.markReturned(at, was.to)
			return c.host.SayUntil("the message is restored: "+keys.Name(c.composer.Of(composer.SendMessage))+" sends it again", false, c.host.Covered)
		}
	default:
		if _, other := c.drafts[at]; !other {
			c.keep(at, d)
			c.markReturned(at, was.to)
		}
	}
	return nil
}

// Returned reports whether the message in the composer is one that came back.
func (c *Controller) Returned() bool {
	_, ok := c.returned[c.host.Place()]
	return ok
}

// markReturned notes the earlier target of the message that is now the draft of a place.
func (c *Controller) markReturned(at control.Place, to model.Target) {
	to.Agent, to.Conversation = at.Agent, at.Conversation
	c.returned[at] = to
	if at == c.host.Place() {
		c.aim.fixed = false
	}
}

// addReturned returns the index of the earlier target of the message on the screen, -1 if the
// user chose another or it is no longer possible. It adds a choice for the tasks that the
// message refers to.
func (c *Controller) addReturned(choices []composer.TargetChoice) (all []composer.TargetChoice, again int) {
	here := c.host.Place()
	to, ok := c.returned[here]
	if !ok {
		return choices, -1
	}
	if c.composer.Empty() {
		delete(c.returned, here)
		return choices, -1
	}
	i := target.Index(choices, to)
	if i < 0 && to.TaskID == "" && len(to.References) > 0 {
		i, choices = 0, slices.Insert(choices, 0, target.Referring(c.host.State().Agent(to.Agent), to))
	}
	if i < 0 || c.aim.fixed || choices[i].Why != "" {
		return choices, -1
	}
	return choices, i
}
