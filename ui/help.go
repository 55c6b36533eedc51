package ui

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/control"
	"parley/ui/control/jsonsheet"
	"parley/ui/control/records"
	"parley/ui/guide"
)

const overHelp control.SheetName = "help"

// helpSheet describes the sheet of the help.
func (m *Model) helpSheet() control.Sheet {
	p := m.panes.guide
	return control.NewSheet(p, m.onHelpIntent, control.Sheet{
		Name: overHelp, Help: "help", KeepsCtrlC: true, Typing: p.Typing, Paste: p.Paste,
	})
}

// openHelp shows the help, the keys of where the user is first.
func (m *Model) openHelp() {
	m.panes.guide.Open(helpSections(m))
	m.screen.under = m.screen.over
	m.show(overHelp)
}

// onHelpIntent closes the help: what it lay over is shown again.
func (m *Model) onHelpIntent(in guide.Intent) tea.Cmd {
	if in == (guide.Close{}) {
		m.show(m.screen.under)
	}
	return nil
}

// helpSections generates the help from the key maps: the sections of the open sheet or of the
// pane with the focus, those that work everywhere, and the rest.
func helpSections(m *Model) (out []guide.Section) {
	var here, rest []guide.Section
	add := func(name string, at bool, groups [][]key.Binding) {
		s := guide.Section{Name: name, Keys: slices.Concat(groups...)}
		if at {
			here = append(here, s)
		} else {
			rest = append(rest, s)
		}
	}
	at := func(panes ...control.Focus) bool {
		return m.screen.over == noOverlay && slices.Contains(panes, m.screen.at)
	}
	var editing []guide.Section
	texts := func(name string, groups [][]key.Binding) [][]key.Binding { // the second group edits text
		editing = append(editing, guide.Section{Name: name, Keys: slices.Concat(groups[1:]...), Editing: true})
		return groups[:1]
	}
	add("writing", at(control.OnComposer), texts("in the text field", m.panes.composer.FullHelp()))
	add("conversation", at(control.OnChat), m.panes.chat.FullHelp())
	add("wire", at(control.OnWire), m.panes.wire.FullHelp())
	add("agents", at(control.OnAgents), m.panes.agents.FullHelp())
	if m.opts.Replay != nil {
		add("replay", at(control.OnPlayer), m.panes.player.FullHelp())
	}
	add("on a record, in the conversation or the wire", at(control.OnChat, control.OnWire), m.keys.record.FullHelp())
	add("on a turn, in the conversation", at(control.OnChat), m.keys.turn.FullHelp())
	add("copy exchange", false, m.records.CopyKeys())
	add("inject faults", false, m.records.FaultKeys())
	for _, s := range m.sheets {
		if s.Help != "" && s.Name != overHelp {
			groups := s.Keys()
			if s.Name == records.RequestSheet || s.Name == jsonsheet.SheetName {
				groups = texts("in the text of "+s.Help, groups)
			}
			add(s.Help, m.screen.over == s.Name, groups)
		}
	}
	add("find", m.screen.over == overPalette, m.panes.palette.FullHelp())
	global := []guide.Section{
		{Name: "everywhere", Keys: slices.Concat(m.keys.everywhere.FullHelp()...)},
		{Name: "outside text fields", Keys: slices.Concat(m.keys.outside.FullHelp()...)},
		{Name: "commands, in the text field and the finder", Keys: slices.Concat(m.slashKeys()...), Why: m.slashReasons()},
	}
	return slices.Concat(here, global, rest, editing)
}
