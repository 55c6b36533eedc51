package log

import (
	"context"
	"io"
	"sync"
	"time"

	"parley/a2a"
)

// A Feed is a mailbox that accumulates and never drops: artifact chunks are deltas, so a lost
// or swapped item would corrupt every later one. Its memory is bounded only by what is queued;
// the journal slows a fast agent down, and so does the engine on request, which reads streams
// more slowly while much is queued.
//
// Any number of goroutines may append and take.
type Feed struct {
	mu sync.Mutex
	// blocks are the queued items, in order. A burst fills block after block, so that no item
	// is moved once it is there; only the last one grows.
	blocks [][]Item
	len    int
	taken  int      // items the last time, at most feedBlock
	spare  [][]Item // blocks that were given back, without items
	closed bool
	// wake holds at most one token: "the queue may have something". Wakes merge
	// while values accumulate, so a burst costs one wake-up.
	wake chan struct{}
	// room holds at most one token: "something was taken".
	room chan struct{}
}

// feedBlock is how many items a block of a feed holds at most.
const feedBlock = 1024

// maxSpare is how many blocks are kept for reuse: one is filled while the other is taken.
const maxSpare = 2

// OneBlock as a limit means the items of one append, which are not copied.
const OneBlock = -1

// NewFeed returns an empty feed.
func NewFeed() *Feed { return &Feed{wake: make(chan struct{}, 1), room: make(chan struct{}, 1)} }

// Append adds an item. After Close it does nothing.
func (f *Feed) Append(it Item) {
	f.mu.Lock()
	if !f.closed {
		*f.push() = it
	}
	f.mu.Unlock()
	Wake(f.wake)
}

// Put is append for a record and its meaning, which are copied once.
func (f *Feed) Put(r *a2a.Record, u *a2a.Update) {
	f.mu.Lock()
	if !f.closed {
		it := f.push()
		it.Record, it.Update = *r, *u
	}
	f.mu.Unlock()
	Wake(f.wake)
}

// AppendAll adds consecutive items, which then belong to the feed. After Close it does nothing.
func (f *Feed) AppendAll(items []Item) {
	f.mu.Lock()
	if !f.closed && len(items) > 0 {
		f.len += len(items)
		f.blocks = append(f.blocks, items)
	}
	f.mu.Unlock()
	Wake(f.wake)
}

// push makes room for a zero item. A new block has room for as many items as were taken last,
// so that it rarely grows.
func (f *Feed) push() *Item {
	f.len++
	last := len(f.blocks) - 1
	switch {
	case last < 0:
		f.blocks = append(f.blocks, f.block(f.taken))
		last = 0
	case len(f.blocks[last]) >= feedBlock:
		f.blocks = append(f.blocks, f.block(feedBlock))
		last++
	}
	f.blocks[last] = append(f.blocks[last], Item{})
	return &f.blocks[last][len(f.blocks[last])-1]
}

// block returns an empty block: one that was given back, or a new one with room for some items.
func (f *Feed) block(room int) []Item {
	n := len(f.spare) - 1
	if n < 0 {
		return make([]Item, 0, room)
	}
	b := f.spare[n]
	f.spare[n], f.spare = nil, f.spare[:n]
	return b
}

// GiveBack returns items that Next returned to the feed, which fills their memory again: for a
// consumer that keeps no item, and no pointer to one.
func (f *Feed) GiveBack(items []Item) {
	if cap(items) > 2*feedBlock { // several blocks
		return
	}
	clear(items)
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.spare) < maxSpare {
		f.spare = append(f.spare, items[:0])
	}
}

// Wake puts a token into a channel that has room for one, unless it has one already.
func Wake(token chan<- struct{}) {
	select {
	case token <- struct{}{}:
	default:
	}
}

// Next waits until there is at least one item and returns what is queued, in order: at most
// limit of it if limit is positive, and with [OneBlock] the items of one append. The slice
// belongs to the caller. It returns ctx's error when ctx ends first, and io.EOF when the feed
// is closed and everything queued before has been taken.
func (f *Feed) Next(ctx context.Context, limit int) ([]Item, error) {
	for {
		items, closed := f.take(limit)
		if len(items) > 0 {
			return items, nil
		}
		if closed {
			Wake(f.wake) // for the next waiter
			return nil, io.EOF
		}
		select {
		case <-f.wake:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// take removes items from the front, up to limit of them if it is positive. It copies them only
// if they are in several blocks.
func (f *Feed) take(limit int) (items []Item, closed bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := f.len
	switch {
	case n == 0:
		return nil, f.closed
	case limit > 0:
		n = min(n, limit)
	case limit == OneBlock:
		n = len(f.blocks[0])
	}
	f.len -= n
	f.taken = min(n, feedBlock)
	for n > 0 {
		first := f.blocks[0]
		part := first
		if n < len(first) {
			part = first[:n:n]
		}
		n -= len(part)
		if items == nil {
			items = part
		} else {
			items = append(items, part...)
		}
		if f.blocks[0] = first[len(part):]; len(f.blocks[0]) == 0 {
			f.blocks[0] = nil
			f.blocks = f.blocks[1:]
		}
	}
	if f.len > 0 {
		Wake(f.wake) // the rest is for the next caller
	}
	Wake(f.room)
	return items, f.closed
}

// Len returns how many items wait to be taken.
func (f *Feed) Len() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.len
}

// Close lets Next return io.EOF once the queue is empty.
func (f *Feed) Close() {
	f.mu.Lock()
	f.closed = true
	f.mu.Unlock()
	Wake(f.wake)
}

// Drained waits until no more than most items wait to be taken, or ctx ends. One
// goroutine at a time may wait.
func (f *Feed) Drained(ctx context.Context, most int) error {
	for f.Len() > most {
		select {
		case <-f.room:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// moment is the longest single delay of a stream because the feed is full.
const moment = 50 * time.Millisecond

// Relieve waits while more than most items wait to be taken, but no longer than a moment: a
// producer that is faster than the consumer is slowed to its pace, and continues slowly if
// nothing is taken because an editor has the terminal. Any number of goroutines may wait.
func (f *Feed) Relieve(ctx context.Context, most int, after func(time.Duration) <-chan time.Time) {
	if f.Len() <= most {
		return
	}
	over := after(moment)
	for f.Len() > most {
		select {
		case <-f.room:
		case <-over:
			return
		case <-ctx.Done():
			return
		}
	}
	Wake(f.room) // for the next waiter
}
