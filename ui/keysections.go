package ui

import (
	"parley/ui/keys"
)

// keySections returns the key maps of the root model and of its panes, under the names that their
// actions have in settings.
func keySections(m *Model) []keys.Section {
	k := &m.keys
	return []keys.Section{
		{Name: "everywhere", Scope: keys.Everywhere, Map: []any{
			&k.Write, &k.Next, &k.Prev, &k.Find, &k.attendKeys, &k.New, &k.Cancel, &k.Card, &k.Tasks, &k.Push, &k.Credentials, &k.Lanes,
			&k.Help, &k.ZoomAny, &k.Theme, &k.Mouse, &k.Prefix, &k.Suspend, &k.Quit,
		}},
		{Name: "outside", Scope: keys.Outside, Map: []any{&k.WriteAny, &k.Back, &k.HelpAny, &k.Findings, &k.Zoom, &k.Left, &k.Right}},
		{Name: "record", Scope: keys.Outside, Map: &k.Acting},
		{Name: "turn", Scope: keys.Outside, Map: &k.Turn},
		{Name: "writing", Scope: keys.Everywhere, Map: m.panes.composer.KeyMap()},
		{Name: "conversation", Scope: keys.InPane, Map: m.panes.chat.KeyMap()},
		{Name: "wire", Scope: keys.InPane, Map: m.panes.wire.KeyMap()},
		{Name: "agents", Scope: keys.InPane, Map: m.panes.agents.KeyMap()},
		{Name: "find", Scope: keys.InSheet, Map: m.panes.palette.KeyMap()},
	}
}

// sheetSections returns the key maps of the sheets.
func sheetSections(m *Model) (out []keys.Section) {
	for _, s := range m.sheets {
		if p, ok := s.Pane.(interface{ KeyMap() any }); ok && s.Help != "" {
			out = append(out, keys.Section{Name: s.Help, Scope: keys.InSheet, Map: p.KeyMap()})
		}
	}
	return out
}

// remap gives actions the keys of the user's settings, and returns the choices about other
// sections. What is wrong with the others is said at the start.
func (m *Model) remap(sections []keys.Section, choices []keys.Choice) []keys.Choice {
	others, problems := keys.Remap(sections, choices)
	m.opts.Warnings = append(m.opts.Warnings, problems...)
	return others
}
