package ui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/log"
	"parley/ui/control"
	"parley/ui/keys"
	"parley/ui/menu"
)

// copyKeys and faultKeys are the keys of what the menus offer, for the help.
func (m *Model) copyKeys() [][]key.Binding {
	return itemKeys(m.copyItems(&log.Item{Record: a2a.Record{Call: &a2a.Call{Binding: a2a.BindingJSONRPC}, Raw: []byte("{}")}}))
}

func faultKeys() [][]key.Binding { return itemKeys(faults(0, false)) }

func itemKeys(items []menu.Item) [][]key.Binding {
	out := make([]key.Binding, 0, len(items))
	for _, it := range items {
		out = append(out, keys.Bind(it.Key, it.Name))
	}
	return [][]key.Binding{out[:(len(out)+1)/2], out[(len(out)+1)/2:]}
}

// openMenu shows a short list of things to do.
func (m *Model) openMenu(title, note string, items []menu.Item) {
	m.panes.menu.Open(title, note, items)
	m.show(overMenu)
}

const overMenu control.SheetName = "menu"

// menuSheet lies over the panes while one of a few things is chosen.
func (m *Model) menuSheet() control.Sheet {
	p := m.panes.menu
	return control.Sheet{
		Pane: p, Width: max(60, min(p.Width(), 106)), Height: p.Height(),
		Key:   func(msg tea.KeyPressMsg) tea.Cmd { return m.chosen(p.Key(msg)) },
		Mouse: func(msg tea.MouseMsg, x, y int) tea.Cmd { return m.chosen(p.Mouse(msg, x, y)) },
	}
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
		case asked:
			return m.askLink(v.link)
		case browse:
			return m.open(v)
		case keeping:
			return m.keep(v)
		case download:
			return m.download(v)
		case control.Action:
			return v()
		case control.NumberAction:
			return v(in.Number)
		case fault:
			return m.disturb(v, in.Number)
		}
	}
	return nil
}
