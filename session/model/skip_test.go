package model

import (
	"testing"
	"time"

	"parley/a2a"
	"parley/session/log"
)

// Skipped records leave only their numbers: those before and after them are found as before, in
// any order.
func TestARecordThatPassesIsNotKept(t *testing.T) {
	s := NewState()
	kept := map[a2a.RecordID]bool{}
	for id := a2a.RecordID(1); id <= 5000; id++ {
		it := log.Item{Record: a2a.Record{ID: id, Kind: a2a.KindNote, Time: time.Unix(int64(id), 0), Note: &a2a.Note{Type: "x"}}}
		if id%1000 < 990 && id > 10 {
			s.Skip(&it)
			continue
		}
		s.Apply(it)
		kept[id] = true
	}
	if s.Log.Len() != len(kept) || len(s.anchors.offsets) != len(kept) {
		t.Errorf("got %d records, %d anchors; want %d of each", s.Log.Len(), len(s.anchors.offsets), len(kept))
	}
	for id := a2a.RecordID(0); id <= 5001; id++ {
		it := s.Log.At(id)
		if (it != nil) != kept[id] || it != nil && it.Record.ID != id {
			t.Fatalf("record %d: kept %v, got item %v", id, kept[id], it)
		}
		s.reanchor(max(id, 1), place{turn: &Turn{ID: 1}}, 0) // must not fail for skipped records
	}
}
