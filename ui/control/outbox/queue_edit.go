package outbox

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/internal/units"
	"parley/ui/action"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/keys"
)

// QueueActions returns the actions on the queue.
func (c *Controller) QueueActions() []action.Action[tea.Cmd] {
	none := action.If("the queue is empty", func() bool { q := c.queues[c.host.Place()]; return q == nil || len(q.waiting) == 0 })
	early := action.If("the agent is working: queued messages are sent when it is done", func() bool { return c.busyAt(c.host.Place()) })
	return []action.Action[tea.Cmd]{
		{Row: action.Row{Slash: "resume", Name: "Send queued messages", Now: action.Unless(none, early)}, Run: c.resume},
		{Row: action.Row{Slash: "unqueue", Name: "Edit the last queued message", Now: action.Unless(none)}, Run: c.unqueueLast},
		{Row: action.Row{Slash: "drop", Name: "Drop queued messages", Now: action.Unless(none)}, Run: c.dropQueue},
	}
}

// resume sends the messages of a held queue.
func (c *Controller) resume() tea.Cmd {
	here := c.host.Place()
	q := c.queues[here]
	if q == nil || len(q.waiting) == 0 {
		return c.sayNothingQueued()
	}
	if c.busyAt(here) {
		return c.host.Say("The agent is working: queued messages are sent when it is done.", true)
	}
	q.held, q.gap = "", -1
	cmd := c.advance(here)
	if q.held != "" {
		return c.host.Say(q.held, true)
	}
	return cmd
}

// unqueue restores a queued message into the composer, or drops it; the history has it.
func (c *Controller) unqueue(in composer.Unqueue) tea.Cmd {
	here := c.host.Place()
	q := c.queues[here]
	if q == nil || in.Index < 0 || in.Index >= len(q.waiting) {
		return c.sayNothingQueued()
	}
	if !in.Drop && !c.composer.Empty() {
		return c.host.Say("The text field is not empty: send or clear it before you edit a queued message.", true)
	}
	d := q.waiting[in.Index]
	q.waiting = slices.Delete(q.waiting, in.Index, in.Index+1)
	c.host.Touch()
	if !in.Drop {
		q.gap = in.Index
		c.composer.SetDraft(composer.Escape(d))
		return nil
	}
	if len(q.waiting) == 0 {
		delete(c.queues, here)
	}
	if d.Confidential() {
		return c.host.Say("dropped, and not saved", false)
	}
	return c.host.Say("dropped; "+keys.Name(c.composer.Of(composer.PreviousMessage))+" restores it", false)
}

// unqueueLast restores the message that was queued last.
func (c *Controller) unqueueLast() tea.Cmd {
	c.host.Focus(control.OnComposer)
	last := -1
	if q := c.queues[c.host.Place()]; q != nil {
		last = len(q.waiting) - 1
	}
	return c.unqueue(composer.Unqueue{Index: last})
}

// dropQueue drops all queued messages of the place on the screen.
func (c *Controller) dropQueue() tea.Cmd {
	here := c.host.Place()
	q := c.queues[here]
	if q == nil {
		return c.sayNothingQueued()
	}
	delete(c.queues, here)
	c.host.Touch()
	return c.host.Say(units.Plural(len(q.waiting), "queued message")+" dropped; "+keys.Name(c.composer.Of(composer.PreviousMessage))+" restores them", false)
}

func (c *Controller) sayNothingQueued() tea.Cmd {
	return c.host.Say("The queue is empty.", true)
}
