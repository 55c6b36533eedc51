package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/ui/control"
)

func TestTheFinderDoesWhatTheKeysOfTheWireDo(t *testing.T) {
	t.Parallel()
	bubble(t, 140, 50, Options{}, func(d *desk) {
		d.book(allBooked)
		choose := func(words string) {
			d.t.Helper()
			d.press("ctrl+p")
			d.write(words)
			d.press("enter")
		}
		choose("Fold all exchanges")
		d.sees("▸ → Send")
		if d.model.screen.at != control.OnWire {
			t.Errorf("got focus %v, want the wire", d.model.screen.at)
		}
		choose("Unfold all exchanges")
		d.sees("· check␣")
		choose("Mark the selected record")
		d.sees("◆")
		choose("Search the wire")
		d.write("itinerary")
		d.press("enter")
		d.sees("find itinerary", " of ")
		at := d.model.panes.wire.Selected()
		choose("Go to the previous match")
		if d.model.panes.wire.Selected() == at {
			t.Errorf("got record %d selected, want the previous match", at)
		}
		choose("Show times since the exchange began")
		d.sees("+4.72 s")
	})
	bubble(t, 140, 50, Options{}, func(d *desk) {
		for _, e := range d.model.wireCommands() {
			if e.Why == "" && !strings.HasPrefix(e.Name, "Stay at") {
				t.Errorf("%q is offered on an empty wire", e.Name)
			}
		}
	})
}

func TestSendingResumesFollowing(t *testing.T) {
	t.Parallel()
	bubble(t, 160, 45, Options{}, func(d *desk) {
		d.book(allBooked)
		d.press("tab", "tab", "k", "k")
		d.sees("· held")
		d.press("ctrl+l")
		d.write("and back")
		d.sees("· held")
		d.press("enter")
		if text := d.text(); strings.Contains(text, "· held") || !d.model.panes.wire.Following() {
			t.Errorf("got a wire that stays where it was after a message was sent, want it to follow:\n%s", text)
		}
	})
}

func TestTheNoteOfTheWireIsNeverCut(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allBooked)
		for w := 80; w <= 200; w++ {
			d.send(tea.WindowSizeMsg{Width: w, Height: 40})
			rows := d.rows()
			_, frame, _ := strings.Cut(rows[d.model.screen.layout.Wire.Y], "wire · conversation")
			if strings.Contains(frame, "…") {
				t.Errorf("%d columns: got title %q, want a shorter note", w, frame)
			}
		}
	})
}
