package ui

import (
	"cmp"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/composer"
	"parley/ui/keys"
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
	do    action      // nil if it needs to be told more

	// What follows is empty for what only the finder leads to.

	slash string // the word that asks for it in the composer, behind a slash
	takes string // what follows the word: "FILE", "[NAME]" if it may be left out
	with  func(arg string) tea.Cmd
	// offers returns what the argument may be when this much of it is written. It waits
	// for nothing. Nil offers nothing.
	offers func(arg string) []composer.Offer
}

// commands lists what can be done, topic by topic.
func (m *Model) commands() []command {
	return slices.Concat(
		m.demoing(), m.fetching(), m.downloadCommands(), // what waits for one key
		m.conversing(), m.attachments(), m.data(), m.forming(), m.hiding(), m.sendings(), m.queues(), m.prompting(),
		m.overseeing(), m.attending(), m.filing(), m.exporting(), m.merging(),
		m.going(), m.keeping(), m.carding(), m.extending(), m.notifying(), m.identifying(), m.pinning(),
		m.acting(), m.filtering(), m.wiring(), m.themes(), m.general(),
		m.turning(), // behind them, so that /qu is to quit before it is to quote
	)
}

// entries lists what the finder finds: what waits first, then where one can go, what can
// be done, and what can be said.
func (m *Model) entries() []palette.Entry {
	all := slices.Concat(m.places(), m.commands(), m.prompts(), m.ruling())
	out := make([]palette.Entry, 0, len(all))
	for _, c := range all {
		e := palette.Entry{Group: cmp.Or(c.group, "command"), Name: c.name, Note: cmp.Or(c.note, c.key.Help().Key), Word: c.slash, Why: c.why, Value: c}
		if e.Note == "" && c.slash != "" {
			e.Note = "/" + c.slash
		}
		out = append(out, e)
	}
	return out
}

// slashes lists the commands that the composer knows by a word.
func (m *Model) slashes() []composer.Command {
	var out []composer.Command
	for _, c := range m.commands() {
		if c.slash != "" {
			out = append(out, composer.Command{Word: c.slash, Takes: c.takes, About: c.name, Why: c.why, Offers: c.offers})
		}
	}
	return out
}

// slashKeys lists the composer's commands as the help lists keys.
func (m *Model) slashKeys() [][]key.Binding {
	var out []key.Binding
	for _, c := range m.slashes() {
		b := keys.Bind(c.Usage(), c.About)
		b.SetEnabled(c.Why == "")
		out = append(out, b)
	}
	return [][]key.Binding{out[:(len(out)+1)/2], out[(len(out)+1)/2:]}
}

// run does what a command of the composer asks for.
func (m *Model) run(in composer.Run) tea.Cmd {
	for _, c := range m.commands() {
		switch {
		case c.slash != in.Word:
		case c.why != "": // since it was written
			return m.say(c.why, true)
		case c.with != nil:
			return c.with(in.Arg)
		default:
			return c.do()
		}
	}
	return nil
}

// conversing are the twins of the keys for a conversation and for what one talks to in it.
func (m *Model) conversing() []command {
	refusal, none := m.refusal(), ""
	if m.agent() == nil {
		none = "no agent is open"
	}
	k := &m.keys
	return []command{
		{key: k.New, slash: "new", name: "New conversation", why: refusal, do: func() tea.Cmd { return m.begin(m.cur.agent) }},
		{key: k.Cancel, slash: "cancel", takes: "[ID]", name: "Cancel the running task, or any", why: refusal, do: m.cancelTask, with: m.cancelNamed, offers: m.taskOffers},
		{key: k.Card, slash: "card", name: "Show the agent's card", why: none, do: func() tea.Cmd { return m.openCard(m.cur.agent) }},
		{key: m.panes.composer.SearchKey(), slash: "history", takes: "[TEXT]", name: "Search what was written", why: refusal, do: m.searchWritten(""), with: func(text string) tea.Cmd { return m.searchWritten(text)() }},
	}
}

// general are the twins of the keys that work everywhere.
func (m *Model) general() []command {
	k := &m.keys
	return []command{
		{key: k.Findings, slash: "findings", name: "Show all findings", do: m.openFindings},
		{key: k.ZoomAny, name: "Zoom the pane", do: func() tea.Cmd { m.screen.zoom = !m.screen.zoom; return nil }},
		{key: k.Mouse, name: "Hand the mouse to the terminal, or take it back", do: m.toggleMouse},
		{key: k.Help, slash: "help", name: "Help", do: func() tea.Cmd { m.openHelp(); return nil }},
		{key: k.Quit, slash: "quit", name: "Quit", do: m.leave},
	}
}
