package ui

import "parley/ui/control"

import tea "charm.land/bubbletea/v2"

// wireCommands returns the finder commands of the wire pane.
func (m *Model) wireCommands() []control.Command {
	var out []control.Command
	for _, a := range m.panes.wire.Commands() {
		do := func() tea.Cmd {
			m.setFocus(control.OnWire)
			m.arrange()
			return m.onWireIntent(a.Run())
		}
		out = append(out, control.Command{Keys: a.Keys, Name: a.Name, Also: a.Also, Why: a.Why, Run: do})
	}
	return out
}
