package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/control"
	"parley/ui/menu"
)

// openMenu shows a menu.
func (m *Model) openMenu(title, note string, items []menu.Item) {
	m.panes.menu.Open(title, note, items)
	m.show(overMenu)
}

const overMenu control.SheetName = "menu"

// menuSheet describes the sheet of the menu.
func (m *Model) menuSheet() control.Sheet {
	p := m.panes.menu
	return control.NewSheet(p, m.onMenuIntent, control.Sheet{
		Name: overMenu, KeepsCtrlC: true, Width: p.Wants,
	})
}

// onMenuIntent carries out the intents of the menu.
func (m *Model) onMenuIntent(in menu.Intent) tea.Cmd {
	switch in := in.(type) {
	case menu.Close:
		m.closeOverlay()
	case menu.Refused:
		return m.say(in.Why, true)
	case menu.Choose:
		m.closeOverlay()
		switch v := in.Item.Value.(type) {
		case control.Action:
			return v()
		case control.NumberAction:
			return v(in.Number)
		}
	}
	return nil
}
