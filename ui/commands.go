package ui

import (
	"cmp"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/themes"
	"parley/ui/palette"
)

// An action is what a command does.
type action func() tea.Cmd

// A command is one thing that can be gone to or done by its name. Each topic lists its
// own in a file of its own, made anew whenever they are asked for, so that they are
// about what is on the screen; the finder is made of all of them.
type command struct {
	group string // in the finder; empty is "command"
	name  string
	note  string      // what stands beside the name where there is no key
	key   key.Binding // that does the same; the zero value if there is none
	why   string      // why it cannot be done now, empty if it can
	do    action
}

// commands lists what can be done, topic by topic.
func (m *Model) commands() []command {
	return slices.Concat(
		m.demoing(), m.fetching(), m.general(), m.acting(), m.filtering(), m.wiring(), m.merging(), m.pinning(),
	)
}

// entries lists what the finder finds: what waits first, then where one can go, what can
// be done, and what can be said.
func (m *Model) entries() []palette.Entry {
	all := slices.Concat(m.places(), m.commands(), m.prompts(), m.ruling())
	out := make([]palette.Entry, 0, len(all))
	for _, c := range all {
		out = append(out, palette.Entry{
			Group: cmp.Or(c.group, "command"), Name: c.name, Note: cmp.Or(c.note, c.key.Help().Key), Why: c.why, Value: c.do,
		})
	}
	return out
}

// general are the twins of the keys that work everywhere.
func (m *Model) general() []command {
	recording := ""
	if m.opts.Engine == nil {
		recording = "this is a recording"
	}
	none := ""
	if m.agent() == nil {
		none = "no agent is open"
	}
	k := &m.keys
	out := []command{
		{key: k.New, name: "New conversation", why: recording, do: func() tea.Cmd { return m.begin(m.cur.agent) }},
		{key: k.Card, name: "Show the agent's card", why: none, do: func() tea.Cmd { return m.openCard(m.cur.agent) }},
		{key: k.Findings, name: "Show all findings", do: m.openFindings},
		{key: k.Cancel, name: "Cancel the running task", why: recording, do: m.cancelTask},
		{key: k.Waiting, name: "Go to what waits for you", do: m.nextWaiting},
		{key: k.ZoomAny, name: "Zoom the pane", do: func() tea.Cmd { m.screen.zoom = !m.screen.zoom; return nil }},
		{key: k.Mouse, name: "Hand the mouse to the terminal, or take it back", do: m.toggleMouse},
		{key: k.Help, name: "Help", do: func() tea.Cmd { m.openHelp(); return nil }},
		{key: k.Quit, name: "Quit", do: m.leave},
	}
	for _, t := range themes.All() {
		out = append(out, command{key: k.Theme, name: "Theme " + t.Name, do: m.chooseTheme(t.Name)})
	}
	return out
}
