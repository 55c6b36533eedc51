package ui

import tea "charm.land/bubbletea/v2"

// wiring are the finder's twins of the wire pane's keys.
func (m *Model) wiring() []command {
	var out []command
	for _, a := range m.panes.wire.Actions() {
		do := func() tea.Cmd {
			m.setFocus(onWire)
			m.arrange()
			return m.wired(a.Do())
		}
		out = append(out, command{key: a.Key, name: a.Name, why: a.Why, do: do})
	}
	return out
}
