package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"sync"

	"parley/a2a"
	"parley/session/journal"
	"parley/session/log"
)

// A listener takes all items of a feed and stores only sums.
type listener struct {
	server *agentServer
	agents int

	mu       sync.Mutex
	last     a2a.RecordID
	events   int64
	cuts     int64
	bodies   int64 // whose hashes were compared
	faults   []string
	open     map[a2a.ExchangeID]*body
	ready    int
	finished int // turns
	wake     chan struct{}
}

// A body is what was received of an exchange.
type body struct {
	number string
	sum    hash.Hash
}

func listen(s *agentServer, agents int) *listener {
	return &listener{server: s, agents: agents, open: map[a2a.ExchangeID]*body{}, wake: make(chan struct{}, 1)}
}

// run takes items until the feed is closed.
func (l *listener) run(feed *log.Feed) {
	for {
		items, err := feed.Next(context.Background(), 2000)
		if err != nil {
			return
		}
		l.mu.Lock()
		for i := range items {
			l.take(&items[i])
		}
		l.mu.Unlock()
		select {
		case l.wake <- struct{}{}:
		default:
		}
	}
}

func (l *listener) take(it *log.Item) {
	if s := it.Signal; s != nil {
		switch s.Kind {
		case log.SignalOpened:
			l.ready++
		case log.SignalTurnOver:
			l.finished++
		case log.SignalJournal:
			if s.Class != journal.JournalStopped {
				l.fault("the journal: %s", s.Sentence)
			}
		}
		return
	}
	r := &it.Record
	if r.ID != l.last+1 {
		l.fault("record %d came after record %d", r.ID, l.last)
	}
	l.last = r.ID
	switch r.Kind {
	case a2a.KindHead:
		if n := r.Head.Header.Get(streamHeader); n != "" {
			l.open[r.Exchange] = &body{number: n, sum: sha256.New()}
		}
	case a2a.KindEvent:
		l.events++
		l.hear(r)
	case a2a.KindBody:
		l.hear(r)
	case a2a.KindEnd:
		l.hear(r)
		l.end(r)
	}
}

func (l *listener) hear(r *a2a.Record) {
	if b := l.open[r.Exchange]; b != nil {
		b.sum.Write(r.Raw)
	}
}

// end compares a received body with the sent one. What the agent sends after the engine closed
// the connection is ignored.
func (l *listener) end(r *a2a.Record) {
	b := l.open[r.Exchange]
	delete(l.open, r.Exchange)
	if b == nil {
		return
	}
	if r.End.Reason == a2a.Cut {
		l.cuts++
	}
	if r.End.Reason != a2a.Ended && r.End.Reason != a2a.Cut {
		return
	}
	said, ok := l.server.hash(b.number)
	if heard := hex.EncodeToString(b.sum.Sum(nil)); !ok || heard != said {
		l.fault("body %s, exchange %d: what was heard is not what was said (known: %v)", b.number, r.Exchange, ok)
	}
	l.bodies++
}

// fault stores a fault, unless there are too many to read.
func (l *listener) fault(format string, args ...any) {
	if len(l.faults) < 20 {
		l.faults = append(l.faults, fmt.Sprintf(format, args...))
	}
}

// wait returns when done returns true.
func (l *listener) wait(ctx context.Context, done func() bool) error {
	for {
		l.mu.Lock()
		ok := done()
		l.mu.Unlock()
		if ok {
			return nil
		}
		select {
		case <-l.wake:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
