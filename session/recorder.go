package session

import (
	"sync"
	"time"

	"parley/a2a"
)

// A Recorder gives every record its number and its one place in the order of
// things: under one lock a record is numbered, queued for the journal and
// appended to the feed. So number order, journal order and feed order are one.
type Recorder struct {
	feed    *Feed
	journal *Journal // nil when nothing is kept on disk

	mu   sync.Mutex
	last a2a.RecordID
}

// NewRecorder returns a recorder that appends to feed and, unless it is nil, to
// journal.
func NewRecorder(feed *Feed, journal *Journal) *Recorder {
	r := &Recorder{feed: feed, journal: journal}
	if journal != nil {
		journal.attach(r.Signal)
	}
	return r
}

// Put numbers a record, keeps it and hands it to the feed with what it meant. It
// returns the number. A request or a delivery begins an exchange, whose name is that number.
// Put waits while the journal is too far behind; the connection that it is
// called from then waits too.
func (r *Recorder) Put(rec a2a.Record, u a2a.Update) a2a.RecordID {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last++
	rec.ID = r.last
	if begins(rec.Kind) {
		rec.Exchange = rec.ID
	}
	if r.journal != nil {
		r.journal.append(&rec)
	}
	r.feed.put(&rec, &u)
	return rec.ID
}

// begins reports whether a record of this kind begins an exchange, whose name is its
// number.
func begins(kind a2a.RecordKind) bool { return kind == a2a.KindRequest || kind == a2a.KindDelivery }

// Signal hands a signal to the feed. It never waits for the journal, so that the
// journal's own signals get through while every producer waits for it.
func (r *Recorder) Signal(s Signal) { r.feed.append(Item{Signal: &s}) }

// Trace returns the recorder as a client sees it.
func (r *Recorder) Trace(now func() time.Time) a2a.Trace {
	return a2a.Trace{Put: r.Put, Now: now}
}
