package wire

import (
	"maps"
	"sync/atomic"
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/filter"
	"parley/session/log"
)

// These limits bound one step of matching: between two frames, and in the background before the
// rows show new matches.
const (
	onceRecords  = 10_000
	onceBytes    = 256 << 10 // of bodies, for a filter that searches them
	slabRecords  = 50_000
	slabBytes    = 16 << 20
	recordWeighs = 256 // the cost of a record besides its body, in bytes
)

// A sieve is the progress of a filter over the log. New records are matched as they arrive;
// older ones from the newest to the oldest.
type sieve struct {
	env   *filter.Env
	below a2a.RecordID   // records up to this one are not matched yet
	late  []a2a.RecordID // new records that were too large to match at once
	left  int            // bytes that may still be matched before the next frame
	turn  int            // counts filters, to drop results of an earlier one
	busy  bool           // a job is running
	stop  *atomic.Bool   // cancels that job
	marks int            // number of marks that the filter knows
	mutes uint64
}

// abandon cancels the filter; the result of a running job is dropped.
func (s *sieve) abandon() {
	if s.stop != nil {
		s.stop.Store(true)
	}
	s.turn++
	s.below, s.late, s.left, s.stop = 0, nil, onceBytes, &atomic.Bool{}
}

// done reports whether all records are matched.
func (s *sieve) done() bool { return s.below == 0 && len(s.late) == 0 }

// weight returns the cost of matching a record, in bytes.
func weight(set *filter.Filter, it *log.Item) int {
	if set.Uses()&filter.UsesBytes == 0 {
		return 0
	}
	return recordWeighs + len(it.Record.Raw)
}

// matchNew matches a new record, or queues it if the budget of this frame is used up.
func (s *sieve) matchNew(set *filter.Filter, it *log.Item) bool {
	s.left -= weight(set, it)
	if s.left < 0 {
		s.late = append(s.late, it.Record.ID)
		return false
	}
	return set.Match(it, s.env)
}

// matchNewest matches the newest records and returns those that pass.
func (p *Pane) matchNewest() (hits []a2a.RecordID) {
	f := &p.filter
	s := &f.sieve
	s.below, s.left = a2a.RecordID(p.rows.known), onceBytes
	s.marks, s.mutes = p.rows.marks.len(), p.rows.log.Findings().Mutes()
	items := p.rows.log.View().Scan()
	for n := 0; s.below > 0 && n < onceRecords; n++ {
		it := items.At(s.below)
		if s.left -= weight(f.set, it); s.left < 0 {
			break
		}
		if f.set.Match(it, s.env) {
			hits = append(hits, s.below)
		}
		s.below--
	}
	s.left = onceBytes
	return hits
}

// resift applies the filter again if it depends on marks or mutes and those changed.
func (p *Pane) resift() {
	f := &p.filter
	if f.set == nil {
		return
	}
	uses := f.set.Uses()
	if uses&filter.UsesMarks != 0 && f.sieve.marks != p.rows.marks.len() ||
		uses&filter.UsesMutes != 0 && f.sieve.mutes != p.rows.log.Findings().Mutes() {
		p.list(f.set)
	}
}

// siftJob returns the next batch of matching, nil if there is none or a job is running.
func (p *Pane) siftJob() Job {
	f := &p.filter
	s := &f.sieve
	s.left = onceBytes
	if f.set == nil || s.busy || s.done() {
		return nil
	}
	s.busy = true
	b := slab{view: p.rows.log.View(), set: f.set, env: p.frozen(), late: s.late, below: s.below, stop: s.stop}
	s.late = nil
	turn := s.turn
	return func() func() bool {
		hits, below := b.sift()
		return func() bool { return p.onMatches(turn, hits, below) }
	}
}

// onMatches applies the result of a job and reports whether it belongs to the current filter.
func (p *Pane) onMatches(turn int, hits []a2a.RecordID, below a2a.RecordID) bool {
	f := &p.filter
	f.sieve.busy = false
	if turn != f.sieve.turn {
		return false
	}
	f.sieve.below = below
	moved := p.rows.sel != f.landed
	p.rows.admit(hits)
	if !moved {
		p.land()
	}
	p.arrange()
	return true
}

// A slab is the part of the log that one job matches.
type slab struct {
	view  log.LogView
	set   *filter.Filter
	env   *filter.Env
	late  []a2a.RecordID
	below a2a.RecordID
	stop  *atomic.Bool
}

// sift returns the records that pass, and up to which record the log is not matched yet.
func (b *slab) sift() (hits []a2a.RecordID, below a2a.RecordID) {
	items := b.view.Scan()
	for _, id := range b.late {
		if !b.stop.Load() && b.set.Match(items.At(id), b.env) {
			hits = append(hits, id)
		}
	}
	below = b.below
	spent := 0
	for n := 0; below > 0 && n < slabRecords && spent < slabBytes && !b.stop.Load(); n++ {
		it := items.At(below)
		spent += weight(b.set, it)
		if b.set.Match(it, b.env) {
			hits = append(hits, below)
		}
		below--
	}
	return hits, below
}

// env returns the filter's environment for this goroutine.
func (p *Pane) env() *filter.Env {
	env := &filter.Env{
		Agent: p.filter.name, Gap: gapsOf(&p.filter.facts.gaps), Muted: p.rows.log.Findings().Muted, Marked: p.rows.marks.has,
		About: func(x a2a.ExchangeID) filter.About { return p.filter.facts.about[x] }, Values: p.filter.facts.seen,
	}
	if first := p.rows.log.At(1); first != nil {
		env.Start, env.End = first.Record.Time, p.rows.log.At(a2a.RecordID(p.rows.known)).Record.Time
		if p.zone != nil {
			env.Start = env.Start.In(p.zone)
		}
	}
	return env
}

// frozen returns a copy of the environment for any goroutine.
func (p *Pane) frozen() *filter.Env {
	names := map[a2a.AgentID]string{}
	if p.filter.name != nil {
		for id := range p.filter.facts.agents {
			names[id] = p.filter.name(id)
		}
	}
	muted := map[string]bool{}
	for _, c := range p.rows.log.Findings().Rules() {
		muted[c.Rule] = c.Muted
	}
	var about map[a2a.ExchangeID]filter.About
	if p.filter.set.Uses()&filter.UsesTasks != 0 {
		about = maps.Clone(p.filter.facts.about)
	}
	gaps, marks := p.filter.facts.gaps, p.rows.marks.clone()
	return &filter.Env{
		Agent:  func(id a2a.AgentID) string { return names[id] },
		Gap:    gapsOf(&gaps),
		Muted:  func(rule string) bool { return muted[rule] },
		Marked: marks.has,
		About:  func(x a2a.ExchangeID) filter.About { return about[x] },
		Start:  p.filter.sieve.env.Start,
		End:    p.filter.sieve.env.End,
	}
}

// gapsOf returns a function that looks up a record's gap by its number.
func gapsOf(gaps *[]time.Duration) func(*log.Item) time.Duration {
	return func(it *log.Item) time.Duration {
		if i := int(it.Record.ID) - 1; i < len(*gaps) {
			return (*gaps)[i]
		}
		return 0
	}
}

// progress describes the progress of the filter; empty when all records are matched.
func (p *Pane) progress() string {
	s := &p.filter.sieve
	if p.filter.set == nil || s.done() {
		return ""
	}
	if s.below == 0 {
		return "searching"
	}
	done := p.rows.known - int(s.below)
	return "searching, " + units.Count(100*done/max(p.rows.known, 1)) + " %"
}
