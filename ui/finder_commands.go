package ui

import (
	"cmp"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/action"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/palette"
	"parley/ui/wire"
)

// commands returns all finder commands, by topic: those of the rows of actions, and those that are made
// from data.
func (m *Model) commands() []control.Command {
	var others []control.Command
	if m.opts.Commands != nil {
		others = m.opts.Commands()
	}
	rows := func(of ...[]action.Action[tea.Cmd]) []control.Command {
		return action.Commands(m.keys.Key, slices.Concat(of...)...)
	}
	r := rootActions{m}
	return slices.Concat(
		others,
		rows(m.resume.Actions(), m.agents.DemoActions()), m.files.Downloads(), // commands that are wanted at once
		rows(
			m.outbox.Actions(), m.tasks.Cancels(), m.cards.Actions(), r.conversation(), m.history.Actions(), m.attachments.Actions(), m.forms.Actions(), m.outbox.SecretActions(), m.sendOptions.Actions(),
			m.outbox.QueueActions(), m.prompts.Actions(), m.tasks.Actions(), m.inbox.Actions(), m.links.Actions(), m.tasks.WaitActions(),
		),
		m.links.Entries(), rows(m.files.Actions()), m.files.Entries(), rows(m.files.ExportActions()), m.files.Exports(), m.files.Merges(), rows(m.activities.Actions()),
		rows(m.agents.Actions()), m.agents.Entries(),
		rows(
			m.catalogs.Actions(), m.doctor.Actions(), m.taps.Actions(), m.chain.Actions(), m.pair.Actions(), m.answers.Actions(), m.fanout.Actions(), m.cards.OtherActions(), m.approvals.Actions(),
			m.extensions.Actions(), m.webhooks.Actions(), m.signIn.Actions(), m.credentials.Actions(),
		),
		m.credentials.Entries(), m.pins.Cards(), rows(m.pins.Actions()), m.pins.Entries(), rows(m.pins.TypedActions()),
		rows(m.records.Actions(), m.records.FilterActions()), m.wireCommands(),
		rows(m.lanes.Actions(), m.sessions.Actions(), m.start.Actions(), m.theme.Actions()), m.theme.Entries(),
		rows(
			m.settings.Actions(), m.present.Actions(), m.screenshot.Actions(), m.findings.Actions(), r.places(), r.screen(), r.terminal(),
			m.outbox.TurnActions(), // last, so that /qu completes to quit before quote
		),
	)
}

// wireCommands returns the finder commands of the wire pane.
func (m *Model) wireCommands() []control.Command {
	return paneCommands(m.panes.wire.Commands(), func(run func() wire.Intent) tea.Cmd {
		m.setFocus(control.OnWire)
		m.arrange()
		return m.onWireIntent(run())
	})
}

// paneCommands returns the commands of a pane as those of the finder: do carries one out.
func paneCommands[R any](all []action.Command[R], do func(run func() R) tea.Cmd) (out []control.Command) {
	for _, a := range all {
		out = append(out, control.Command{Keys: a.Keys, Name: a.Name, Also: a.Also, Why: a.Why, Run: func() tea.Cmd { return do(a.Run) }})
	}
	return out
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

// slashKeys returns the slash commands as the help lists keys: those that are not possible now are
// disabled, and why has the reasons by what they do.
func (m *Model) slashKeys() (all []key.Binding, why map[string]string) {
	why = map[string]string{}
	for _, c := range m.slashes() {
		b := action.Label(c.Usage(), c.About)
		b.SetEnabled(c.Why == "")
		all, why[c.About] = append(all, b), c.Why
	}
	return all, why
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
