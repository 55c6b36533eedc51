package records

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/internal/units"
	"parley/ui/action"
	"parley/ui/control"
	"parley/ui/wire"
)

// FilterActions returns the most common filters of the wire. Their notes show the words of the filter,
// which name what is selected and on the screen when they are listed.
func (c *Controller) FilterActions() []action.Action[tea.Cmd] {
	empty := action.If("there are no records yet", func() bool { return c.host.State().Log.Len() == 0 })
	filter := func(name, also, text string, why ...func() string) action.Action[tea.Cmd] {
		return action.Action[tea.Cmd]{
			Row: action.Row{Name: name, Note: text, Also: strings.Fields(also), Now: action.Unless(append(why, empty)...)},
			Run: func() tea.Cmd { return c.Filter(text) },
		}
	}
	task, agent, none := "task:", "agent:", "the selected record names no task"
	if id := c.selectedTask(); id != "" {
		task, none = wire.Term("task", units.ID(id)), ""
	}
	if a := c.host.Agent(); a != nil {
		agent = wire.Term("agent", a.Name())
	}
	all := filter("", "", "")
	all.Named = action.If("Wire: all records", c.panes.Wire.Filtered)
	return []action.Action[tea.Cmd]{
		{Row: action.Row{ID: wire.FilterRecords, Name: "Filter the wire", Also: []string{"search", "records", "log"}}, Run: c.openFilter},
		filter("Wire: failures", "only errors failed", "error"),
		filter("Wire: records with findings", "only warnings errors rules", "finding:error,warning"),
		filter("Wire: records after a gap of 2 s or more", "slow pause timing", "gap>=2s"),
		filter("Wire: streams and answers that were cut", "broken interrupted", "end:cut"),
		filter("Wire: states that no dialect defines", "unknown", "state:other"),
		filter("Wire: deliveries to webhooks", "push notifications", "kind:delivery"),
		filter("Wire: records that you marked", "marks bookmarks", "marked"),
		filter("Wire: this task", "only", task, func() string { return none }),
		filter("Wire: this agent", "only", agent, control.NoneOpen(c.host)),
		all,
	}
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
