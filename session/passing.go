package session

import (
	"sort"

	"parley/a2a"
)

// A passedRun is records in a row of which nothing is kept.
type passedRun struct {
	first a2a.RecordID
	last  a2a.RecordID
	total int // records that were passed up to the last of these
}

// Pass takes a record in of which the state keeps nothing but that it had a number: a piece
// of a stream that somebody else has taken, such as whoever prints it. The rules see it. What
// the state knows of its task stays as it was.
func (s *State) Pass(it *Item) {
	if !it.checked {
		it.Findings = s.found(it)
	}
	s.Log.pass(it.Record.ID)
}

// pass notes that nothing is kept of a record, which is the newest. Records in a row take
// no more room than one.
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

// place returns which of the records that are kept a number is, counted from 0; false if
// there is none of that number.
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
