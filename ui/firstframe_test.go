package ui

import (
	"context"
	"testing"
	"testing/synctest"

	tea "charm.land/bubbletea/v2"
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
