package heap

import (
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// A small heap may double and a large one may grow by a third; while the user types both may
// grow by SpareHeap more.
func TestTheCollectorLeavesABoundedRoom(t *testing.T) {
	for _, c := range []struct{ live, room uint64 }{
		{0, 4 << 20}, {1 << 20, 4 << 20}, {30 << 20, 30 << 20}, {60 << 20, 48 << 20}, {300 << 20, 100 << 20}, {3 << 30, 1 << 30},
	} {
		for _, typing := range []bool{false, true} {
			room := c.room
			if typing {
				room += SpareHeap
			}
			live := max(c.live, 4<<20)
			if got := live * uint64(growth(c.live, typing)) / 100; got > room || got < room-live/100 {
				t.Errorf("a heap of %d bytes may grow by %d, want %d (somebody types: %v)", c.live, got, room, typing)
			}
		}
	}
}

// The collector adjusts after each collection.
func TestTheCollectorAdjustsAfterEachCollection(t *testing.T) {
	var asked atomic.Int64
	c := NewCollector(Runtime{Set: func(p int) int { return p }, Live: func() uint64 { return uint64(asked.Add(1)) }}, 0)
	c.Watch()
	for seen := int64(0); seen < 3; {
		runtime.GC()
		if n := asked.Load(); n > seen {
			seen = n
		}
	}
}

// Memory is released once after a long stream, when no more records arrive, and never after a
// short one.
func TestMemoryIsGivenBackAfterALongStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var released atomic.Int64 // a timer runs in another goroutine
		c := NewCollector(Runtime{Release: func() { released.Add(1) }}, 0)
		pass := func(d time.Duration) {
			time.Sleep(d)
			synctest.Wait()
		}
		c.CountRecords(releaseRecords - 1)
		if pass(2 * releaseAfter); released.Load() != 0 {
			t.Fatalf("after %d records: released %d times, want 0", releaseRecords-1, released.Load())
		}
		for range 10 { // the stream continues
			c.CountRecords(releaseRecords)
			if pass(releaseAfter / 2); released.Load() != 0 {
				t.Fatal("got memory released while records came, want it retained")
			}
		}
		if pass(releaseAfter); released.Load() != 1 {
			t.Fatalf("released %d times after the stream, want 1", released.Load())
		}
		c.CountRecords(1)
		if pass(2 * releaseAfter); released.Load() != 1 {
			t.Errorf("released %d times after one record more, want 1", released.Load())
		}
	})
}
