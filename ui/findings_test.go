package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/log"
	"parley/ui/canvas"
	"parley/ui/control"
	"parley/ui/control/findings"
)

// wrong plays the booking and records after it that break rules.
func (d *desk) wrong() {
	d.t.Helper()
	d.book(allBooked)
	var batch []log.Item
	for i, rule := range []string{"STAT-001", "SSE-005", "STAT-001"} {
		batch = append(batch, log.Item{
			Record: a2a.Record{ID: allBooked + 1 + a2a.RecordID(i), Kind: a2a.KindNote, Time: d.clock, Call: &a2a.Call{Agent: d.model.agent().ID}, Note: &a2a.Note{Type: "wrong"}},
			Update: a2a.Update{Findings: []a2a.Finding{{Rule: rule, Severity: a2a.Error - a2a.Severity(i%2), Message: "what is wrong"}}},
		})
	}
	d.send(batchMsg{Items: batch})
}

func TestFindingsLeadToTheirRecords(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.wrong()
		d.press("tab", "F")
		d.sees("findings", "E STAT-001", "W SSE-005", "2 errors")
		d.press("enter")
		if got := d.model.panes.wire.Selected(); got != allBooked+1 || d.model.screen.at != control.OnWire {
			t.Errorf("got record %d selected, want the first of the finding in the wire pane", got)
		}
		d.says("STAT-001 1 of 2; F and enter show the next")
		d.press("F", "enter")
		if got := d.model.panes.wire.Selected(); got != allBooked+3 {
			t.Errorf("got record %d selected, want the finding's next one", got)
		}
		if n := d.model.state.Log.Findings().Count(a2a.Error); n != 2 {
			t.Errorf("got %d errors, want 2", n)
		}
		d.press("F", "m", "esc")
		if n := d.model.state.Log.Findings().Count(a2a.Error); n != 0 {
			t.Errorf("got %d errors of a muted rule, want 0", n)
		}
	})
}

func TestTheWireListsWhatARuleFiredIn(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.wrong()
		d.press("tab", "F", "f")
		d.sees("finding:STAT-001", "2 of 133")
		if d.model.screen.at != control.OnWire {
			t.Errorf("got focus %v, want the wire", d.model.screen.at)
		}
	})
}

func TestTheExchangeOfAFindingIsCopied(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.wrong()
		d.press("tab", "F", "/")
		d.write("HTTP-011") // of a card, which came with an exchange
		d.press("enter", "c")
		d.sees("copy", "raw request")
		d.press("b")
		if d.outside[len(d.outside)-1] != "tea.setClipboardMsg" {
			t.Errorf("got messages %q, want a copy to the clipboard last", d.outside)
		}
	})
}

func TestAClickOnTheFlagsShowsTheFindings(t *testing.T) {
	t.Parallel()
	bubble(t, 160, 40, Options{}, func(d *desk) {
		d.wrong()
		head, _, _ := strings.Cut(d.text(), "\n")
		at := canvas.Width(head[:strings.Index(head, "\u2691")])
		for x := range 160 {
			d.send(tea.MouseClickMsg{X: x, Y: 0, Button: tea.MouseLeft})
			if open := d.model.screen.over == findings.SheetName; open != (x >= at && x < at+canvas.Width("⚑ 2 errors  ⚑ 1 warning")) {
				t.Fatalf("column %d: got findings open %v, want them open for clicks on the flags at column %d:\n%s", x, open, at, head)
			}
			d.press("esc")
		}
	})
}

func TestTheFinderLeadsToARule(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.wrong()
		d.press("ctrl+p")
		d.write("SSE-005")
		d.press("enter")
		d.sees("SSE-005 \u00b7 warning")
		d.press("y", "esc")
		if d.outside[len(d.outside)-1] != "tea.setClipboardMsg" {
			t.Errorf("got messages %q, want a copy to the clipboard last", d.outside)
		}
	})
}
