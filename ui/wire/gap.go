package wire

import (
	"strconv"
	"time"

	"parley/a2a"
	"parley/internal/units"
)

// longestGap returns the record after the longest pause within an exchange, of the records that are
// in scope and pass the filter; 0 if there is no pause. Those of folded exchanges are among them.
func (p *Pane) longestGap() (after a2a.RecordID, gap time.Duration) {
	for i, d := range p.filter.facts.gaps {
		if id := a2a.RecordID(i + 1); d > gap && p.rows.passes(id) {
			after, gap = id, d
		}
	}
	return after, gap
}

// toLongestGap selects the record after the longest pause, and says how long the pause is.
func (p *Pane) toLongestGap() Intent {
	id, gap := p.longestGap()
	if id == 0 {
		return Say{"No exchange here has a gap."}
	}
	p.Select(id)
	p.arrange()
	return Say{"The longest gap is " + units.Duration(gap) + ", before record " + strconv.FormatUint(uint64(id), 10) + "."}
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
