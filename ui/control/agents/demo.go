package agents

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/action"
	"parley/ui/control"
	"parley/ui/keys"
)

// OpenDemo starts the agents that come with the program and opens them.
func (c *Controller) OpenDemo() tea.Cmd {
	start := c.options.Demo
	if start == nil {
		return c.host.Say("the demo's agents are already open", false)
	}
	c.options.Demo = nil
	return func() tea.Msg {
		refs, err := start()
		return control.DoneMsg(func() tea.Cmd { return c.onDemo(refs, err) })
	}
}

// HasDemo reports whether there are demo agents that can be opened.
func (c *Controller) HasDemo() bool { return c.options.Demo != nil }

// onDemo opens the agents that were started.
func (c *Controller) onDemo(refs []string, err error) tea.Cmd {
	if err != nil {
		return c.host.Say("The demo's agents could not be started: no port of this machine is free to listen on.", true)
	}
	for i, ref := range refs {
		id := c.host.Engine().Open(ref)
		c.OnOpen(id, true)
		if i == 0 {
			c.visit(control.Place{Agent: id})
		}
	}
	return c.host.Say("the demo agents run inside Parley; "+keys.Name(c.host.Key(action.FindAnything))+" switches between them", false)
}

// DemoActions returns the actions that open the demo agents, and play the tour, as far as there are any. The
// empty screen offers the first one too.
func (c *Controller) DemoActions() []action.Action[tea.Cmd] {
	return []action.Action[tea.Cmd]{
		{Row: action.Row{Named: action.If("Open the demo agents", c.HasDemo), Also: []string{"demo"}, Note: "offline"}, Run: c.OpenDemo},
		{
			Row: action.Row{
				Named: action.If("Play the tour", func() bool { return c.options.Tour != nil }),
				Note:  "a booking, a cut stream, its findings", Also: []string{"demo", "script"},
			},
			Run: c.options.Tour,
		},
	}
}
