package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/internal/units"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/keys"
)

// clearOrQuit handles ctrl+c: it closes the open input and clears the composer; the next ctrl+c
// quits. Its notice names what would be left behind.
func (m *Model) clearOrQuit() tea.Cmd {
	if m.screen.at != control.OnComposer && m.typing() {
		m.leaveInput()
		return nil
	}
	if c := m.panes.composer; c.Searching() {
		c.StopSearch(false)
		return nil
	}
	secret := m.panes.composer.Secret()
	cleared := m.panes.composer.Clear()
	if m.quit && !cleared {
		return m.leave()
	}
	before := ""
	if cleared && secret {
		before = "cleared, and not saved; "
	} else if cleared {
		before = "cleared, " + keys.Name(m.panes.composer.Of(composer.PreviousMessage)) + " restores it; "
	}
	return rootActions{m}.askAgain(clearOrQuit, before, "")
}

// leave handles the letter that leaves: a recording at once, a live session at the second press. Until
// then its notice says how one leaves, and what would be left behind.
func (r rootActions) leave() tea.Cmd {
	m := r.m
	if m.quit || m.readOnly() {
		return m.leave()
	}
	unsent := ""
	if !m.panes.composer.Empty() {
		unsent = "; the text in the text field would not be sent"
	}
	return r.askAgain(leave, "", unsent)
}

// askAgain says that the keys of an action leave when they are pressed again.
func (r rootActions) askAgain(id action.ID, before, after string) tea.Cmd {
	m, leads := r.m, " again quits"
	if m.opts.Back != "" {
		leads = " again goes " + backWords(m.opts.Back)
	}
	m.quit = true
	return m.sayUntil(before+keys.Name(m.keys.Key(id))+leads+after+leftBehind(m), false, func() bool { return !m.quit })
}

// leave quits the program.
func (m *Model) leave() tea.Cmd { return host{m}.handOver(tea.Quit) }

// leftBehind says what the end of the program leaves behind, after a semicolon; empty for nothing.
func leftBehind(m *Model) (text string) {
	if n := m.outbox.Queued(); n > 0 {
		text += "; " + units.Plural(n, "queued message") + " would not be sent"
	}
	if work := m.tasks.AtEnd(); work != "" {
		text += "; " + work
	}
	return text
}

// backWords say where the user is after a recording.
func backWords(to string) string {
	const most = 24
	return "back to " + canvas.Ellipsize(canvas.SanitizeLine(to), most, "…")
}
