package ui

import "parley/ui/control"

import tea "charm.land/bubbletea/v2"

// wiring are the finder's twins of the wire pane's keys.
func (m *Model) wiring() []control.Command {
	var out []control.Command
	for _, a := range m.panes.wire.Actions() {
		do := func() tea.Cmd {
			m.setFocus(control.OnWire)
			m.arrange()
			return m.wired(a.Do())
		}
		out = append(out, control.Command{Key: a.Key, Name: a.Name, Why: a.Why, Do: do})
	}
	return out
}
