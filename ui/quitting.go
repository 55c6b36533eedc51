package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/internal/units"
	"parley/ui/control"
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
	m.quit = true
	text := "ctrl+c again quits"
	if cleared && secret {
		text = "cleared, and not saved; " + text
	} else if cleared {
		text = "cleared, up restores it; " + text
	}
	if n := m.outbox.Queued(); n > 0 {
		text += "; " + units.Plural(n, "queued message") + " would not be sent"
	}
	if work := m.tasks.AtEnd(); work != "" {
		text += "; " + work
	}
	return m.say(text, false)
}

// leave quits the program.
func (m *Model) leave() tea.Cmd { return m.probe.HandOver(tea.Quit) }
