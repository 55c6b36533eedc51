package a2a

import (
	"io"
	"sync"
	"time"
)

// maxAhead is how many bytes of a body may wait to be recorded. Whoever writes more waits.
const maxAhead = 1 << 20

// A feed hands the bytes of a body from the goroutine that passes them on to the one that records
// them, with the time at which each piece came. Every byte is copied once in and once out.
type feed struct {
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

func newFeed(at time.Time) *feed {
	f := &feed{at: at}
	f.changed.L = &f.mu
	return f
}

// write adds a piece. It waits while too many bytes wait.
func (f *feed) write(at time.Time, piece []byte) {
	if len(piece) == 0 {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.in.bytes) > maxAhead && !f.gone {
		f.changed.Wait()
	}
	if f.gone {
		return
	}
	f.in.bytes = append(f.in.bytes, piece...)
	f.in.ends = append(f.in.ends, pieceEnd{len(f.in.bytes), at})
	f.written += int64(len(piece))
	if f.waiting {
		f.changed.Broadcast()
	}
}

// close ends the body with an error, or with [io.EOF].
func (f *feed) close(at time.Time, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.over, f.overAt = err, at
	f.changed.Broadcast()
}

// leave ends the reading.
func (f *feed) leave() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.gone = true
	f.in, f.out = stretches{}, stretches{}
	f.changed.Broadcast()
}

// settle returns when the reader has recorded everything that was added before.
func (f *feed) settle() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.settlers++
	for all := f.written; !f.gone && f.recorded < all; {
		f.changed.Wait()
	}
	f.settlers--
}

// Read returns bytes of one piece.
func (f *feed) Read(p []byte) (int, error) {
	if f.next == len(f.out.ends) {
		if err := f.swap(); err != nil {
			return 0, err
		}
	}
	piece := f.out.ends[f.next]
	n := copy(p, f.out.bytes[f.from:piece.end])
	f.at = piece.at
	f.total += int64(n)
	if f.from += n; f.from == piece.end {
		f.next++
	}
	return n, nil
}

// swap waits for bytes and takes all that are there.
func (f *feed) swap() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.recorded = f.written - int64(len(f.in.bytes)); f.settlers > 0 {
		f.changed.Broadcast()
	}
	for len(f.in.bytes) == 0 {
		if f.over != nil {
			f.at = f.overAt
			return f.over
		}
		f.waiting = true
		f.changed.Wait()
		f.waiting = false
	}
	full := len(f.in.bytes) > maxAhead
	f.in, f.out = stretches{f.out.bytes[:0], f.out.ends[:0]}, f.in
	f.next, f.from = 0, 0
	if full {
		f.changed.Broadcast()
	}
	return nil
}

// discard reads the rest without recording it, and returns how the body ended.
func (f *feed) discard() error {
	for {
		if f.next == len(f.out.ends) {
			if err := f.swap(); err != nil {
				return err
			}
		}
		end := f.out.ends[len(f.out.ends)-1]
		f.total += int64(end.end - f.from)
		f.at, f.next, f.from = end.at, len(f.out.ends), end.end
	}
}

var _ io.Reader = (*feed)(nil)
