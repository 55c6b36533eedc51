package ui

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
)

// From a key to the frame that shows what it did nothing of a stream is applied, but the
// stream does not wait for ever for a frame that does not come.
func TestAStreamWaitsUntilAKeyIsAnswered(t *testing.T) {
	for name, answered := range map[string]bool{"a frame is written": true, "none is": false} {
		bubble(t, 120, 40, Options{}, func(d *desk) {
			d.book(midStream)
			m := d.model
			m.out = &output{wake: make(chan struct{}, 1), wrote: make(chan struct{}, 1)}
			had := m.state.Log.Len()
			msg := batchMsg{Items: []session.Item{d.items[midStream]}}
			m.Update(tea.KeyPressMsg{Code: 'x', Text: "x"})
			_, cmd := m.Update(msg)
			if n := m.state.Log.Len() - had; n != 0 {
				t.Fatalf("%s: %d records were applied before", name, n)
			}
			if answered {
				_, _ = m.out.WriteString("what the key did")
			}
			began := time.Now()
			left, ok := rest(cmd)
			if !ok || len(left.Items) != 1 {
				t.Fatalf("%s: the batch is lost", name)
			}
			if waited := time.Since(began); answered != (waited == 0) || waited > answerTime {
				t.Errorf("%s: the batch waited for %v", name, waited)
			}
			if m.Update(left); m.state.Log.Len() != had+1 {
				t.Errorf("%s: %d records were applied afterwards", name, m.state.Log.Len()-had)
			}
			m.out = nil // which nobody empties
		})
	}
}

// While somebody types a stream has a quarter of the time, and all of it otherwise.
func TestWhileSomebodyTypesAStreamTakesItsTime(t *testing.T) {
	bubble(t, 120, 40, Options{}, func(d *desk) {
		m := d.model
		m.out = &output{}
		wait := func(took time.Duration) time.Duration { return m.leisure(frame, took) }
		for _, c := range []struct {
			key         rune
			later, took time.Duration
			want        time.Duration
		}{
			{'x', 0, frame, typingShare * frame},
			{'x', typingTime - 1, frame, typingShare * frame},
			{'x', typingTime, frame, 0},
			{'x', 0, time.Millisecond, frame - time.Millisecond}, // a slow stream does not notice
			{tea.KeyEnter, 0, frame, 0},                          // what was asked for may come
		} {
			m.asked(tea.KeyPressMsg{Code: c.key})
			time.Sleep(c.later)
			if got := wait(c.took); got != c.want {
				t.Errorf("%v after %q, a batch took %v: the next one waits for %v, want %v", c.later, c.key, c.took, got, c.want)
			}
		}
		m.out = nil
	})
}
