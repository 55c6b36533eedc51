package ui

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/heap"
	"parley/session/log"
)

// A fakeDisplay is a terminal that takes as much as a test says.
type fakeDisplay struct {
	behind, drawn bool
	writes        int64
	wrote, first  chan struct{}
}

func (d *fakeDisplay) Behind() bool                { return d.behind }
func (d *fakeDisplay) Drawn() bool                 { return d.drawn }
func (d *fakeDisplay) FirstFrame() <-chan struct{} { return d.first }
func (d *fakeDisplay) Writes() int64               { return d.writes }
func (d *fakeDisplay) Progress() <-chan struct{}   { return d.wrote }

// No item of a stream is applied between a key and the frame that shows its effect, but the
// stream does not wait for ever for a frame that does not come.
func TestAStreamWaitsUntilAKeyIsAnswered(t *testing.T) {
	t.Parallel()
	for name, answered := range map[string]bool{"a frame is written": true, "none is": false} {
		bubble(t, 120, 40, Options{}, func(d *desk) {
			d.book(midStream)
			m := d.model
			out := &fakeDisplay{wrote: make(chan struct{}, 1)}
			m.pace.out = out
			had := m.state.Log.Len()
			msg := batchMsg{Items: []log.Item{d.items[midStream]}}
			m.Update(tea.KeyPressMsg{Code: 'x', Text: "x"})
			_, cmd := m.Update(msg)
			if n := m.state.Log.Len() - had; n != 0 {
				t.Fatalf("%s: %d records were applied before the key was answered, want 0", name, n)
			}
			if answered {
				out.writes++
				out.wrote <- struct{}{}
			}
			began := time.Now()
			left, ok := rest(cmd)
			if !ok || len(left.Items) != 1 {
				t.Fatalf("%s: got %d items, want the batch of 1 again", name, len(left.Items))
			}
			if waited := time.Since(began); answered != (waited == 0) || waited > answerTime {
				t.Errorf("%s: got a wait of %v, want at most %v, and none after an answer", name, waited, answerTime)
			}
			if m.Update(left); m.state.Log.Len() != had+1 {
				t.Errorf("%s: got %d records applied afterwards, want 1", name, m.state.Log.Len()-had)
			}
			m.pace.out = nil // it never catches up
		})
	}
}

// While the user types, a stream gets a quarter of the time, at most twenty frames a second and
// small batches; otherwise all of the time.
func TestWhileSomebodyTypesAStreamTakesItsTime(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		m := d.model
		m.pace.out = &fakeDisplay{}
		for _, c := range []struct {
			key         rune
			later, took time.Duration
			want        time.Duration
			most        int
		}{
			{'x', 0, typingFrame, typingShare * typingFrame, typingBatch},
			{'x', typingTime - 1, typingFrame, typingShare * typingFrame, typingBatch},
			{'x', typingTime, frame, 0, maxBatch},
			{'x', 0, time.Millisecond, typingFrame - time.Millisecond, typingBatch},
			{tea.KeyEnter, 0, frame, 0, maxBatch}, // messages that were asked for may come
		} {
			m.pace.onKey(tea.KeyPressMsg{Code: c.key})
			time.Sleep(c.later)
			if got, most := m.pace.nextBatch(frame, c.took); got != c.want || most != c.most {
				t.Errorf("%v after %q, a batch took %v: the next one, of %d items at most, waits for %v; want %d and %v", c.later, c.key, c.took, most, got, c.most, c.want)
			}
		}
		m.pace.out = nil
	})
}

// While the user types during a fast stream, the garbage collector is put off. It runs as usual
// when nobody types, or when the records are few and may be large.
func TestTheCollectorIsPutOffWhileSomebodyTypes(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(midStream)
		m := d.model
		const usualGC = 100
		var percent atomic.Int64 // a timer sets it, too
		percent.Store(usualGC)
		out := &fakeDisplay{}
		m.pace.out, m.pace.collector = out, heap.NewCollector(heap.Runtime{
			Set:  func(p int) int { return int(percent.Swap(int64(p))) },
			Live: func() uint64 { return heap.SpareHeap / 2 },
		}, usualGC)
		batch := func(n int) {
			var items []log.Item
			d.chunks(n, func(it log.Item) {
				it.Record.ID = a2a.RecordID(m.state.Log.Len() + len(items) + 1)
				items = append(items, it)
			})
			m.Update(batchMsg{Items: items, began: m.opts.Now()})
		}
		batch(manyItems)
		if percent.Load() != usualGC {
			t.Fatalf("nobody types: got the collector at %d %%, want the usual", percent.Load())
		}
		m.pace.onKey(tea.KeyPressMsg{Code: 'x'})
		out.writes++ // the key is answered
		batch(manyItems - 1)
		if percent.Load() != usualGC {
			t.Fatalf("few records: got the collector at %d %%, want the usual", percent.Load())
		}
		for range 2 {
			batch(manyItems)
			if want := usualGC + 200; percent.Load() != int64(want) {
				t.Fatalf("somebody types: got the collector at %d %%, want %d %%", percent.Load(), want)
			}
			time.Sleep(typingTime / 2)
		}
		time.Sleep(typingTime)
		if synctest.Wait(); percent.Load() != usualGC {
			t.Fatalf("nobody types any more: got the collector at %d %%, want the usual", percent.Load())
		}
		m.pace.out, m.pace.collector = nil, nil
	})
}
