package tracker

import (
	"parley/a2a"
	"parley/session/log"
)

// A Precheck checks the records of a replay before the state has them, so that both run in
// parallel.
type Precheck struct {
	rules   log.Checker
	tracker *Tracker // nil once the checks are left to the state
}

// NewPrecheck returns a check by these rules, before the first record.
func NewPrecheck(rules log.Checker) *Precheck { return &Precheck{rules, New()} }

// Leave leaves the checks of all further records to the state, and the memory that they need.
func (p *Precheck) Leave() { p.tracker = nil }

// Check adds the findings of the next item.
func (p *Precheck) Check(it *log.Item) {
	if p.tracker == nil {
		return
	}
	var known *a2a.Fold
	if c := it.Record.Call; c != nil {
		known = p.tracker.Known(c.Agent)
	}
	it.Findings, it.Checked = log.FindingsOf(p.rules, it, known), true
	p.tracker.Judge(&it.Record, &it.Update)
}
