package outbox

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/internal/units"
	"parley/ui/composer"
	"parley/ui/control"
)

// QueueCommands are about what waits to be sent.
func (c *Controller) QueueCommands() []control.Command {
	none, early := "nothing is queued here", ""
	here := c.host.Place()
	if q := c.queues[here]; q != nil && len(q.waiting) > 0 {
		if none = ""; c.engaged(here) {
			early = "the agent is at work: what is queued goes when it is done"
		}
	}
	return []control.Command{
		{Slash: "resume", Name: "Send what is queued", Why: cmp.Or(none, early), Do: c.resume},
		{Slash: "unqueue", Name: "Edit the message that was queued last", Why: none, Do: c.unqueueLast},
		{Slash: "drop", Name: "Drop what is queued", Why: none, Do: c.dropQueue},
	}
}

// resume sends what is held.
func (c *Controller) resume() tea.Cmd {
	here := c.host.Place()
	q := c.queues[here]
	if q == nil || len(q.waiting) == 0 {
		return c.sayNothingQueued()
	}
	if c.engaged(here) {
		return c.host.Say("The agent is at work: what is queued goes when it is done.", true)
	}
	q.held, q.gap = "", -1
	cmd := c.advance(here)
	if q.held != "" {
		return c.host.Say(q.held, true)
	}
	return cmd
}

// unqueue brings a message that waits back into the composer, or drops it: the history
// has it since it was written.
func (c *Controller) unqueue(in composer.Unqueue) tea.Cmd {
	here := c.host.Place()
	q := c.queues[here]
	if q == nil || in.Index < 0 || in.Index >= len(q.waiting) {
		return c.sayNothingQueued()
	}
	if !in.Drop && !c.composer.Empty() {
		return c.host.Say("Something is written already: send or clear it before a queued message is edited.", true)
	}
	d := q.waiting[in.Index]
	q.waiting = slices.Delete(q.waiting, in.Index, in.Index+1)
	c.host.Touch()
	if !in.Drop {
		q.gap = in.Index
		c.composer.SetDraft(composer.Written(d))
		return nil
	}
	if len(q.waiting) == 0 {
		delete(c.queues, here)
	}
	if d.Confidential() {
		return c.host.Say("dropped, and kept nowhere", false)
	}
	return c.host.Say("dropped; up brings it back", false)
}

// unqueueLast brings back what was queued last.
func (c *Controller) unqueueLast() tea.Cmd {
	c.host.Focus(control.OnComposer)
	last := -1
	if q := c.queues[c.host.Place()]; q != nil {
		last = len(q.waiting) - 1
	}
	return c.unqueue(composer.Unqueue{Index: last})
}

// dropQueue drops what waits.
func (c *Controller) dropQueue() tea.Cmd {
	here := c.host.Place()
	q := c.queues[here]
	if q == nil {
		return c.sayNothingQueued()
	}
	delete(c.queues, here)
	c.host.Touch()
	return c.host.Say(units.Plural(len(q.waiting), "queued message")+" dropped; up brings them back", false)
}

func (c *Controller) sayNothingQueued() tea.Cmd {
	return c.host.Say("Nothing is queued here.", true)
}
