package sessiontest

import (
	"testing"

	"parley/a2a"
	"parley/session/model"
)

// CheckPlaces looks for places that lead nowhere.
func CheckPlaces(t *testing.T, s *model.State) {
	t.Helper()
	for id := a2a.RecordID(1); id <= a2a.RecordID(s.Log.Len()); id++ {
		at, ok := s.Anchor(id)
		if !ok {
			continue
		}
		turn := s.Turn(at.Turn)
		if turn == nil || at.Block >= len(turn.Blocks) || (at.Block < 0) != (at.Entry < 0) {
			t.Fatalf("record %d: anchor %+v is outside of the state", id, at)
		}
		if at.Block >= 0 && at.Entry >= len(turn.Blocks[at.Block].Entries) {
			t.Fatalf("record %d: anchor %+v is beyond %d entries", id, at, len(turn.Blocks[at.Block].Entries))
		}
	}
	for _, task := range s.Waiting() {
		if !task.State.Interrupted() {
			t.Errorf("task %s waits in state %v", task.ID, task.State)
		}
	}
}
