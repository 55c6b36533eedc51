package ui

import (
	"slices"

	"parley/ui/control/jsonsheet"
	"parley/ui/control/records"
	"parley/ui/keys"
)

// keySections returns the key maps of the root model and of its panes, under the names that their
// actions have in settings.
func keySections(m *Model) []keys.Section {
	k := &m.keys
	return []keys.Section{
		{Name: "everywhere", Scope: keys.Everywhere, Map: []any{&k.Chords, &k.Pair, &k.Present}},
		{Name: "outside", Scope: keys.Outside, Map: []any{&k.WriteAny, &k.Back, &k.HelpAny, &k.Findings, &k.Zoom, &k.Left, &k.Right, &k.Leave}},
		{Name: "record", Scope: keys.Outside, Map: &k.Acting},
		{Name: "turn", Scope: keys.Outside, Map: &k.Turn},
		{Name: "writing", Scope: keys.Everywhere, Map: m.panes.composer.KeyMap(), Fixed: m.panes.composer.FullHelp()[1]},
		{Name: "conversation", Scope: keys.InPane, Map: m.panes.chat.KeyMap()},
		{Name: "wire", Scope: keys.InPane, Map: m.panes.wire.KeyMap()},
		{Name: "agents", Scope: keys.InPane, Map: m.panes.agents.KeyMap()},
		{Name: "replay", Scope: keys.Outside, Map: m.panes.player.KeyMap()},
		{Name: "time line", Scope: keys.InPane, Map: m.panes.player.LineKeyMap()},
		{Name: "find", Scope: keys.InSheet, Map: m.panes.palette.KeyMap()},
	}
}

// sheetSections returns the key maps of the sheets.
func sheetSections(m *Model) (out []keys.Section) {
	for _, s := range m.sheets {
		if p, ok := s.Pane.(interface{ KeyMap() any }); ok && s.Help != "" {
			section := keys.Section{Name: s.Help, Scope: keys.InSheet, Map: p.KeyMap()}
			if s.Name == records.RequestSheet || s.Name == jsonsheet.SheetName {
				section.Fixed = slices.Concat(s.Keys()[1:]...) // those of a text
			}
			out = append(out, section)
		}
	}
	return append(out,
		keys.Section{Name: "copy exchange", Scope: keys.InSheet, Fixed: slices.Concat(m.records.CopyKeys()...)},
		keys.Section{Name: "inject faults", Scope: keys.InSheet, Fixed: slices.Concat(m.records.FaultKeys()...)},
	)
}

// remap gives actions the keys of the user's settings, and returns the choices about other
// sections. What is wrong with the others is said at the start.
func (m *Model) remap(sections []keys.Section, choices []keys.Choice) []keys.Choice {
	others, problems := keys.Remap(sections, choices)
	m.opts.Warnings = append(m.opts.Warnings, problems...)
	return others
}
