package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/ui/control"
	"parley/ui/control/cards"
)

// From the conversation two keys and a word lead to the evidence, and enter or a click to the record
// in the wire pane, which then has the focus.
func TestEvidenceLeadsToItsRecord(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allFound)
		proof := d.model.agent().Profile.Evidence[0].Record
		atRecord := func(how string, want a2a.RecordID) {
			d.t.Helper()
			if got := d.model.panes.wire.Selected(); want == 0 || got != want || (host{d.model}).Focused() != control.OnWire || (host{d.model}).Covered() {
				t.Errorf("%s: got record %d, focus %d, want record %d in the wire pane:\n%s", how, got, (host{d.model}).Focused(), want, d.text())
			}
			d.press("ctrl+l")
		}
		d.press("ctrl+p")
		d.write("how does parley know")
		d.sees("Show evidence: how does Parley know how the agent speaks")
		d.press("enter")
		d.sees("How Parley knows this", "w show evidence")
		d.press("enter")
		atRecord("finder", d.model.agent().Profile.Evidence[0].Record)
		d.write("/evidence")
		d.press("enter", "enter")
		atRecord("/evidence", proof)
		d.press("f2", "w", "enter")
		atRecord("f2", proof)
		d.press("f2", "w")
		for y, row := range d.rows() {
			if x := strings.Index(row, "card.json #"); x >= 0 {
				click := tea.MouseClickMsg{Button: tea.MouseLeft, X: 40, Y: y}
				d.send(click)
				d.send(click)
			}
		}
		atRecord("click", d.model.agent().Attempts[0].Record)
	})
}

// A fact that the user pinned leads nowhere, and a sentence says so.
func TestAPinHasNoRecord(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allFound)
		a := d.model.agent()
		pins := a2a.Pins{Dialect: a2a.V10}
		a.Profile = pins.Apply(a.Profile)
		d.press("f2", "w", "enter")
		d.sees("(pinned, no record)", "You pinned that, so no record proves it.")
		if !(host{d.model}).Shows(cards.SheetName) {
			t.Errorf("the sheet is closed, want it to stay:\n%s", d.text())
		}
	})
}
