package session

import (
	"context"
	"io"
	"sync"
)

// A Feed is a mailbox that accumulates and never drops: artifact chunks are
// deltas, so an item lost or swapped would corrupt every later one. Its memory
// is bounded only by what is queued; what slows a fast agent down is the
// journal, not the reader of the feed.
//
// Any number of goroutines may append and take.
type Feed struct {
	mu     sync.Mutex
	queue  []Item
	closed bool
	// wake holds at most one token: "the queue may have something". Wakes merge
	// while values accumulate, so a burst costs one wake-up.
	wake chan struct{}
}

// NewFeed returns an empty feed.
func NewFeed() *Feed { return &Feed{wake: make(chan struct{}, 1)} }

// append adds an item. After Close it does nothing.
func (f *Feed) append(it Item) {
	f.mu.Lock()
	if !f.closed {
		f.queue = append(f.queue, it)
	}
	f.mu.Unlock()
	f.signal()
}

func (f *Feed) signal() {
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// Next waits until there is at least one item and returns what is queued, in
// order, at most limit of it if limit is positive. The slice belongs to the caller.
// It returns ctx's error when ctx ends first, and io.EOF when the feed is closed
// and everything queued before has been taken.
func (f *Feed) Next(ctx context.Context, limit int) ([]Item, error) {
	for {
		items, closed := f.take(limit)
		if len(items) > 0 {
			return items, nil
		}
		if closed {
			f.signal() // for the next one who waits
			return nil, io.EOF
		}
		select {
		case <-f.wake:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// take removes up to limit items from the front without copying any of them.
func (f *Feed) take(limit int) (items []Item, closed bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := len(f.queue)
	if limit > 0 && limit < n {
		items = f.queue[:limit:limit]
		f.queue = f.queue[limit:]
		f.signal() // the rest is for whoever comes next
		return items, f.closed
	}
	items = f.queue
	f.queue = nil
	return items, f.closed
}

// Len returns how many items wait to be taken.
func (f *Feed) Len() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.queue)
}

// Close lets Next return io.EOF once the queue is empty.
func (f *Feed) Close() {
	f.mu.Lock()
	f.closed = true
	f.mu.Unlock()
	f.signal()
}
