package inbox

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/session/model"
)

// Began notes that a task began to wait for the user.
func (c *Controller) Began(t *model.Task) { c.began = append(c.began, t) }

// EndBatch reports the tasks that began to wait in the batch of items and still do: it rings the
// terminal's bell once and names a task that is not on the screen. A recording does neither.
func (c *Controller) EndBatch() tea.Cmd {
	began := slices.DeleteFunc(c.began, func(t *model.Task) bool { return !t.Waits() || t.Conversation.Agent.Closed })
	c.began = c.began[:0]
	if len(began) == 0 || c.host.Refusal() != "" {
		return nil
	}
	notice := c.noticeWaiting(began)
	if c.o.Silent || c.o.Quiet != nil && c.o.Quiet() {
		return notice
	}
	return tea.Batch(notice, tea.Raw("\a"))
}

// setBell switches the bell on or off.
func (c *Controller) setBell(on bool) tea.Cmd {
	c.o.Silent = !on
	if on {
		return tea.Batch(tea.Raw("\a"), c.host.Say("the bell rings when a task begins to wait for you", false))
	}
	return c.host.Say("the bell is off; the header still shows how many tasks wait for you", false)
}
