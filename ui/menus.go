package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/menu"
)

// openMenu shows a short list of things to do.
func (m *Model) openMenu(title, note string, items []menu.Item) {
	m.panes.menu.Open(title, note, items)
	m.screen.over = overMenu
	m.touch()
}

// chosen carries out what a menu asks for.
func (m *Model) chosen(in menu.Intent) tea.Cmd {
	switch in := in.(type) {
	case menu.Close:
		m.closeOverlay()
	case menu.Refused:
		return m.say(in.Why, true)
	case menu.Choose:
		m.closeOverlay()
		switch v := in.Item.Value.(type) {
		case copied:
			return m.copy(v())
		case fault:
			return m.disturb(v, in.Number)
		}
	}
	return nil
}
