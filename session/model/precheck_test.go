package model_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"parley/a2a"
	"parley/session/model"
	"parley/session/tracker"
)

// A bystander is a checker that records which tasks of the agent were known.
type bystander struct{ saw []string }

func (w *bystander) Check(r *a2a.Record, _ *a2a.Update, known *a2a.Fold) []a2a.Finding {
	said := "nothing"
	if known != nil {
		said = fmt.Sprint(known.Artifacts("t"), known.Artifacts("task-1"))
		for _, id := range []string{"t", "task-1"} {
			if t := known.Task(id); t != nil {
				said += fmt.Sprintf(" %s %+v %+v", id, t.Status, t.Artifacts)
			}
		}
	}
	w.saw = append(w.saw, fmt.Sprint(r.ID, " ", said))
	return []a2a.Finding{{Rule: "TEST-001", Offset: len(said)}}
}

// TestAReplayIsCheckedWithWhatTheStateWouldKnow compares checks before a state applies the
// records with those of a state.
func TestAReplayIsCheckedWithWhatTheStateWouldKnow(t *testing.T) {
	bodies := vectors(t)
	for seed := range uint64(40) {
		number := rand.New(rand.NewPCG(seed, 1)).IntN
		var inState, before bystander
		s := model.NewState()
		s.Check(&inState)
		applyRandomItems(s, bodies, func(n int) int { return number(max(n, 1)) }, 300)
		again, p := model.NewState(), tracker.NewPrecheck(&before)
		again.Check(&before) // which must not check them again
		for id := a2a.RecordID(1); id <= a2a.RecordID(s.Log.Len()); id++ {
			it := *s.Log.At(id)
			it.Findings = nil
			p.Check(&it)
			again.Apply(it)
			if got, want := before.saw[len(before.saw)-1], inState.saw[id-1]; got != want {
				t.Fatalf("seed %d: record %d: got known tasks\n%s\nwant those of the state\n%s", seed, id, got, want)
			}
			if got, want := again.Log.At(id).Findings, s.Log.At(id).Findings; fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("seed %d: record %d: got findings %v, want %v", seed, id, got, want)
			}
		}
		if len(before.saw) != s.Log.Len() {
			t.Fatalf("got %d checked records, want %d", len(before.saw), s.Log.Len())
		}
	}
}
