// Package pieces hands the bytes of a body, in pieces with their times, from a goroutine that passes them on to one that records them.
//
// The goroutine that passes them on waits for the other one only if that is far behind.
package pieces

import (
	"io"
	"sync"
	"time"
)

// maxAhead is how many bytes of a body may wait to be recorded. Whoever writes more waits.
const maxAhead = 1 << 20

// A Queue hands the bytes of a body from the goroutine that passes them on to the one that records
// them, with the time at which each piece came. Every byte is copied once in and once out.
type Queue struct {
	mu      sync.Mutex
	changed sync.Cond
	in      stretches
	over    error // why no more comes, nil while more may come
	overAt  time.Time
	waiting bool // the reader has read everything
	gone    bool // there is no reader

	written, recorded int64 // bytes that were added, and those of which the reader asked for more
	settlers          int   // that wait for the reader

	// The reader's own:
	out   stretches
	next  int       // the first of out that is not read
	from  int       // the first byte of it
	at    time.Time // of what was read last
	total int64     // bytes that were read
}

// Stretches are pieces one after the other, each with its time.
type stretches struct {
	bytes []byte
	ends  []pieceEnd
}

type pieceEnd struct {
	end int
	at  time.Time
}

// NewQueue returns an empty queue. The time is that of what was read before the first piece.
func NewQueue(at time.Time) *Queue {
	q := &Queue{at: at}
	q.changed.L = &q.mu
	return q
}

// Write adds a piece. It waits while too many bytes wait.
func (q *Queue) Write(at time.Time, piece []byte) {
	if len(piece) == 0 {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.in.bytes) > maxAhead && !q.gone {
		q.changed.Wait()
	}
	if q.gone {
		return
	}
	q.in.bytes = append(q.in.bytes, piece...)
	q.in.ends = append(q.in.ends, pieceEnd{len(q.in.bytes), at})
	q.written += int64(len(piece))
	if q.waiting {
		q.changed.Broadcast()
	}
}

// Close ends the body with an error, or with [io.EOF].
func (q *Queue) Close(at time.Time, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.over, q.overAt = err, at
	q.changed.Broadcast()
}

// Leave ends the reading.
func (q *Queue) Leave() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.gone = true
	q.in, q.out = stretches{}, stretches{}
	q.changed.Broadcast()
}

// Settle returns when the reader has recorded everything that was added before.
func (q *Queue) Settle() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.settlers++
	for all := q.written; !q.gone && q.recorded < all; {
		q.changed.Wait()
	}
	q.settlers--
}

// Read returns bytes of one piece.
func (q *Queue) Read(p []byte) (int, error) {
	if q.next == len(q.out.ends) {
		if err := q.swap(); err != nil {
			return 0, err
		}
	}
	piece := q.out.ends[q.next]
	n := copy(p, q.out.bytes[q.from:piece.end])
	q.at = piece.at
	q.total += int64(n)
	if q.from += n; q.from == piece.end {
		q.next++
	}
	return n, nil
}

// At returns the time of what was read last. Only the reader may ask.
func (q *Queue) At() time.Time { return q.at }

// Total returns how many bytes were read or discarded. Only the reader may ask.
func (q *Queue) Total() int64 { return q.total }

// swap waits for bytes and takes all that are there.
func (q *Queue) swap() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.recorded = q.written - int64(len(q.in.bytes)); q.settlers > 0 {
		q.changed.Broadcast()
	}
	for len(q.in.bytes) == 0 {
		if q.over != nil {
			q.at = q.overAt
			return q.over
		}
		q.waiting = true
		q.changed.Wait()
		q.waiting = false
	}
	full := len(q.in.bytes) > maxAhead
	q.in, q.out = stretches{q.out.bytes[:0], q.out.ends[:0]}, q.in
	q.next, q.from = 0, 0
	if full {
		q.changed.Broadcast()
	}
	return nil
}

// Discard reads the rest without recording it, and returns how the body ended.
func (q *Queue) Discard() error {
	for {
		if q.next == len(q.out.ends) {
			if err := q.swap(); err != nil {
				return err
			}
		}
		end := q.out.ends[len(q.out.ends)-1]
		q.total += int64(end.end - q.from)
		q.at, q.next, q.from = end.at, len(q.out.ends), end.end
	}
}

var _ io.Reader = (*Queue)(nil)
