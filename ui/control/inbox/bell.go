package inbox

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/session/model"
)

// Began notes that a task began to wait for the user.
func (c *Controller) Began(t *model.Task) { c.began = append(c.began, t) }

// Ring rings the terminal's bell once if any task that began to wait still does. A recording
// does not ring.
func (c *Controller) Ring() tea.Cmd {
	began := c.began
	c.began = began[:0]
	still := func(t *model.Task) bool { return t.Waits() && !t.Conversation.Agent.Closed }
	if c.o.Silent || c.host.Refusal() != "" || !slices.ContainsFunc(began, still) {
		return nil
	}
	return tea.Raw("\a")
}

// setBell switches the bell on or off.
func (c *Controller) setBell(on bool) tea.Cmd {
	c.o.Silent = !on
	if on {
		return tea.Batch(tea.Raw("\a"), c.host.Say("the bell rings when a task begins to wait for you", false))
	}
	return c.host.Say("the bell is off; the header still shows how many tasks wait for you", false)
}
