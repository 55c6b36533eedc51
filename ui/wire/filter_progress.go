package wire

import (
	"maps"
	"sync/atomic"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/filter"
	"parley/session/log"
)

// These limits bound one step of matching: between two frames, and in the background before the
// rows show new matches.
const (
	frameRecords = 10_000
	frameBytes   = 256 << 10 // of bodies, for a filter that searches them
	batchRecords = 50_000
	batchBytes   = 16 << 20
	recordCost   = 256 // the cost of a record besides its body, in bytes
)

// A filterProgress is the progress of a filter over the log. New records are matched as they
// arrive; older ones from the newest to the oldest.
type filterProgress struct {
	env       *filter.Env
	unmatched a2a.RecordID   // records up to this one are not matched yet
	deferred  []a2a.RecordID // new records that were too large to match at once
	budget    int            // bytes that may still be matched before the next frame
	seq       int            // counts filters, to drop results of an earlier one
	busy      bool           // a job is running
	stop      *atomic.Bool   // cancels that job
	marks     uint64         // version of the marks and comments that the filter knows
	mutes     uint64
	longer    uint64 // version of the longest gaps that it knows
}

// cancel cancels the filter; the result of a running job is dropped.
func (s *filterProgress) cancel() {
	if s.stop != nil {
		s.stop.Store(true)
	}
	s.seq++
	s.unmatched, s.deferred, s.budget, s.stop = 0, nil, frameBytes, &atomic.Bool{}
}

// done reports whether all records are matched.
func (s *filterProgress) done() bool { return s.unmatched == 0 && len(s.deferred) == 0 }

// matchCost returns the cost of matching a record, in bytes.
func matchCost(set *filter.Filter, it *log.Item) int {
	if set.Uses()&filter.UsesBytes == 0 {
		return 0
	}
	return recordCost + len(it.Record.Raw)
}

// matchNew matches a new record, or queues it if the budget of this frame is used up.
func (s *filterProgress) matchNew(set *filter.Filter, it *log.Item) bool {
	s.budget -= matchCost(set, it)
	if s.budget < 0 {
		s.deferred = append(s.deferred, it.Record.ID)
		return false
	}
	return set.Match(it, s.env)
}

// matchNewest matches the newest records and returns those that pass.
func (p *Pane) matchNewest() (hits []a2a.RecordID) {
	f := &p.filter
	s := &f.progress
	s.unmatched, s.budget = a2a.RecordID(p.rows.total), frameBytes
	s.marks, s.mutes, s.longer = p.rows.remarkVersion, p.rows.log.Findings().Mutes(), f.facts.longer
	items := p.rows.log.View().Scan()
	for n := 0; s.unmatched > 0 && n < frameRecords; n++ {
		it := items.At(s.unmatched)
		if s.budget -= matchCost(f.set, it); s.budget < 0 {
			break
		}
		if f.set.Match(it, s.env) {
			hits = append(hits, s.unmatched)
		}
		s.unmatched--
	}
	s.budget = frameBytes
	return hits
}

// reapplyFilter applies the filter again if it depends on marks, mutes or longest gaps and those changed. Longest
// gaps may change with every frame, so there the filter first comes to its end.
func (p *Pane) reapplyFilter() {
	f := &p.filter
	if f.set == nil {
		return
	}
	uses := f.set.Uses()
	if uses&filter.UsesLongest != 0 && f.progress.longer != f.facts.longer && f.progress.done() || uses&filter.UsesMarks != 0 && f.progress.marks != p.rows.remarkVersion ||
		uses&filter.UsesMutes != 0 && f.progress.mutes != p.rows.log.Findings().Mutes() {
		p.list(f.set)
	}
}

// filterJob returns the next batch of matching, nil if there is none or a job is running.
func (p *Pane) filterJob() Job {
	f := &p.filter
	s := &f.progress
	s.budget = frameBytes
	if f.set == nil || s.busy || s.done() {
		return nil
	}
	s.busy = true
	b := filterBatch{view: p.rows.log.View(), set: f.set, env: p.envCopy(), deferred: s.deferred, unmatched: s.unmatched, stop: s.stop}
	s.deferred = nil
	turn := s.seq
	return func() func() bool {
		hits, below := b.match()
		return func() bool { return p.onMatches(turn, hits, below) }
	}
}

// onMatches applies the result of a job and reports whether it belongs to the current filter.
func (p *Pane) onMatches(turn int, hits []a2a.RecordID, below a2a.RecordID) bool {
	f := &p.filter
	f.progress.busy = false
	if turn != f.progress.seq {
		return false
	}
	f.progress.unmatched = below
	moved := p.rows.sel != f.nearest
	p.rows.addHits(hits)
	if !moved {
		p.selectNearest()
	}
	p.arrange()
	return true
}

// A filterBatch is the part of the log that one job matches.
type filterBatch struct {
	view      log.LogView
	set       *filter.Filter
	env       *filter.Env
	deferred  []a2a.RecordID
	unmatched a2a.RecordID
	stop      *atomic.Bool
}

// match returns the records that pass, and up to which record the log is not matched yet.
func (b *filterBatch) match() (hits []a2a.RecordID, below a2a.RecordID) {
	items := b.view.Scan()
	for _, id := range b.deferred {
		if !b.stop.Load() && b.set.Match(items.At(id), b.env) {
			hits = append(hits, id)
		}
	}
	below = b.unmatched
	spent := 0
	for n := 0; below > 0 && n < batchRecords && spent < batchBytes && !b.stop.Load(); n++ {
		it := items.At(below)
		spent += matchCost(b.set, it)
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
		Agent: p.filter.name, Gap: p.filter.facts.gaps.Of, Longest: filter.LongestIn(p.rows.log), Muted: p.rows.log.Findings().Muted, Marked: p.willBeMarked, Comment: p.Comment,
		About: func(x a2a.ExchangeID) filter.About { return p.filter.facts.about[x] }, Values: p.filter.facts.values,
	}
	if first := p.rows.log.At(1); first != nil {
		env.Start, env.End = first.Record.Time, p.rows.log.At(a2a.RecordID(p.rows.total)).Record.Time
		if p.zone != nil {
			env.Start = env.Start.In(p.zone)
		}
	}
	return env
}

// envCopy returns a copy of the environment for any goroutine.
func (p *Pane) envCopy() *filter.Env {
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
	var longest map[a2a.RecordID]bool
	if p.filter.set.Uses()&filter.UsesLongest != 0 {
		longest = map[a2a.RecordID]bool{}
		for _, s := range p.rows.log.Streams() {
			longest[s.Gaps.After] = true
		}
	}
	gaps, marks, remarks := p.filter.facts.gaps, p.rows.marks.clone(), p.rows.remarks
	return &filter.Env{
		Agent:   func(id a2a.AgentID) string { return names[id] },
		Gap:     gaps.Of,
		Longest: func(it *log.Item) bool { return longest[it.Record.ID] },
		Muted:   func(rule string) bool { return muted[rule] },
		Marked:  marks.has,
		Comment: func(id a2a.RecordID) string { return remarks.Remarks[id].Comment },
		About:   func(x a2a.ExchangeID) filter.About { return about[x] },
		Start:   p.filter.progress.env.Start,
		End:     p.filter.progress.env.End,
	}
}

// progressText describes the progress of the filter; empty when all records are matched.
func (p *Pane) progressText() string {
	s := &p.filter.progress
	if p.filter.set == nil || s.done() {
		return ""
	}
	if s.unmatched == 0 {
		return "searching"
	}
	done := p.rows.total - int(s.unmatched)
	return "searching, " + units.Count(100*done/max(p.rows.total, 1)) + " %"
}
