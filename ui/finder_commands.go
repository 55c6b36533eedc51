package ui

import (
	"cmp"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/action"
	"parley/ui/chat"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/palette"
)

// commands returns all finder commands, by topic.
func (m *Model) commands() []control.Command {
	var others []control.Command
	if m.opts.Commands != nil {
		others = m.opts.Commands()
	}
	return slices.Concat(
		others,
		m.resume.Commands(), m.agents.DemoCommands(), m.files.DownloadCommands(), // commands that are wanted at once
		m.conversationCommands(), m.history.Commands(), m.attachments.Commands(), m.forms.Commands(), m.outbox.SecretCommands(), m.sendOptions.Commands(), m.outbox.QueueCommands(), m.prompts.Commands(),
		m.tasks.Commands(), m.inbox.Commands(), m.links.Commands(), m.tasks.WaitCommands(), m.links.TaskCommands(), m.files.Commands(), m.activities.Commands(),
		m.agents.Commands(), m.catalogs.Commands(), m.doctor.Commands(), m.taps.Commands(), m.chain.Commands(), m.pair.Commands(), m.answers.Commands(), m.fanout.Commands(), m.cards.Commands(), m.approvals.Commands(), m.extensions.Commands(), m.webhooks.Commands(), m.signIn.Commands(), m.credentials.Commands(), m.pins.Commands(),
		m.records.Commands(), m.wireCommands(), m.lanes.Commands(), m.sessions.Commands(), m.start.Commands(), m.theme.Commands(), m.settings.Commands(), m.present.Commands(), m.screenshot.Commands(), rootActions{m}.commands(),
		m.outbox.TurnCommands(), // last, so that /qu completes to quit before quote
	)
}

// entries returns the entries of the finder: first what waits for the user, then places,
// commands and prompts.
func (m *Model) entries() []palette.Entry {
	all := slices.Concat(m.places(), m.commands(), m.tasks.Entries(), m.prompts.Entries(m.st), m.findings.Rules(), m.settings.Entries(), m.sessions.Entries(m.st))
	out := make([]palette.Entry, 0, len(all))
	for _, c := range all {
		e := palette.Entry{Group: cmp.Or(c.Group, "command"), Name: c.Name, Note: cmp.Or(c.Note, c.Keys.Help().Key), Word: c.Slash, Also: c.Also, Hidden: c.Hidden, Why: c.Why, Value: c}
		e.First = e.Group == waitingGroup
		if e.Note == "" && c.Slash != "" {
			e.Note = "/" + c.Slash
		}
		out = append(out, e)
	}
	return out
}

// slashes returns the commands that have a slash word.
func (m *Model) slashes() []composer.Command {
	var out []composer.Command
	for _, c := range m.commands() {
		if c.Slash != "" {
			out = append(out, composer.Command{Word: c.Slash, Takes: c.Takes, About: c.Name, Why: c.Why, Offers: c.Offers})
		}
	}
	return out
}

// slashKeys returns the slash commands as bindings, for the help.
func (m *Model) slashKeys() [][]key.Binding {
	var out []key.Binding
	for _, c := range m.slashes() {
		b := action.Label(c.Usage(), c.About)
		b.SetEnabled(c.Why == "")
		out = append(out, b)
	}
	return [][]key.Binding{out}
}

// slashReasons returns why slash commands are not possible now, by their names.
func (m *Model) slashReasons() map[string]string {
	why := map[string]string{}
	for _, c := range m.slashes() {
		why[c.About] = c.Why
	}
	return why
}

// run carries out a slash command.
func (m *Model) run(in composer.Run) tea.Cmd {
	for _, c := range m.commands() {
		switch {
		case c.Slash != in.Word:
		case c.Why != "": // it became impossible after it was typed
			return m.say(c.Why, true)
		case c.With != nil:
			return c.With(in.Arg)
		default:
			return c.Run()
		}
	}
	return nil
}

// conversationCommands returns the finder commands for the conversation and its agent.
func (m *Model) conversationCommands() []control.Command {
	keyed := action.Commands(m.keys.Key, slices.Concat(m.outbox.Actions(), m.tasks.Cancels(), m.cards.Actions())...)
	return append(keyed, control.Command{Keys: m.panes.chat.Of(chat.SearchText), Name: "Search the conversation", Also: []string{"find text"}, Run: func() tea.Cmd {
		m.setFocus(control.OnChat)
		m.arrange()
		if !m.panes.chat.OpenSearch() {
			return m.say("There is nothing to search here.", false)
		}
		return nil
	}})
}
