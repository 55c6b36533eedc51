package ui

import (
	"testing"

	"parley/ui/control"
)

// Choosing an agent goes back to where the user was with it.
func TestAnAgentIsShownWhereItWasLeft(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(asksWhere)
		booking := d.model.cur
		find := func(name string) {
			t.Helper()
			d.press("ctrl+p")
			d.write(name)
			d.press("enter")
		}
		is := func(what string, want control.Place) {
			t.Helper()
			if d.model.cur != want {
				t.Errorf("%s: got place %+v, want %+v", what, d.model.cur, want)
			}
		}
		d.press("ctrl+t") // another target than the task that asks
		target, _ := d.model.outbox.Target()
		find("Scribe")
		is("an agent that was never shown", control.Place{Agent: 2})
		find("Travel Desk")
		is("the agent with a conversation", booking)
		if got, _ := d.model.outbox.Target(); got.Label != target.Label {
			t.Errorf("got target %q, want the chosen one %q", got.Label, target.Label)
		}
		d.press("ctrl+n")
		find("Scribe")
		find("Travel Desk")
		is("a conversation without text was begun", booking)
		d.press("ctrl+n")
		d.write("half a thought")
		find("Scribe")
		find("Travel Desk")
		is("a message was begun", control.Place{Agent: booking.Agent})
		d.sees("half a thought")
		find("Scribe")
		d.press("f2", "esc")
		d.write("/agent Travel Desk")
		d.press("enter")
		is("by its slash word", control.Place{Agent: booking.Agent})
	})
}
