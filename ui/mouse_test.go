package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

func TestTheWheelAloneScrollsTheHelp(t *testing.T) {
	t.Parallel()
	bubble(t, 80, 24, Options{}, func(d *desk) {
		d.press("f1")
		top := d.text()
		d.send(tea.MouseClickMsg{Button: tea.MouseLeft, X: 40, Y: 12})
		d.send(tea.MouseWheelMsg{Button: tea.MouseWheelLeft, X: 40, Y: 12})
		if d.text() != top {
			t.Errorf("a click or a sideways wheel scrolled the help:\n%s", d.text())
		}
		d.send(tea.MouseWheelMsg{Button: tea.MouseWheelDown, X: 40, Y: 12})
		if d.text() == top {
			t.Error("the wheel did not scroll the help")
		}
		d.send(tea.MouseWheelMsg{Button: tea.MouseWheelUp, X: 40, Y: 12})
		if d.text() != top {
			t.Errorf("the wheel did not scroll the help back:\n%s", d.text())
		}
	})
}

// Where the agents have no pane, the header says how many there are, and a click on that lists them.
func TestAClickOnTheNumberOfAgentsListsThem(t *testing.T) {
	t.Parallel()
	bubble(t, 80, 24, Options{}, func(d *desk) {
		d.book(allBooked)
		d.sees("1 of 4")
		at := d.model.header.Agents()
		d.send(tea.MouseClickMsg{X: at.X + 1, Y: at.Y, Button: tea.MouseLeft})
		d.sees("agents", "Scribe", "Old Clerk", "Saboteur")
		if text := d.text(); strings.Contains(text, "Choose theme") {
			t.Errorf("got commands, want agents alone:\n%s", text)
		}
	})
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allBooked)
		if text := d.text(); strings.Contains(text, "1 of 4") {
			t.Errorf("got the number beside the list of agents, want none:\n%s", text)
		}
	})
}
