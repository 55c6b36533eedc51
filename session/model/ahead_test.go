package model_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"parley/a2a"
	"parley/session/check"
	"parley/session/log"
	"parley/session/model"
	"parley/session/sessiontest"
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

// TestItemsThatArePreparedAheadMakeTheSameState prepares items long before a state takes them, and compares the state
// with one that asks for each: what they show, and which tasks and findings the rules saw.
func TestItemsThatArePreparedAheadMakeTheSameState(t *testing.T) {
	bodies := vectors(t)
	for seed := range uint64(40) {
		number := rand.New(rand.NewPCG(seed, 1)).IntN
		var atOnce, ahead bystander
		random, s := model.NewState(), model.NewState()
		applyRandomItems(random, bodies, func(n int) int { return number(max(n, 1)) }, 300)
		s.Check(&atOnce)
		items := make([]log.Item, random.Log.Len())
		for i := range items {
			at := random.Log.At(a2a.RecordID(i + 1))
			items[i] = log.Item{Record: at.Record, Update: at.Update}
			s.Apply(items[i])
		}
		again, stage := model.NewState(), check.New(&ahead)
		again.Follow(stage)
		for from := 0; from < len(items); {
			to := min(from+1+number(200), len(items))
			stage.Prepare(items[from:to])
			for ; from < to; from++ {
				again.Apply(items[from])
			}
		}
		if got, want := fmt.Sprint(ahead.saw), fmt.Sprint(atOnce.saw); got != want {
			t.Fatalf("seed %d: the rules saw other tasks:\n%s", seed, sessiontest.Difference(want, got))
		}
		if got, want := sessiontest.Dump(again), sessiontest.Dump(s); got != want {
			t.Fatalf("seed %d: got another state:\n%s", seed, sessiontest.Difference(want, got))
		}
		for id := range s.Log.Len() {
			it := again.Log.At(a2a.RecordID(id + 1))
			if got, want := fmt.Sprint(it.Findings), fmt.Sprint(s.Log.At(a2a.RecordID(id+1)).Findings); got != want {
				t.Fatalf("seed %d: record %d: got findings %s, want %s", seed, id+1, got, want)
			}
			if it.Verdict != nil {
				t.Fatalf("record %d keeps its verdict", id+1)
			}
		}
	}
}
