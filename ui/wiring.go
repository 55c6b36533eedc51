package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/palette"
)

// wiring are the finder's twins of the wire pane's keys.
func (m *Model) wiring() []palette.Entry {
	var out []palette.Entry
	for _, a := range m.panes.wire.Actions() {
		do := func() tea.Cmd {
			m.setFocus(onWire)
			m.arrange()
			return m.wired(a.Do())
		}
		out = append(out, palette.Entry{Group: "command", Name: a.Name, Note: a.Key.Help().Key, Why: a.Why, Value: action(do)})
	}
	return out
}
