package records

import (
	tea "charm.land/bubbletea/v2"

	"parley/internal/units"
	"parley/ui/control"
	"parley/ui/wire"
)

// filterCommands returns commands for the most common filters of the wire. Their notes show the
// words of the filter.
func (c *Controller) filterCommands() []control.Command {
	filter := func(name, text, why string) control.Command {
		if why == "" && c.host.State().Log.Len() == 0 {
			why = "there are no records yet"
		}
		return control.Command{Name: name, Note: text, Why: why, Run: func() tea.Cmd { return c.Filter(text) }}
	}
	task, agent, none := "task:", "agent:", ""
	if id := c.selectedTask(); id != "" {
		task = wire.Term("task", units.ID(id))
	} else {
		none = "the selected record names no task"
	}
	nobody := ""
	if a := c.host.Agent(); a != nil {
		agent = wire.Term("agent", a.Name())
	} else {
		nobody = "no agent is open"
	}
	out := []control.Command{
		{Name: "Filter the wire", Also: []string{"search", "records", "log"}, Note: "/", Run: c.openFilter},
		filter("Wire: failures", "error", ""),
		filter("Wire: records with findings", "finding:error,warning", ""),
		filter("Wire: records after a gap of 2 s or more", "gap>=2s", ""),
		filter("Wire: streams and answers that were cut", "end:cut", ""),
		filter("Wire: states that no dialect defines", "state:other", ""),
		filter("Wire: deliveries to webhooks", "kind:delivery", ""),
		filter("Wire: records that you marked", "marked", ""),
		filter("Wire: this task", task, none),
		filter("Wire: this agent", agent, nobody),
	}
	if c.panes.Wire.Filtered() {
		out = append(out, filter("Wire: all records", "", ""))
	}
	return out
}

// Filter filters the wire.
func (c *Controller) Filter(text string) tea.Cmd {
	c.showWire()
	c.panes.Wire.Filter(text)
	return nil
}

// openFilter opens the filter line of the wire.
func (c *Controller) openFilter() tea.Cmd {
	c.showWire()
	c.panes.Wire.OpenFilter()
	return nil
}

// showWire focuses the wire pane and gives it its size, if it was not shown.
func (c *Controller) showWire() {
	c.host.Focus(control.OnWire)
	c.panes.Arrange()
}

// selectedTask returns the id of the task that the selected record names or is about.
func (c *Controller) selectedTask() string {
	it := c.selected()
	if it == nil {
		return ""
	}
	for i := range it.Update.Events {
		if id := it.Update.Events[i].TaskID; id != "" {
			return id
		}
	}
	if call := it.Record.Call; call != nil {
		return call.TaskID
	}
	return ""
}
