package log

import (
	"sort"

	"parley/a2a"
)

// A skippedRun is a run of consecutive records that are not kept.
type skippedRun struct {
	first a2a.RecordID
	last  a2a.RecordID
	total int // records that were passed up to the last of these
}

// Skip notes that the newest record is not kept. Consecutive records take no more memory than
// one.
func (l *Log) Skip(id a2a.RecordID) {
	n, total := len(l.skipped)-1, 0
	if n >= 0 {
		total = l.skipped[n].total
		if l.skipped[n].last+1 == id {
			l.skipped[n].last, l.skipped[n].total = id, total+1
			return
		}
	}
	l.skipped = append(l.skipped, skippedRun{first: id, last: id, total: total + 1})
}

// Position returns the index of a record among those that are kept, counted from 0; false if it is
// not kept.
func (v LogView) Position(id a2a.RecordID) (int, bool) {
	if id == 0 {
		return 0, false
	}
	if len(v.skipped) == 0 {
		return int(id - 1), true
	}
	n := sort.Search(len(v.skipped), func(i int) bool { return v.skipped[i].first > id }) - 1
	if n < 0 {
		return int(id - 1), true
	}
	run := v.skipped[n]
	return int(id-1) - run.total, id > run.last
}
