package ui

import (
	"context"
	"fmt"
	"slices"
	"time"

	"parley/internal/config"
	"parley/session/log"
	"parley/ui/control"
	"parley/ui/control/jsonsheet"
	"parley/ui/control/records"
	startscreen "parley/ui/control/start"
	"parley/ui/keys"
)

// keySections returns the key maps of the root model and of its panes, under the names that their
// actions have in settings.
func keySections(m *Model) []keys.Section {
	text := m.st.Editing
	return append(text.Sections(), []keys.Section{
		{Name: "everywhere", Scope: keys.Everywhere, Map: m.keys.everywhere.KeyMap()},
		{Name: "outside", Scope: keys.Outside, Map: m.keys.outside.KeyMap()},
		{Name: "record", Scope: keys.Outside, Map: m.keys.record.KeyMap()},
		{Name: "turn", Scope: keys.Outside, Map: m.keys.turn.KeyMap()},
		{Name: "writing", Scope: keys.InText, Map: m.panes.composer.KeyMap(), Gone: text.Moved("new-line", "undo")},
		{Name: "conversation", Scope: keys.InPane, Map: m.panes.chat.KeyMap()},
		{Name: "wire", Scope: keys.InPane, Map: m.panes.wire.KeyMap()},
		{Name: "agents", Scope: keys.InPane, Map: m.panes.agents.KeyMap()},
		{Name: "replay", Scope: keys.Outside, Map: m.panes.player.KeyMap()},
		{Name: "time line", Scope: keys.InPane, Map: m.panes.player.LineKeys.KeyMap()},
		{Name: "find", Scope: keys.InSheet, Types: true, Map: m.panes.palette.KeyMap()},
	}...)
}

// sheetSections returns the key maps of the sheets.
func sheetSections(m *Model) (out []keys.Section) {
	for _, s := range m.sheets {
		if p, ok := s.Pane.(interface{ KeyMap() []keys.Named }); ok && s.Help != "" {
			section := keys.Section{Name: s.Help, Scope: keys.InSheet, Map: p.KeyMap(), Under: s.Name == startscreen.SheetName, Types: s.AlwaysTypes()}
			if p, ok := s.Pane.(interface{ KeySection(s *keys.Section) }); ok {
				p.KeySection(&section)
			}
			if edits(&s) {
				section.Lines, section.Gone = true, m.st.Editing.Moved()
			}
			out = append(out, section)
		}
	}
	return append(out,
		keys.Section{Name: "copy exchange", Scope: keys.InSheet, Fixed: slices.Concat(m.records.CopyKeys()...)},
		keys.Section{Name: "inject faults", Scope: keys.InSheet, Fixed: slices.Concat(m.records.FaultKeys()...)},
	)
}

// edits reports whether a sheet is an editor of text.
func edits(s *control.Sheet) bool {
	return s.Name == records.RequestSheet || s.Name == jsonsheet.SheetName
}

// remap gives actions the keys of the user's settings. What is wrong with the others is said at the
// start.
func (m *Model) remap() {
	choices := make([]keys.Choice, len(m.opts.Keys))
	for i, c := range m.opts.Keys {
		choices[i] = keys.Choice(c)
	}
	others, problems := keys.Remap(slices.Concat(keySections(m), sheetSections(m)), choices)
	m.unusable = problems
	for _, c := range others {
		m.unusable = append(m.unusable, c.Unknown())
	}
}

// mostUnusable is the number of unusable keys that are named at the start: the rest would push
// other warnings off the screen.
const mostUnusable = 2

// warnOfKeys adds what is wrong with the keys of the user's settings to the warnings.
func (m *Model) warnOfKeys() {
	said := m.unusable
	if rest := len(said) - mostUnusable; rest > 1 {
		said = append(slices.Clone(said[:mostUnusable]), fmt.Sprintf("%d more keys of [keys] are not used: parley config says why.", rest))
	}
	m.opts.Warnings = append(m.opts.Warnings, said...)
}

// UnusableKeys says what is wrong with the keys of a user's settings, in a sentence each.
func UnusableKeys(choices []config.Keys) []string {
	return New(context.Background(), Options{Engine: RecordingEngine(), Feed: log.NewFeed(), Now: time.Now, Getenv: func(string) string { return "" }, Keys: choices}).unusable
}
