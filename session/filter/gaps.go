package filter

import (
	"time"

	"parley/a2a"
	"parley/session/log"
)

// Gaps are the pauses before the records of a session.
type Gaps struct {
	all    []time.Duration // by record, from 1
	last   map[a2a.ExchangeID]time.Time
	events map[a2a.ExchangeID]struct{} // exchanges with an event
}

// NewGaps returns the gaps of a session without records.
func NewGaps() Gaps {
	return Gaps{last: map[a2a.ExchangeID]time.Time{}, events: map[a2a.ExchangeID]struct{}{}}
}

// All returns the gaps by record, from 1. The slice only grows.
func (g *Gaps) All() []time.Duration { return g.all }

// Add takes the next record. s is its stream, nil if it has none.
func (g *Gaps) Add(r *a2a.Record, s *log.Stream) { g.all = append(g.all, g.before(r, s)) }

// before returns the time since the previous record of a record's exchange. For the first event of a stream
// that continues another, the time since the newest event of that one, which its cut ended.
func (g *Gaps) before(r *a2a.Record, s *log.Stream) (gap time.Duration) {
	x := r.Exchange
	if x == 0 {
		return 0
	}
	if before, ok := g.last[x]; ok {
		gap = r.Time.Sub(before)
	}
	if g.last[x] = r.Time; r.Kind == a2a.KindEnd {
		delete(g.last, x)
	}
	if r.Kind != a2a.KindEvent {
		return gap
	}
	if _, begun := g.events[x]; !begun && s != nil && !s.Cut().IsZero() {
		gap = r.Time.Sub(s.Cut())
	}
	g.events[x] = struct{}{}
	return gap
}

// Of returns the gap before a record, 0 if there is none. A copy can be read in any goroutine.
func (g *Gaps) Of(it *log.Item) time.Duration {
	if i := int(it.Record.ID) - 1; i < len(g.all) {
		return g.all[i]
	}
	return 0
}

// LongestIn returns a function that tells whether a record is the event after the longest gap of its stream,
// which has two events at least or continues another.
func LongestIn(l *log.Log) func(*log.Item) bool {
	return func(it *log.Item) bool {
		s := l.Stream(it.Record.Exchange)
		return s != nil && s.Gaps.After == it.Record.ID
	}
}
