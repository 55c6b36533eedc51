package engine

import (
	"slices"
	"sync"
	"time"

	"parley/a2a"
	"parley/session/log"
)

const (
	// countAfter is how long nothing of an exchange must have become complete before its bytes
	// are reported, and countFrom the minimum number of bytes.
	countAfter = time.Second
	countFrom  = 64 << 10
	// countEvery is the time between two such signals of one exchange.
	countEvery = 500 * time.Millisecond
)

// A byteCounter reports how many bytes came of something incomplete: a large card, a large
// answer, an event without end. A read costs it an addition and a comparison; however fast
// bytes come, [log.SignalBytes] is rare. It is safe for use by several goroutines, since discovery
// uses it for several addresses.
type byteCounter struct {
	call   *a2a.Call
	now    func() time.Time
	signal func(log.Signal)

	mu       sync.Mutex
	bytes    int64     // since the last completion
	due      time.Time // time of the next report
	reported bool      // a count was reported
}

func newByteCounter(e *Engine, call *a2a.Call) *byteCounter {
	return &byteCounter{call: call, now: e.o.Now, signal: e.signal, due: e.o.Now().Add(countAfter)}
}

// count counts n bytes that came now.
func (c *byteCounter) count(n int) { c.add(n, c.now()) }

// add counts n bytes that came at a time.
func (c *byteCounter) add(n int, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.bytes += int64(n)
	if c.bytes < countFrom || now.Before(c.due) {
		return
	}
	c.due, c.reported = now.Add(countEvery), true
	c.report()
}

// noteUpdate restarts at 0 if something visible became complete. Comments are not visible, so
// those of a stream without events are counted together.
func (c *byteCounter) noteUpdate(u a2a.Update) {
	seen := func(ev a2a.Event) bool { return ev.Kind != a2a.EventNotA2A }
	if u.Err != nil || slices.ContainsFunc(u.Events, seen) {
		c.reset()
	}
}

// reset restarts at 0: the data is complete, or no more will come.
func (c *byteCounter) reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.bytes, c.due = 0, c.now().Add(countAfter)
	if c.reported {
		c.reported = false
		c.report()
	}
}

// report signals the count. The caller holds the lock, so that counts come in order.
func (c *byteCounter) report() {
	sig := signalOf(log.SignalBytes, c.call)
	sig.Bytes = c.bytes
	c.signal(sig)
}
