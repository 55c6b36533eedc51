package lanes

import (
	"cmp"
	"slices"
	"time"

	"parley/a2a"
	"parley/session/log"
	"parley/session/task"
)

// farthest is the greatest distance of a time from the beginning of the session. Clocks may say
// anything; two years leave room for sums and products.
const farthest = time.Duration(1) << 56

// compareOwners orders groups.
func compareOwners(a, b log.Owner) int {
	return cmp.Or(cmp.Compare(a.Agent, b.Agent), cmp.Compare(a.Conversation, b.Conversation))
}

// A lane is an exchange.
type lane struct {
	s     *log.Stream
	owner log.Owner
	start time.Duration // of the request
	retry bool          // its message was sent before
	name  string        // of the request, empty until it was drawn

	drawn look
	cells string
}

// A group is the lanes of one owner, in the order in which they began.
type group struct {
	owner log.Owner
	lanes []*lane
}

// session is what the lanes know of the log.
type session struct {
	taken      int       // streams of the log that are taken over
	base       time.Time // times count from here: the first record
	begin, end time.Duration
	groups     []*group
	byID       map[a2a.ExchangeID]*lane
	open       []*lane
	sent       map[a2a.TurnID]bool // turns whose message was sent
}

func newSession() session {
	return session{byID: map[a2a.ExchangeID]*lane{}, sent: map[a2a.TurnID]bool{}}
}

// takeStreams takes over the exchanges that are new in the log.
func (p *Pane) takeStreams() {
	all, s := p.log.Streams(), &p.session
	if s.taken == 0 && len(all) > 0 {
		s.base = all[0].Start
		if first := p.log.TimeOf(1); !first.IsZero() {
			s.base = first
		}
		s.base = s.base.Round(0) // filters compare the time of day
	}
	for ; s.taken < len(all); s.taken++ {
		s.add(all[s.taken], p.log.Owner(all[s.taken].Exchange))
	}
}

// add adds an exchange.
func (s *session) add(x *log.Stream, o log.Owner) {
	l := &lane{s: x, owner: o, start: bounded(x.Start.Sub(s.base))}
	if c := x.Call; c != nil && c.Turn != 0 && task.SendsMessage(c.Op) {
		l.retry = s.sent[c.Turn]
		s.sent[c.Turn] = true
	}
	s.byID[x.Exchange] = l
	s.begin = min(s.begin, l.start)
	i, found := slices.BinarySearchFunc(s.groups, o, func(g *group, o log.Owner) int { return compareOwners(g.owner, o) })
	if !found {
		s.groups = slices.Insert(s.groups, i, &group{owner: o})
	}
	s.groups[i].lanes = append(s.groups[i].lanes, l)
	s.open = append(s.open, l)
}

// extend updates the end of the session. It looks at exchanges that have not ended.
func (s *session) extend(now time.Time) {
	s.open = slices.DeleteFunc(s.open, func(l *lane) bool {
		s.end = max(s.end, l.end(now))
		return !l.s.Open()
	})
}

// bound returns the time of the session nearest to at.
func (s *session) bound(at time.Duration) time.Duration { return min(max(at, s.begin), s.end) }

// bounded returns the possible distance nearest to d.
func bounded(d time.Duration) time.Duration { return min(max(d, -farthest), farthest) }

// later returns the time of a lane that is d after its start.
func (l *lane) later(d time.Duration) time.Duration { return bounded(l.start + bounded(d)) }

// end returns the end of the lane; of an open exchange that is now, or its newest record in a
// recording.
func (l *lane) end(now time.Time) time.Duration {
	if now.IsZero() {
		now = l.s.Last
	}
	return l.later(l.s.Duration(now))
}

// A row is a row of the list: the head of a group, or a lane.
type row struct {
	group *group
	lane  *lane // nil for the head
}

// listing is what the rows follow from.
type listing struct {
	streams  int
	filtered bool
	hits     uint64
	groups   int // heads among the rows
	index    map[a2a.ExchangeID]int
}

// list lists the lanes that pass the filter if anything has changed. The selected lane stays
// selected.
func (p *Pane) list() {
	now := listing{streams: p.session.taken, filtered: p.wire.Filtered()}
	if now.filtered {
		now.hits = p.wire.HitsVersion()
	}
	if was := p.listed; was.index != nil && was.streams == now.streams && was.filtered == now.filtered && was.hits == now.hits {
		return
	}
	p.work.rows++
	p.rows, now.index = p.rows[:0], map[a2a.ExchangeID]int{}
	for _, g := range p.session.groups {
		head := len(p.rows)
		p.rows = append(p.rows, row{group: g})
		for _, l := range g.lanes {
			if !now.filtered || p.passes(l) {
				now.index[l.s.Exchange] = len(p.rows)
				p.rows = append(p.rows, row{g, l})
			}
		}
		if len(p.rows) == head+1 {
			p.rows = p.rows[:head]
			continue
		}
		now.groups++
	}
	p.listed = now
	switch at := p.rowOf(p.sel); {
	case at >= 0:
		p.List.At = at
	case len(p.rows) > 0:
		p.choose(min(p.List.At, len(p.rows)-1))
	default:
		p.sel = 0
	}
}

// passes reports whether a record of an exchange passes the filter.
func (p *Pane) passes(l *lane) bool {
	return p.wire.CountHits(l.s.Exchange, 0, len(p.log.Exchange(l.s.Exchange))) > 0
}

// rowOf returns the row of an exchange, -1 if it is not listed.
func (p *Pane) rowOf(x a2a.ExchangeID) int {
	if i, ok := p.listed.index[x]; ok {
		return i
	}
	return -1
}

// lane returns the selected lane, nil if there is none.
func (p *Pane) lane() *lane {
	if p.List.At < len(p.rows) {
		return p.rows[p.List.At].lane
	}
	return nil
}

// choose selects the lane in row i, or the one below it.
func (p *Pane) choose(i int) {
	if n := len(p.rows); n == 0 {
		return
	} else if i = min(max(i, 0), n-1); p.rows[i].lane == nil {
		i++ // a group has at least one lane
	}
	p.List.At, p.sel, p.record = i, p.rows[i].lane.s.Exchange, 0
}

// move selects the lane that is by rows further down.
func (p *Pane) move(by int) {
	to := min(max(p.List.At+by, 0), len(p.rows)-1)
	if to > 0 && by < 0 && p.rows[to].lane == nil {
		to--
	}
	p.choose(to)
}
