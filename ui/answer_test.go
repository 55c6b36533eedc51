package ui

import (
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
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

// While somebody types a stream has a quarter of the time, no more than twenty frames a
// second and small batches; all of the time otherwise.
func TestWhileSomebodyTypesAStreamTakesItsTime(t *testing.T) {
	bubble(t, 120, 40, Options{}, func(d *desk) {
		m := d.model
		m.out = &output{}
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
			{tea.KeyEnter, 0, frame, 0, maxBatch}, // what was asked for may come
		} {
			m.asked(tea.KeyPressMsg{Code: c.key})
			time.Sleep(c.later)
			if got, most := m.leisure(frame, c.took); got != c.want || most != c.most {
				t.Errorf("%v after %q, a batch took %v: the next one, of %d items at most, waits for %v; want %d and %v", c.later, c.key, c.took, most, got, c.most, c.want)
			}
		}
		m.out = nil
	})
}

// While somebody types into a fast stream the garbage collector is put off, and goes on as
// usual when nobody does, or when the records are few and may be large.
func TestTheCollectorIsPutOffWhileSomebodyTypes(t *testing.T) {
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(midStream)
		m := d.model
		const usualGC = 100
		var percent atomic.Int64 // a timer sets it, too
		percent.Store(usualGC)
		m.out, m.collector = &output{}, &collector{
			set:  func(p int) int { return int(percent.Swap(int64(p))) },
			live: func() uint64 { return spareHeap / 2 },
			put:  usualGC,
		}
		batch := func(n int) {
			var items []session.Item
			d.chunks(n, func(it session.Item) {
				it.Record.ID = a2a.RecordID(m.state.Log.Len() + len(items) + 1)
				items = append(items, it)
			})
			m.Update(batchMsg{Items: items, began: m.opts.Now()})
		}
		batch(manyItems)
		if percent.Load() != usualGC {
			t.Fatalf("nobody types, and the collector is at %d %%", percent.Load())
		}
		m.asked(tea.KeyPressMsg{Code: 'x'})
		m.screen.answer.out.writes.Add(1) // the key is answered
		batch(manyItems - 1)
		if percent.Load() != usualGC {
			t.Fatalf("few records came, and the collector is at %d %%", percent.Load())
		}
		for range 2 {
			batch(manyItems)
			if want := usualGC + 200; percent.Load() != int64(want) {
				t.Fatalf("somebody types, and the collector is at %d %%, want %d %%", percent.Load(), want)
			}
			time.Sleep(typingTime / 2)
		}
		time.Sleep(typingTime)
		if synctest.Wait(); percent.Load() != usualGC {
			t.Fatalf("nobody types any more, and the collector is at %d %%", percent.Load())
		}
		m.out, m.collector = nil, nil
	})
}

// The heap may double while it is small and grows by a third when it is large; while
// somebody types by so much more, whatever it is.
func TestTheCollectorLeavesABoundedRoom(t *testing.T) {
	for _, c := range []struct{ live, room uint64 }{
		{0, 4 << 20}, {1 << 20, 4 << 20}, {30 << 20, 30 << 20}, {60 << 20, 48 << 20}, {300 << 20, 100 << 20}, {3 << 30, 1 << 30},
	} {
		for _, typing := range []bool{false, true} {
			room := c.room
			if typing {
				room += spareHeap
			}
			live := max(c.live, 4<<20)
			if got := live * uint64(growth(c.live, typing)) / 100; got > room || got < room-live/100 {
				t.Errorf("a heap of %d bytes may grow by %d, want %d (somebody types: %v)", c.live, got, room, typing)
			}
		}
	}
}

// The collector is asked anew after each collection.
func TestTheCollectorAdjustsAfterEachCollection(t *testing.T) {
	var asked atomic.Int64
	c := &collector{set: func(p int) int { return p }, live: func() uint64 { return uint64(asked.Add(1)) }}
	c.watch()
	for seen := int64(0); seen < 3; {
		runtime.GC()
		if n := asked.Load(); n > seen {
			seen = n
		}
	}
}

// Memory is given back once after a long stream, when nothing comes any more, and never after
// a short one.
func TestMemoryIsGivenBackAfterALongStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var released atomic.Int64 // a timer counts it
		c := &collector{release: func() { released.Add(1) }}
		pass := func(d time.Duration) {
			time.Sleep(d)
			synctest.Wait()
		}
		c.received(releaseRecords - 1)
		if pass(2 * releaseAfter); released.Load() != 0 {
			t.Fatalf("after %d records: released %d times, want 0", releaseRecords-1, released.Load())
		}
		for range 10 { // it goes on
			c.received(releaseRecords)
			if pass(releaseAfter / 2); released.Load() != 0 {
				t.Fatal("released while records came")
			}
		}
		if pass(releaseAfter); released.Load() != 1 {
			t.Fatalf("released %d times after the stream, want 1", released.Load())
		}
		c.received(1)
		if pass(2 * releaseAfter); released.Load() != 1 {
			t.Errorf("released %d times after one record more, want 1", released.Load())
		}
	})
}
