package ui

import (
	"strings"
	"testing"

	"parley/ui/control"
	"parley/ui/control/lanes"
)

func TestTheLanesLeadToTheWire(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allBooked)
		d.press("f6")
		d.sees("lanes", "whole session", "Travel Desk", "SendStreamingMessage")
		d.press("G", "v", "h", "h", "h", "enter")
		if m := d.model; m.screen.over != noOverlay || m.screen.at != control.OnWire || !strings.Contains(m.panes.wire.FilterText(), "since:+") {
			t.Fatalf("got sheet %q, pane %d and filter %q, want the wire filtered by a span", m.screen.over, m.screen.at, m.panes.wire.FilterText())
		}
		d.press("esc", "m", "f6", "enter")
		if got := d.model.panes.wire.Selected(); got == 0 || d.model.screen.over != noOverlay {
			t.Errorf("got record %d and sheet %q after enter, want a record in the wire", got, d.model.screen.over)
		}
		d.press("f6", "f6")
		if d.model.screen.over != noOverlay {
			t.Error("got a sheet after f6 twice, want none")
		}
	})
}

// A page names the key that goes to a task which waits, and the key works there. Where the record of the wire is in
// no lane, the lane of the conversation is selected.
func TestAPageLeadsToATaskThatWaits(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(asksWhere)
		d.model.panes.wire.Select(1) // a note
		d.press("f6")
		d.sees("ctrl+g answer", "▌▌ Travel Desk")
		d.sees("input-required")
		d.press("tab", "ctrl+g")
		if m := d.model; m.screen.over != noOverlay || m.screen.at != control.OnComposer {
			t.Errorf("got sheet %q, pane %d after ctrl+g, want the text field", m.screen.over, m.screen.at)
		}
		d.press("f1", "/", "ctrl+g")
		if d.model.screen.over == noOverlay {
			t.Error("got no sheet after ctrl+g in its filter, want the filter to have the keys")
		}
	})
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allBooked)
		if d.press("f6"); strings.Contains(d.text(), "ctrl+g") {
			t.Errorf("got a key to a task that waits, want none:\n%s", d.text())
		}
	})
}

func TestTheLanesOfARecording(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{Name: "booking.jsonl"}, func(d *desk) {
		d.replay("booking.jsonl")
		d.upTo(allBooked)
		d.wait(skimFrame)
		d.press("f6")
		if d.model.screen.over != lanes.SheetName {
			t.Fatalf("got sheet %q, want the lanes", d.model.screen.over)
		}
		d.wait(noticeTime * 3)
		before := d.text()
		d.wait(noticeTime * 3)
		d.press("0")
		if d.text() != before {
			t.Errorf("got other lanes of a recording a moment later:\n%s\nwant:\n%s", d.text(), before)
		}
	})
}

// The footer names the agent that is to be answered, where another one is on the screen.
func TestTheFooterNamesWhoWaits(t *testing.T) {
	t.Parallel()
	bubble(t, 200, 60, Options{}, func(d *desk) {
		d.book(asksWhere)
		d.model.goTo(control.Place{Agent: 2})
		d.send(nil)
		d.sees("ctrl+g answer Travel Desk")
		d.model.state.Agents[0].Given = "\x1b[31mFerry " + strings.Repeat("語", 100)
		d.press("f6")
		d.sees("ctrl+g answer ⟨ESC⟩")
	})
}
