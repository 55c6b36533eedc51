package log

import (
	"testing"
	"time"

	"parley/a2a"
)

// Consecutive skipped records take no more memory than one.
func TestRecordsThatPassAreKeptAsRuns(t *testing.T) {
	l := New()
	for id := a2a.RecordID(1); id <= 5000; id++ {
		if id%1000 < 990 && id > 10 {
			l.Skip(id)
			continue
		}
		l.Append(Item{Record: a2a.Record{ID: id, Kind: a2a.KindNote, Time: time.Unix(int64(id), 0), Note: &a2a.Note{Type: "x"}}})
	}
	if len(l.skipped) != 6 {
		t.Errorf("got %d runs, want 6", len(l.skipped))
	}
}
