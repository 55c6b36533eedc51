package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/units"
	"parley/ui/control"
	"parley/ui/wire"
)

// filtering are the filters of the wire that are asked for most, ready made: who does
// not know the words yet finds them here, written out.
func (m *Model) filtering() []control.Command {
	listing := func(name, text, why string) control.Command {
		if why == "" && m.state.Log.Len() == 0 {
			why = "nothing is on the wire yet"
		}
		return control.Command{Name: name, Note: text, Why: why, Do: func() tea.Cmd { return m.filterWire(text) }}
	}
	task, agent, none := "task:", "agent:", ""
	if id := m.recordTask(); id != "" {
		task = wire.Term("task", units.ID(id))
	} else {
		none = "the selected record names no task"
	}
	nobody := ""
	if a := m.agent(); a != nil {
		agent = wire.Term("agent", a.Name())
	} else {
		nobody = "no agent is open"
	}
	out := []control.Command{
		{Name: "Filter the wire", Note: "/", Do: m.openFilter},
		listing("Wire: what failed", "error", ""),
		listing("Wire: what something was found in", "finding:error,warning", ""),
		listing("Wire: what came after 2 s or more of nothing", "gap>=2s", ""),
		listing("Wire: streams and answers that were cut", "end:cut", ""),
		listing("Wire: states that no dialect defines", "state:other", ""),
		listing("Wire: what agents delivered to webhooks", "kind:delivery", ""),
		listing("Wire: what you marked", "marked", ""),
		listing("Wire: this task", task, none),
		listing("Wire: this agent", agent, nobody),
	}
	if m.panes.wire.Filtered() {
		out = append(out, listing("Wire: everything", "", ""))
	}
	return out
}

// filterWire lists what a filter lets through.
func (m *Model) filterWire(text string) tea.Cmd {
	m.setFocus(control.OnWire)
	m.arrange()
	m.panes.wire.Filter(text)
	return nil
}

// openFilter begins to write a filter.
func (m *Model) openFilter() tea.Cmd {
	m.setFocus(control.OnWire)
	m.arrange()
	m.panes.wire.OpenFilter()
	return nil
}

// recordTask returns the task that the selected record names or is about.
func (m *Model) recordTask() string {
	it := m.record()
	if it == nil {
		return ""
	}
	for i := range it.Update.Events {
		if id := it.Update.Events[i].TaskID; id != "" {
			return id
		}
	}
	if c := it.Record.Call; c != nil {
		return c.TaskID
	}
	return ""
}

// keysNow returns the keys with that disabled which what is written takes for itself.
func (m *Model) keysNow() keyMap {
	k := m.keys
	k.Next.SetEnabled(!m.completes())
	return k
}

// nameOf returns the name of an agent, empty while it has none.
func (m *Model) nameOf(id a2a.AgentID) string {
	if a := m.state.Agent(id); a != nil {
		return a.Name()
	}
	return ""
}
