package check

import (
	"sync"

	"parley/a2a"
	"parley/session/log"
	"parley/session/tracker"
)

// A Stage judges and checks the items of one session. Items come from one goroutine at a time; the tasks can be
// asked for from any.
type Stage struct {
	mu      sync.Mutex
	tracker *tracker.Tracker
	rules   log.Checker // nil checks nothing

	// Room for what belongs to the items that are prepared ahead.
	verdicts []log.Verdict
	rulings  []log.Ruling
	deltas   []a2a.Delta
}

// New returns the stage of a session without records. Without rules, the findings are those of the decoder.
func New(rules log.Checker) *Stage { return &Stage{tracker: tracker.New(), rules: rules} }

// Use makes rules check the items from now on.
func (s *Stage) Use(rules log.Checker) { s.rules = rules }

// Judge sets the findings of the next item and returns the verdict on it, which is valid until the item after it.
// The item must stay where it is.
func (s *Stage) Judge(it *log.Item) *log.Verdict {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.judge(it)
}

func (s *Stage) judge(it *log.Item) *log.Verdict {
	it.Findings = s.findings(it)
	return s.tracker.Judge(&it.Record, &it.Update)
}

// Skip sets the findings of the next item, which is not kept: what is known of its task stays as it is.
func (s *Stage) Skip(it *log.Item) {
	s.mu.Lock()
	defer s.mu.Unlock()
	it.Findings = s.findings(it)
}

// findings returns the findings of the decoder and the rules for the next item.
func (s *Stage) findings(it *log.Item) []a2a.Finding {
	if s.rules == nil {
		return it.Update.Findings
	}
	var known *a2a.Fold
	if c := it.Record.Call; c != nil {
		known = s.tracker.Known(c.Agent)
	}
	return s.rules.Check(&it.Record, &it.Update, known)
}

// Prepare sets findings and verdict of the next items, for a state that takes them later. It leaves signals, and the
// items that another stage has prepared, as they are.
func (s *Stage) Prepare(items []log.Item) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range items {
		if it := &items[i]; it.Signal == nil && it.Verdict == nil {
			it.Verdict = s.keep(s.judge(it), it.Record.ID)
		}
	}
}

// none is the verdict on a record that says nothing about tasks.
var none log.Verdict

// keep returns the verdict on a record in memory of its own. Verdicts share a block of memory with those near them,
// so none refers to its own record: all that came before would stay with the newest.
func (s *Stage) keep(v *log.Verdict, id a2a.RecordID) *log.Verdict {
	if !v.Says() {
		return &none
	}
	kept := add(&s.verdicts, []log.Verdict{*v})
	kept[0].Rulings, kept[0].Merged = add(&s.rulings, v.Rulings), add(&s.deltas, v.Merged)
	for i := range kept[0].Rulings {
		r := &kept[0].Rulings[i]
		r.Deltas = add(&s.deltas, r.Deltas)
		if r.Record.ID == id {
			r.Record, r.Event = nil, nil
		}
	}
	return &kept[0]
}

// block is how many values get their memory at a time.
const block = 128

// add copies values to the room behind others, or to new room if there is too little.
func add[T any](room *[]T, values []T) []T {
	if len(values) == 0 {
		return nil
	}
	n := len(*room)
	if n+len(values) > cap(*room) {
		*room, n = make([]T, 0, max(block, len(values))), 0
	}
	*room = append(*room, values...)
	return (*room)[n:len(*room):len(*room)]
}

// Known calls f with the tasks of an agent as its events make them, and reports whether a record names the agent;
// otherwise it does not call f. The tasks must not be changed, and f must not keep them: the next item changes them.
func (s *Stage) Known(agent a2a.AgentID, f func(known *a2a.Fold)) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.tracker.Known(agent)
	if known != nil {
		f(known)
	}
	return known != nil
}
