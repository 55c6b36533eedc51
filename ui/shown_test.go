package ui

import (
	"context"
	"testing"
	"testing/synctest"

	tea "charm.land/bubbletea/v2"
)

// TestNothingRunsBeforeTheFirstFrame has a command wait for the terminal, or for the end.
func TestNothingRunsBeforeTheFirstFrame(t *testing.T) {
	for _, over := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			shown, ran := make(chan struct{}), false
			go after(ctx, shown, func() tea.Msg { ran = true; return nil })()
			if synctest.Wait(); ran {
				t.Error("it ran before")
			}
			if over {
				stop()
			} else {
				close(shown)
			}
			if synctest.Wait(); !ran {
				t.Error("it never ran")
			}
		})
	}
}

// TestInARecordingNothingIsUnderWay reads one that stops in the middle of an answer.
func TestInARecordingNothingIsUnderWay(t *testing.T) {
	bubble(t, 120, 40, Options{Name: "booking.jsonl"}, func(d *desk) {
		d.replay("booking.jsonl")
		d.upTo(allBooked / 2)
		if m := d.model; m.tasks.Pending() == 0 || m.tasks.Busy() || m.ticks.clock || m.ticks.spins {
			t.Errorf("%d turns are under way; busy is %t, the clock runs %t, the spinner %t", m.tasks.Pending(), m.tasks.Busy(), m.ticks.clock, m.ticks.spins)
		}
	})
}
