package session

import (
	"sort"

	"parley/a2a"
)

// A passedRun is a run of consecutive records that are not kept.
type passedRun struct {
	first a2a.RecordID
	last  a2a.RecordID
	total int // records that were passed up to the last of these
}

// Pass takes a record of which the state keeps only the number: an event of a stream that
// another consumer handles, such as a printer. The rules check it. The state's knowledge of its
// task does not change.
func (s *State) Pass(it *Item) {
	if !it.checked {
		it.Findings = s.found(it)
	}
	s.Log.pass(it.Record.ID)
}

// pass notes that the newest record is not kept. Consecutive records take no more memory than
// one.
func (l *Log) pass(id a2a.RecordID) {
	n, total := len(l.passed)-1, 0
	if n >= 0 {
		total = l.passed[n].total
		if l.passed[n].last+1 == id {
			l.passed[n].last, l.passed[n].total = id, total+1
			return
		}
	}
	l.passed = append(l.passed, passedRun{first: id, last: id, total: total + 1})
}

// place returns the index of a record among those that are kept, counted from 0; false if it is
// not kept.
func (v LogView) place(id a2a.RecordID) (int, bool) {
	if id == 0 {
		return 0, false
	}
	if len(v.passed) == 0 {
		return int(id - 1), true
	}
	n := sort.Search(len(v.passed), func(i int) bool { return v.passed[i].first > id }) - 1
	if n < 0 {
		return int(id - 1), true
	}
	run := v.passed[n]
	return int(id-1) - run.total, id > run.last
}
