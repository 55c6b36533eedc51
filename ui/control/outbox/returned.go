package outbox

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/session/model"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/control/target"
)

// A message that comes back is sent again to where it went, unless the user chooses
// otherwise: it would be another message without the tasks that it refers to.

// OnRefused brings a message that was not accepted back into the composer, and says which
// key sends it again: nothing else does. t is nil if none was refused.
func (c *Controller) OnRefused(t *model.Turn) tea.Cmd {
	if t == nil || t.Message == nil {
		return nil
	}
	was, ok := c.sent[t.ID]
	d := was.draft
	if !ok {
		d, was.to = composer.DraftOf(t.Message), t.Target
	}
	at := control.Place{Agent: t.Target.Agent, Conversation: t.Target.Conversation}
	switch {
	case was.queued: // it keeps its place before those that wait
		was.again = true
		c.sent[t.ID] = was
	case at == c.host.Place():
		if c.composer.Restore(d) && c.host.Refusal() == "" {
			c.markReturned(at, was.to)
			return c.host.Say("the message is restored: enter sends it again", false)
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

// markReturned notes where the message went that is now in the draft of a place.
func (c *Controller) markReturned(at control.Place, to model.Target) {
	to.Agent, to.Conversation = at.Agent, at.Conversation
	c.returned[at] = to
	if at == c.host.Place() {
		c.aim.fixed = false
	}
}

// addReturned returns the choice to which the message on the screen went before, once and
// if that is still open, else -1. What the message refers to is among the choices for as
// long as it is there.
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
