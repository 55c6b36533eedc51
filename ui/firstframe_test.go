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
