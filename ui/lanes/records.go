package lanes

import (
	"slices"
	"sort"
	"time"

	"parley/a2a"
)

// offset returns the time of a record of an exchange.
func (p *Pane) offset(x *part, id a2a.RecordID) time.Duration {
	p.work.probes++
	return x.later(max(p.log.TimeOf(id).Sub(x.s.Start), 0))
}

// search returns the index of the first record of an exchange, from an index on, that came at a time or
// later. Where the clock went back, it is one of those around that time.
func (p *Pane) search(x *part, ids []a2a.RecordID, from int, at time.Duration) int {
	return from + sort.Search(len(ids)-from, func(i int) bool { return p.offset(x, ids[from+i]) >= at })
}

// current returns the record under the cursor: the one that the cursor was put on, else the first in
// its cell, else the nearest one of the exchange; 0 if there is none.
func (p *Pane) current() a2a.RecordID {
	x := p.part()
	if x == nil || p.record != 0 {
		return p.record
	}
	ids, a := p.log.Exchange(x.s.Exchange), p.window.axis()
	if len(ids) == 0 {
		return 0
	}
	from, to := p.at, p.at+1
	if p.window.cells > 0 && a.Contains(p.at) {
		from, to = a.Edge(a.Cell(p.at)), a.Edge(a.Cell(p.at)+1)
	}
	i := p.search(x, ids, 0, from)
	switch {
	case i == len(ids):
		i--
	case i > 0 && p.offset(x, ids[i]) >= to && from-p.offset(x, ids[i-1]) < p.offset(x, ids[i])-to:
		i--
	}
	return ids[i]
}

// stepRecord puts the cursor on the next record of the lane, or on the previous one if by is -1. Behind the
// last of an exchange is the first of the next one.
func (p *Pane) stepRecord(by int) {
	x := p.part()
	if x == nil {
		return
	}
	ids := p.log.Exchange(x.s.Exchange)
	id := p.current()
	i, found := slices.BinarySearch(ids, id)
	switch {
	case p.record != 0 && found:
		i += by
	case p.record != 0 && by < 0: // a note, which has no place of its own
		i--
	case p.offset(x, id) < p.at && by > 0, p.offset(x, id) > p.at && by < 0:
		i += by
	}
	if i < 0 || i >= len(ids) {
		l := p.lane()
		n := l.index(p.sel) + by
		if n < 0 || n >= len(l.parts) {
			return
		}
		x = l.parts[n]
		if ids = p.log.Exchange(x.s.Exchange); len(ids) == 0 {
			return
		}
		i = 0
		if by < 0 {
			i = len(ids) - 1
		}
	}
	p.window.follow = false
	p.moveTo(p.offset(x, ids[i]))
	p.sel, p.record = x.s.Exchange, ids[i]
}

// toLongestGap puts the cursor behind the longest pause of all lanes: on the event after it, or on the
// newest record of an open lane that has been silent for longer.
func (p *Pane) toLongestGap() {
	var gap time.Duration
	var after a2a.RecordID
	for _, e := range p.entries {
		for _, x := range p.rows[e].lane.parts {
			if g := &x.s.Gaps; g.Max > gap {
				gap, after = g.Max, g.After
			}
			if ids := p.log.Exchange(x.s.Exchange); x.s.Open() && len(ids) > 0 && x.silence(p.now) > gap {
				gap, after = x.silence(p.now), ids[len(ids)-1]
			}
		}
	}
	if after != 0 {
		p.window.follow = false
		p.Select(after)
	}
}

// marks are the user's marks.
type marks struct {
	version uint64
	known   bool
	all     []mark
	of      map[a2a.ExchangeID][]mark
}

// A mark is a marked record.
type mark struct {
	id a2a.RecordID
	at time.Duration
}

// takeMarks takes over the marks if they have changed. Marks are in order of time.
func (p *Pane) takeMarks() {
	m := &p.marks
	if v := p.wire.MarksVersion(); !m.known || m.version != v {
		*m = marks{version: v, known: true, of: map[a2a.ExchangeID][]mark{}}
		for id := range p.wire.Marks() {
			x := p.log.ExchangeOf(id)
			k := mark{id, bounded(p.log.TimeOf(id).Sub(p.session.base))}
			if of := p.session.byID[x]; of != nil {
				k.at = p.offset(of, id)
			}
			m.all = append(m.all, k)
			m.of[x] = append(m.of[x], k)
		}
		slices.SortStableFunc(m.all, func(a, b mark) int { return int(min(max(a.at-b.at, -1), 1)) })
	}
}
