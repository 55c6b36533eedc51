package lanes

import (
	"cmp"
	"slices"
	"sort"
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

// A part of a lane is an exchange.
type part struct {
	s     *log.Stream
	lane  *lane
	start time.Duration // of the request
	retry bool          // its message was sent before
	name  string        // of the request, empty until it was drawn
	check *log.Stream   // with which Parley compared the answer, nil if it did not
}

// A lane shows an exchange with those that continue it, or as the line of a fold all exchanges that are folded.
type lane struct {
	owner log.Owner
	parts []*part // in the order in which they began
	fold  *fold   // into which it is folded, or whose line it is; nil for none
	tall  bool    // it has a second row
	words string  // that were sent, empty until they were drawn

	drawn look
	cells [2]string
}

// maxParts is how many exchanges a lane shows. Those that continue it then have a lane of their own.
const maxParts = 64

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
	folds      [foldKinds]*fold
	unfolded   int // times that the user folded or unfolded
	agents     []a2a.AgentID
	byID       map[a2a.ExchangeID]*part
	open       []*part
	sent       map[a2a.TurnID]bool // turns whose message was sent
}

func newSession() session {
	s := session{byID: map[a2a.ExchangeID]*part{}, sent: map[a2a.TurnID]bool{}}
	for i := range s.folds {
		f := &fold{kind: foldKind(i)}
		f.line = &lane{fold: f}
		s.folds[i] = f
	}
	return s
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
	it := &part{s: x, start: bounded(x.Start.Sub(s.base))}
	if c := x.Call; c != nil && c.Turn != 0 && task.SendsMessage(c.Op) {
		it.retry = s.sent[c.Turn]
		s.sent[c.Turn] = true
	}
	if checked := s.byID[x.Checks]; checked != nil {
		checked.check = x
	}
	s.byID[x.Exchange] = it
	s.begin = min(s.begin, it.start)
	s.open = append(s.open, it)
	if !slices.Contains(s.agents, o.Agent) {
		s.agents = append(s.agents, o.Agent)
	}
	if prev := s.byID[x.Prev]; prev != nil && prev.goesOn(it, o) {
		it.lane = prev.lane
		it.lane.parts = append(it.lane.parts, it)
		return
	}
	it.lane = &lane{owner: o, parts: []*part{it}}
	if k, folded := foldOf(x); folded {
		it.lane.fold = s.folds[k]
		it.lane.fold.lanes = append(it.lane.fold.lanes, it.lane)
		return
	}
	it.lane.tall = x.Streamed() || x.Call != nil && task.SendsMessage(x.Call.Op)
	i, found := slices.BinarySearchFunc(s.groups, o, func(g *group, o log.Owner) int { return compareOwners(g.owner, o) })
	if !found {
		s.groups = slices.Insert(s.groups, i, &group{owner: o})
	}
	s.groups[i].lanes = append(s.groups[i].lanes, it.lane)
}

// goesOn reports whether an exchange that continues x has its place in the lane of x: behind it.
func (x *part) goesOn(next *part, o log.Owner) bool {
	l := x.lane
	return l.tall && l.owner == o && l.last() == x && len(l.parts) < maxParts && !x.s.Open() && next.start >= x.end(time.Time{})
}

// extend updates the end of the session. It looks at exchanges that have not ended.
func (s *session) extend(now time.Time) {
	s.open = slices.DeleteFunc(s.open, func(x *part) bool {
		s.end = max(s.end, x.end(now))
		if f := x.lane.fold; f != nil && !x.s.Open() {
			f.ended++
		}
		return !x.s.Open()
	})
}

// bound returns the time of the session nearest to at.
func (s *session) bound(at time.Duration) time.Duration { return min(max(at, s.begin), s.end) }

// bounded returns the possible distance nearest to d.
func bounded(d time.Duration) time.Duration { return min(max(d, -farthest), farthest) }

// later returns the time that is d after the start of an exchange.
func (x *part) later(d time.Duration) time.Duration { return bounded(x.start + bounded(d)) }

// end returns the end of an exchange; of an open one that is now, or its newest record in a
// recording.
func (x *part) end(now time.Time) time.Duration {
	if now.IsZero() {
		now = x.s.Last
	}
	return x.later(x.s.Duration(now))
}

// silence returns how long nothing has come in an open exchange.
func (x *part) silence(now time.Time) time.Duration {
	if now.IsZero() {
		return 0
	}
	return x.s.Silence(now)
}

// last returns the newest exchange of a lane.
func (l *lane) last() *part { return l.parts[len(l.parts)-1] }

// at returns the exchange of a lane that had begun last at a time, or else its first one.
func (l *lane) at(at time.Duration) *part {
	i := sort.Search(len(l.parts), func(i int) bool { return l.parts[i].start > at })
	return l.parts[max(i-1, 0)]
}

// index returns the index of an exchange in the lane, 0 if it is not there.
func (l *lane) index(x a2a.ExchangeID) int {
	return max(slices.IndexFunc(l.parts, func(p *part) bool { return p.s.Exchange == x }), 0)
}

// isLine reports whether the lane is the line of a fold.
func (l *lane) isLine() bool { return l.fold != nil && l.fold.line == l }
