package wire

import (
	"strconv"
	"time"

	"parley/a2a"
	"parley/internal/units"
)

// A gapScope is a part of a session of which the longest gap is found.
type gapScope struct {
	name string
	has  func(id a2a.RecordID) bool
}

// gapScopes returns the parts of the session in which the selected record is, from the smallest: its stream with
// those that continue it, its conversation, and the session. What Parley requests on its own is in none but the
// first.
func (p *Pane) gapScopes() []gapScope {
	l, sel := p.rows.log, p.rows.sel
	owner, chain := l.Owner(sel), map[a2a.ExchangeID]bool{}
	for _, s := range l.Chain(l.ExchangeOf(sel)) {
		chain[s.Exchange] = true
	}
	asked := func(id a2a.RecordID) bool {
		s := l.Stream(l.ExchangeOf(id))
		return s == nil || s.Call == nil || !s.Call.Check && !s.Call.AuthPoll
	}
	return []gapScope{
		{"stream", func(id a2a.RecordID) bool { return chain[l.ExchangeOf(id)] }},
		{"conversation", func(id a2a.RecordID) bool {
			o := l.Owner(id)
			return o.Conversation != 0 && o.Agent == owner.Agent && o.Conversation == owner.Conversation && asked(id)
		}},
		{"session", asked},
	}
}

// longestGap returns the record after the longest pause in a part of the session, of the records that pass the
// filter; 0 if there is no pause. Records that are not listed, as those of folded exchanges, are among them.
func (p *Pane) longestGap(in gapScope) (after a2a.RecordID, gap time.Duration) {
	for i, d := range p.filter.facts.gaps.All() {
		if id := a2a.RecordID(i + 1); d > gap && (!p.rows.filtered || p.rows.hits.has(id)) && in.has(id) {
			after, gap = id, d
		}
	}
	return after, gap
}

// toLongestGap selects the record after the longest pause of the stream, and says how long the pause is. If it is
// selected already, the same of the conversation, then of the session.
func (p *Pane) toLongestGap() Intent {
	say := "No exchange here has a gap."
	for _, in := range p.gapScopes() {
		id, gap := p.longestGap(in)
		if id == 0 {
			continue
		}
		say = "The longest gap of the " + in.name + " is " + units.Duration(gap) + ", before record " + strconv.FormatUint(uint64(id), 10) + "."
		if id != p.rows.sel {
			p.Select(id)
			break
		}
	}
	p.arrange()
	return Say{say}
}

// Describe describes a record in one line, as its row does, safe to draw; empty if there is none.
func (p *Pane) Describe(id a2a.RecordID) string {
	p.sync()
	it := p.rows.log.At(id)
	if it == nil {
		return ""
	}
	what, tail := p.words(it)
	return what + tail
}
