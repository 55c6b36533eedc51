package lanes

import (
	"slices"
	"sort"
	"time"

	"parley/a2a"
)

// offset returns the time of a record of a lane.
func (p *Pane) offset(l *lane, id a2a.RecordID) time.Duration {
	p.work.probes++
	return l.later(max(p.log.TimeOf(id).Sub(l.s.Start), 0))
}

// search returns the index of the first record of a lane, from an index on, that came at a time or
// later. Where the clock went back, it is one of those around that time.
func (p *Pane) search(l *lane, ids []a2a.RecordID, from int, at time.Duration) int {
	return from + sort.Search(len(ids)-from, func(i int) bool { return p.offset(l, ids[from+i]) >= at })
}

// current returns the record under the cursor: the one that the cursor was put on, else the first in
// its cell, else the nearest one of the lane; 0 if there is no lane.
func (p *Pane) current() a2a.RecordID {
	l := p.lane()
	if l == nil || p.record != 0 {
		return p.record
	}
	ids, a := p.log.Exchange(l.s.Exchange), p.window.axis()
	if len(ids) == 0 {
		return 0
	}
	from, to := p.at, p.at+1
	if p.window.cells > 0 && a.Contains(p.at) {
		from, to = a.Edge(a.Cell(p.at)), a.Edge(a.Cell(p.at)+1)
	}
	i := p.search(l, ids, 0, from)
	switch {
	case i == len(ids):
		i--
	case i > 0 && p.offset(l, ids[i]) >= to && from-p.offset(l, ids[i-1]) < p.offset(l, ids[i])-to:
		i--
	}
	return ids[i]
}

// stepRecord puts the cursor on the next record of the lane, or on the previous one if by is -1.
func (p *Pane) stepRecord(by int) {
	l := p.lane()
	if l == nil {
		return
	}
	ids := p.log.Exchange(l.s.Exchange)
	id := p.current()
	i, found := slices.BinarySearch(ids, id)
	switch {
	case p.record != 0 && found:
		i += by
	case p.record != 0 && by < 0: // a note, which has no place of its own
		i--
	case p.offset(l, id) < p.at && by > 0, p.offset(l, id) > p.at && by < 0:
		i += by
	}
	if i < 0 || i >= len(ids) {
		return
	}
	p.window.follow = false
	p.moveTo(p.offset(l, ids[i]))
	p.record = ids[i]
}

// toLongestGap puts the cursor behind the longest pause of all lanes: on the event after it, or on the
// newest record of an open lane that has been silent for longer.
func (p *Pane) toLongestGap() {
	var gap time.Duration
	var after a2a.RecordID
	for _, r := range p.rows {
		if r.lane == nil {
			continue
		}
		if g := &r.lane.s.Gaps; g.Max > gap {
			gap, after = g.Max, g.After
		}
		if ids := p.log.Exchange(r.lane.s.Exchange); r.lane.s.Open() && len(ids) > 0 && p.silence(r.lane) > gap {
			gap, after = p.silence(r.lane), ids[len(ids)-1]
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
	byLane  map[a2a.ExchangeID][]mark
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
		*m = marks{version: v, known: true, byLane: map[a2a.ExchangeID][]mark{}}
		for id := range p.wire.Marks() {
			x := p.log.ExchangeOf(id)
			k := mark{id, bounded(p.log.TimeOf(id).Sub(p.session.base))}
			if l := p.session.byID[x]; l != nil {
				k.at = p.offset(l, id)
			}
			m.all = append(m.all, k)
			m.byLane[x] = append(m.byLane[x], k)
		}
		slices.SortStableFunc(m.all, func(a, b mark) int { return int(min(max(a.at-b.at, -1), 1)) })
	}
}
