package ui

import (
	"cmp"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/action"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/control/inbox"
	"parley/ui/guide"
	"parley/ui/keys"
)

const overHelp control.SheetName = "help"

// helpSheet describes the sheet of the help.
func (m *Model) helpSheet() control.Sheet {
	p := m.panes.guide
	return control.NewSheet(p, m.onHelpIntent, control.Sheet{
		Name: overHelp, Help: "help", Page: true, KeepsCtrlC: true, Typing: p.Typing, Paste: p.Paste,
	})
}

// openHelp shows the help, the keys of where the user is first.
func (m *Model) openHelp() {
	m.panes.guide.Open(helpPage{m}.all())
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

// mostHere is how many keys of the place the first page names, so that it fits on a small screen.
const mostHere = 12

// A helpPage generates the help of a model.
type helpPage struct{ m *Model }

// all returns what one begins with, the keys that work where the user is, and all keys and commands
// by topic.
func (p helpPage) all() guide.Help {
	m := p.m
	h := guide.Help{Begin: p.beginning(), Place: p.place(), Topics: p.topics()}
	now := &hints{}
	now.fill(m)
	slices.SortStableFunc(now.left, func(a, b action.Hint) int { return cmp.Compare(a.Rank, b.Rank) })
	for _, hint := range now.left[:min(len(now.left), mostHere)] {
		h.Here = append(h.Here, action.Label(keys.Name(hint.Keys), cmp.Or(hint.Wide, hint.Short, hint.Keys.Help().Desc)))
	}
	if m.screen.over == noOverlay {
		h.Everywhere = p.everywhere(h.Here)
	}
	return h
}

// beginning returns the few keys that lead to all others.
func (p helpPage) beginning() []key.Binding {
	m := p.m
	words := func(id action.ID, does string) key.Binding { return action.Label(keys.Name(m.keys.Key(id)), does) }
	quits := "twice: quit"
	if m.opts.Recorded && !m.opts.Unrecorded {
		quits += " (recorded)"
	}
	return []key.Binding{
		action.Label(keys.Name(m.panes.composer.Of(composer.SendMessage)), "send; in a list: open"), words(action.FindAnything, "find agents, #144, commands"),
		action.Label("/", "commands; in a pane: filter"), words(nextPane, "next pane"),
		words(goBack, "one step back"), words(clearOrQuit, quits),
	}
}

// place says where the user is.
func (p helpPage) place() string {
	m := p.m
	switch s := m.sheet(); {
	case s != nil:
		return "in " + s.Help
	case m.screen.over == overPalette:
		return "in the finder"
	}
	return "in the " + map[control.Focus]string{
		control.OnComposer: "text field", control.OnChat: "conversation", control.OnWire: "wire", control.OnAgents: "list of agents", control.OnPlayer: "time line",
	}[m.screen.at]
}

// everywhere returns the keys that work everywhere, lead to most and have an effect now, but for
// those that are listed already.
func (p helpPage) everywhere(listed []key.Binding) (now []key.Binding) {
	m := p.m
	for _, of := range []struct {
		id   action.ID
		does string
	}{
		{inbox.GoToWaiting, "answer the task"}, {action.CancelTask, "cancel the task"}, {action.ShowCard, "card"}, {action.ListTasks, "tasks"},
		{action.SignIn, "sign in"}, {action.ShowLanes, "lanes"}, {action.NewConversation, "new conversation"}, {zoomPane, "zoom pane"},
	} {
		b := m.keys.everywhere.Standing(of.id)
		name := keys.Name(b)
		if b.Enabled() && !slices.ContainsFunc(listed, func(l key.Binding) bool { return keys.Name(l) == name }) {
			now = append(now, action.Label(name, of.does))
		}
	}
	return now
}

// topics returns the keys and commands. Panes whose keys depend on what is open list those that work now.
func (p helpPage) topics() []guide.Topic {
	m := p.m
	section := func(name string, groups [][]key.Binding) guide.Section {
		return guide.Section{Name: name, Keys: slices.Concat(groups...)}
	}
	now := func(name string, t interface {
		Explained() ([]key.Binding, map[string]string)
	}) guide.Section {
		all, why := t.Explained()
		return guide.Section{Name: name, Keys: all, Why: why}
	}
	var sheets, showing []guide.Section
	for _, s := range m.sheets {
		if s.Help == "" || s.Name == overHelp {
			continue
		}
		sheets = append(sheets, section(s.Help, s.Keys()))
	}
	if m.opts.Replay != nil {
		showing = append(showing, section("replay", m.panes.player.FullHelp()))
	}
	words, why := m.slashKeys()
	return []guide.Topic{
		{Name: "moving", Sections: []guide.Section{now("everywhere", m.keys.everywhere), now("outside text fields", m.keys.outside), now("agents", m.panes.agents)}},
		{Name: "writing", Sections: []guide.Section{now("writing", m.panes.composer), section("in every text field", m.st.Editing.Help())}},
		{Name: "records", Sections: []guide.Section{
			now("conversation", m.panes.chat), now("wire", m.panes.wire),
			now("on a record, in the conversation or the wire", m.keys.record), now("on a turn, in the conversation", m.keys.turn),
			section("copy exchange", m.records.CopyKeys()), section("inject faults", m.records.FaultKeys()),
		}},
		{Name: "showing", Sections: append(showing, p.some("presenting, themes", slices.Concat(m.present.Actions(), m.theme.Actions())))},
		{Name: "sheets", Sections: append(sheets, section("find", m.panes.palette.FullHelp()))},
		{Name: "commands", Sections: []guide.Section{{Name: "in the text field and the finder", Keys: words, Why: why}}},
	}
}

// some returns a section of some of the actions that work everywhere.
func (p helpPage) some(name string, actions []action.Action[tea.Cmd]) guide.Section {
	s := guide.Section{Name: name}
	_, s.Why = p.m.keys.everywhere.Explained()
	for i := range actions {
		if a := &actions[i]; len(a.Keys) > 0 && !a.Passing {
			s.Keys = append(s.Keys, p.m.keys.everywhere.Standing(a.Known()))
		}
	}
	return s
}
