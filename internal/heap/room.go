package heap

import (
	"runtime"
	"sync"
)

// usual is by how many percent a heap grows before a collection if nothing else is said.
const usual = 100

// A Room is what the heap may grow by, at least, before each collection.
type Room struct {
	rt    Runtime
	bytes uint64

	mu     sync.Mutex
	before int // what was set before
	ended  bool
}

// LeaveRoom lets the heap grow by so many bytes, at least, before each collection. A command
// that prints a stream keeps little and makes much garbage: with the usual room it collects tens
// of times a second.
func LeaveRoom(rt Runtime, bytes uint64) *Room {
	r := &Room{rt: rt, bytes: bytes}
	r.before = rt.Set(r.percent())
	type cycle struct{ r *Room }
	var over func(*cycle)
	over = func(c *cycle) {
		if c.r.adjust() {
			runtime.SetFinalizer(c, over)
		}
	}
	runtime.SetFinalizer(&cycle{r}, over)
	return r
}

// percent returns by how many percent the heap may grow from what the last collection left.
func (r *Room) percent() int {
	live := max(r.rt.Live(), leastHeap)
	return int(max(usual, 100*r.bytes/live))
}

// adjust sets the room anew after a collection. It reports whether it is to be called again.
func (r *Room) adjust() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.ended {
		r.rt.Set(r.percent())
	}
	return !r.ended
}

// End restores what was set before. A nil Room does nothing.
func (r *Room) End() {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.ended {
		r.ended = true
		r.rt.Set(r.before)
	}
}
