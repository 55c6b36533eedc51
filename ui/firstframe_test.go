package ui

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	tea "charm.land/bubbletea/v2"

	"parley/session/catalog"
	"parley/session/replay"
)

// TestNothingRunsBeforeTheFirstFrame delays a command until the terminal has the first frame,
// or the program ends.
func TestNothingRunsBeforeTheFirstFrame(t *testing.T) {
	t.Parallel()
	for _, over := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			shown, ran := make(chan struct{}), false
			go after(ctx, shown, func() tea.Msg { ran = true; return nil })()
			if synctest.Wait(); ran {
				t.Error("the command ran before the first frame")
			}
			if over {
				stop()
			} else {
				close(shown)
			}
			if synctest.Wait(); !ran {
				t.Error("the command did not run")
			}
		})
	}
}

// TestRecordingsAreListedAfterTheFirstFrame begins with a recording in the folder of sessions.
func TestRecordingsAreListedAfterTheFirstFrame(t *testing.T) {
	t.Parallel()
	dir, o := t.TempDir(), startOptions()
	o.Sessions.Catalog = catalog.Open(dir, catalog.Options{})
	bubble(t, 120, 40, o, func(d *desk) {
		text, err := os.ReadFile("testdata/booking.jsonl")
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, "20261120-111906-0a1b2c.jsonl"), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		first := make(chan struct{})
		d.model.pace.out = &fakeDisplay{first: first}
		defer func() { d.model.pace.out = nil }()
		d.run(d.model.Init())
		d.settle()
		const prompt = "Book me a flight"
		if got := d.text(); strings.Contains(got, prompt) {
			t.Errorf("before the first frame: got the recording in\n%s", got)
		}
		close(first)
		d.settle()
		if got := d.text(); !strings.Contains(got, prompt) {
			t.Errorf("after the first frame: got no recording in\n%s", got)
		}
	})
}

// TestAReplayMakesItsIndexAfterTheFirstFrame begins a replay, whose first model shows the first record.
func TestAReplayMakesItsIndexAfterTheFirstFrame(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		first, o := make(chan struct{}), played(booked, replay.Options{Step: true})
		o.firstFrame = first
		d := newDesk(t, o)
		d.send(tea.WindowSizeMsg{Width: 120, Height: 40})
		r := d.root.(*replayScreen)
		d.at(1)
		if n, _ := r.player.Len(); n != 0 || r.generation != 1 {
			t.Errorf("before the first frame: got %d records in the index and %d models, want 0 and 1", n, r.generation)
		}
		close(first)
		d.wait(playPause)
		if n, whole := r.player.Len(); n != allBooked || !whole {
			t.Errorf("after the first frame: got %d records in the index, complete %t, want all %d", n, whole, allBooked)
		}
	})
}

// TestARecordingThatIsGoneSaysSo removes a recording between the start of the program and that of its screen.
func TestARecordingThatIsGoneSaysSo(t *testing.T) {
	t.Parallel()
	o := played(filepath.Join(t.TempDir(), "gone\x1b[2J.jsonl"), replay.Options{})
	bubble(t, 120, 40, o, func(d *desk) { d.sees("This recording cannot be played") })
}

// TestInARecordingNothingIsUnderWay reads a recording that ends in the middle of an answer.
func TestInARecordingNothingIsUnderWay(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{Name: "booking.jsonl"}, func(d *desk) {
		d.replay("booking.jsonl")
		d.upTo(allBooked / 2)
		if m := d.model; m.tasks.Pending() == 0 || m.tasks.Busy() || !m.ticks.due.IsZero() || m.motion.ticks {
			t.Errorf("got %d pending turns, busy %t, clock %t, spinner %t; want pending turns and nothing running", m.tasks.Pending(), m.tasks.Busy(), !m.ticks.due.IsZero(), m.motion.ticks)
		}
	})
}
