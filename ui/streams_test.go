package ui

import (
	"testing"
	"time"

	"parley/a2a"
	"parley/ui/control"
)

func TestTheAgeOfAStreamGrowsWhileNothingComes(t *testing.T) {
	t.Parallel()
	bubble(t, 164, 46, Options{}, func(d *desk) {
		d.book(midStream)
		d.model.setFocus(control.OnWire)
		d.press("s")
		d.sees("stream 40", "open")
		d.wait(5 * time.Second)
		d.sees("┊ ‖ silent 5 s", "stalled")
	})
}

// Every record with a chunk of an artifact leads to the text, and the text to the record.
func TestTheConversationAndTheWireFindEachOther(t *testing.T) {
	t.Parallel()
	bubble(t, 164, 46, Options{}, func(d *desk) {
		d.book(allBooked)
		m := d.model
		chunks := 0
		for id := a2a.RecordID(1); int(id) <= m.state.Log.Len(); id++ {
			it := m.state.Log.At(id)
			if len(it.Update.Events) != 1 || it.Update.Events[0].Kind != a2a.EventArtifact {
				continue
			}
			chunks++
			m.panes.wire.Select(id)
			m.setFocus(control.OnWire)
			d.press("enter")
			if got := m.panes.chat.Selected(); got != id {
				t.Fatalf("got record %d selected, want %d", id, got)
			}
		}
		if chunks < 20 {
			t.Fatalf("got %d chunks, want at least 20", chunks)
		}
		m.setFocus(control.OnChat)
		first := m.panes.chat.Selected()
		for range 5 {
			d.press("k", "h")
			if at := m.panes.chat.Selected(); at == first || m.panes.wire.Selected() != at {
				t.Errorf("the conversation's cursor is on record %d, the wire's on %d, want both on an earlier one", at, m.panes.wire.Selected())
			}
		}
		d.press("enter", "s")
		d.sees("stream 40", "completed", "gap p50")
	})
}
