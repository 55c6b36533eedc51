package journal

import (
	"context"
	"sync"
	"time"

	"parley/a2a"
	"parley/session/log"
)

// A Recorder orders the records: under one lock a record is numbered, queued for the journal
// and appended to the feed. So number order, journal order and feed order are the same.
type Recorder struct {
	feed    *log.Feed
	journal *Journal // nil without a file

	mu   sync.Mutex
	last a2a.RecordID
}

// NewRecorder returns a recorder that appends to feed and, unless it is nil, to
// journal.
func NewRecorder(feed *log.Feed, journal *Journal) *Recorder {
	r := &Recorder{feed: feed, journal: journal}
	if journal != nil {
		journal.setSignal(r.Signal)
	}
	return r
}

// GoOn makes the numbers of the records follow the last one of a predecessor. Nothing may have been
// put yet.
func (r *Recorder) GoOn(after a2a.RecordID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last = after
}

// Put numbers a record, queues it for the journal and hands it to the feed with its meaning. It
// returns the number. A request or a delivery begins an exchange with the same number. Put
// waits while the journal is too far behind, and with it the connection of the caller.
func (r *Recorder) Put(rec a2a.Record, u a2a.Update) a2a.RecordID {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last++
	rec.ID = r.last
	if beginsExchange(rec.Kind) {
		rec.Exchange = rec.ID
	}
	if r.journal != nil {
		r.journal.append(&rec)
	}
	r.feed.Put(&rec, &u)
	return rec.ID
}

// beginsExchange reports whether a record of this kind begins an exchange with the same number.
func beginsExchange(kind a2a.RecordKind) bool {
	return kind == a2a.KindRequest || kind == a2a.KindDelivery
}

// Signal hands a signal to the feed. It never waits for the journal, so that the journal's own
// signals arrive while every producer waits for it.
func (r *Recorder) Signal(s log.Signal) { r.feed.Append(log.Item{Signal: &s}) }

// Trace returns the recorder as a client sees it.
func (r *Recorder) Trace(now func() time.Time) a2a.Trace {
	return a2a.Trace{Put: r.Put, Now: now}
}

// Relieve slows down whoever puts records while more than most items wait in the feed, see
// [log.Feed.Relieve].
func (r *Recorder) Relieve(ctx context.Context, most int, after func(time.Duration) <-chan time.Time) {
	r.feed.Relieve(ctx, most, after)
}
