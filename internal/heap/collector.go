// Package heap decides when the garbage collector runs, so that what is resident stays close
// to what is kept, and no key waits for a collection.
package heap

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"

	"parley/internal/crash"
)

const (
	// roomyHeap is up to which size of the heap it may double before the garbage collector
	// runs again, as is usual.
	roomyHeap = 48 << 20
	// tightShare is the part of a larger heap, one in so many, that it may grow by: what is
	// kept of a long stream is text for the most part, through which the collector need not
	// look.
	tightShare = 3
	// leastHeap is what the runtime takes for less, too.
	leastHeap = 4 << 20
	// SpareHeap is how much more the heap may grow while the collector is put off.
	SpareHeap = 48 << 20
	// releaseAfter is how long nothing came before the memory that a long stream needed
	// for its garbage is given back to the system.
	releaseAfter = time.Second
	// releaseRecords is how many records have to have come since it was given back last:
	// what fewer needed is too little for a collection of the whole heap.
	releaseRecords = 50_000
)

// A Collector says when the garbage collector runs: more often where much is kept, so that
// what is resident stays close to it, and later while somebody types into a stream, because
// it has a thread for each core and needs milliseconds for which a key would wait.
type Collector struct {
	rt Runtime

	mu    sync.Mutex
	put   int         // what was set last
	timer *time.Timer // ends the time in which it is put off; nil at other times

	records int         // that came since memory was given back
	rest    *time.Timer // gives memory back; nil until enough records came
}

// A Runtime is what a [Collector] asks of Go's runtime.
type Runtime struct {
	Set  func(percent int) (before int)
	Live func() uint64 // bytes that the last collection left
	// Release collects what is garbage and gives its memory back to the system.
	Release func()
}

// GoRuntime returns the runtime of this process.
func GoRuntime() Runtime {
	return Runtime{Set: debug.SetGCPercent, Live: liveHeap, Release: debug.FreeOSMemory}
}

// NewCollector returns a collector for a runtime that is set to a percentage.
func NewCollector(rt Runtime, percent int) *Collector { return &Collector{rt: rt, put: percent} }

// Watch has the collector adjust after each collection. It has no end but the process's.
func (c *Collector) Watch() {
	type cycle struct{ c *Collector }
	var over func(*cycle)
	over = func(s *cycle) {
		s.c.adjust()
		runtime.SetFinalizer(s, over)
	}
	runtime.SetFinalizer(&cycle{c}, over)
}

// adjust sets how far the heap may grow from what it is now.
func (c *Collector) adjust() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.apply()
}

func (c *Collector) apply() {
	if percent := growth(c.rt.Live(), c.timer != nil); percent != c.put {
		c.put = percent
		c.rt.Set(percent)
	}
}

// PutOff lets the heap grow by [SpareHeap] more for so long. A nil collector does nothing.
func (c *Collector) PutOff(long time.Duration) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.timer != nil {
		c.timer.Reset(long)
		return
	}
	c.timer = time.AfterFunc(long, crash.Guarded(c.resume))
	c.apply()
}

func (c *Collector) resume() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.timer = nil
	c.apply()
}

// CountRecords counts records that came. After many, once nothing comes for a while, it gives
// memory back. A nil collector does nothing.
func (c *Collector) CountRecords(n int) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.records += n
	switch {
	case c.records < releaseRecords:
	case c.rest == nil:
		c.rest = time.AfterFunc(releaseAfter, crash.Guarded(c.giveBack))
	default:
		c.rest.Reset(releaseAfter)
	}
}

func (c *Collector) giveBack() {
	c.mu.Lock()
	c.records = 0
	c.mu.Unlock()
	c.rt.Release()
}

// growth returns by how many percent a heap may grow.
func growth(live uint64, putOff bool) (percent int) {
	live = max(live, leastHeap)
	room := min(live, max(roomyHeap, live/tightShare))
	if putOff {
		room += SpareHeap
	}
	return int(100 * room / live)
}

// liveHeap asks the runtime how large the heap was after the last collection.
func liveHeap() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return sample[0].Value.Uint64()
}
