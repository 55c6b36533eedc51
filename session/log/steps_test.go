package log

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"parley/a2a"
)

// The cost of a record does not grow with the stream, and neither does the memory for chunks of
// known artifacts.
func TestAStreamCostsTheRecordAlone(t *testing.T) {
	call, epoch := &a2a.Call{Agent: 1, Conversation: 1, Turn: 1, Op: a2a.OpStream, Dialect: a2a.V10, Binding: a2a.BindingJSONRPC}, time.Date(2026, 11, 20, 14, 2, 7, 0, time.UTC)
	it := Item{Update: a2a.Update{Events: []a2a.Event{{Kind: a2a.EventArtifact, TaskID: "t", Artifact: &a2a.Artifact{Key: "a"}}}}}
	it.Record = a2a.Record{Exchange: 1, Kind: a2a.KindEvent, Call: call, Time: epoch, Raw: []byte("data: x\n\n")}
	s := newStream(&it.Record)
	next := func() {
		it.Record.ID++
		it.Record.Time = it.Record.Time.Add(7 * time.Millisecond)
		s.add(&it)
	}
	for range 100_000 {
		next()
	}
	if n := testing.AllocsPerRun(1000, next); n != 0 {
		t.Errorf("got %v allocations per record, want 0", n)
	}
	if len(s.Steps) != 1 || len(s.rate.cells) > rateCells || len(s.Gaps.counts) > 1000 {
		t.Errorf("got %d steps, %d cells, %d counts; want 1, at most %d, at most 1000", len(s.Steps), len(s.rate.cells), len(s.Gaps.counts), rateCells)
	}
	total := 0
	out := make([]Load, 40)
	s.Spread(out, 0, s.Duration(it.Record.Time))
	for _, c := range out {
		total += c.Events
	}
	if total != s.Events {
		t.Errorf("got %d events in all periods, want %d", total, s.Events)
	}
}

// Times in a recording may be anything.
func TestAStreamTakesAnyTimes(t *testing.T) {
	call, epoch := &a2a.Call{Agent: 1, Conversation: 1, Turn: 1, Op: a2a.OpStream, Dialect: a2a.V10, Binding: a2a.BindingJSONRPC}, time.Date(2026, 11, 20, 14, 2, 7, 0, time.UTC)
	for _, at := range [][]time.Time{
		{epoch, epoch.Add(-time.Hour), epoch},
		{{}, epoch, time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)},
		{time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC), {}, {}},
	} {
		var s *Stream
		for i, when := range at {
			r := a2a.Record{ID: a2a.RecordID(i + 1), Exchange: 1, Kind: a2a.KindEvent, Call: call, Time: when}
			if s == nil {
				s = newStream(&r)
			}
			s.add(&Item{Record: r})
		}
		if s.FirstEvent < 0 || s.Gaps.Max < 0 || s.Gaps.Quantile(0.95) < 0 || s.Duration(epoch) < 0 || s.Silence(epoch) < 0 {
			t.Errorf("times %v: got stream %+v, want no negative durations", at, s)
		}
		out := make([]Load, 10)
		s.Spread(out, 0, s.Duration(epoch))
	}
}

func TestQuantilesAreNearlyExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		var g Gaps
		var all []time.Duration
		for range 1 + rng.IntN(2000) {
			d := time.Duration(rng.ExpFloat64() * float64(time.Duration(1)<<(10+rng.IntN(30))))
			all = append(all, d)
			g.add(d, 1)
		}
		slices.Sort(all)
		for _, q := range []float64{0, 0.5, 0.95, 1} {
			rank := min(max(int(q*float64(len(all))+0.5)-1, 0), len(all)-1)
			want, got := all[rank], g.Quantile(q)
			if diff := (got - want).Abs(); diff > want/16+2*time.Microsecond {
				t.Errorf("quantile %v of %d pauses: got %v, want %v", q, len(all), got, want)
			}
		}
		if g.Max != all[len(all)-1] {
			t.Errorf("got longest pause %v, want %v", g.Max, all[len(all)-1])
		}
	}
	var none Gaps
	if none.Quantile(0.5) != 0 || !reflect.DeepEqual(none, Gaps{}) {
		t.Errorf("got median %v without pauses, want 0", none.Quantile(0.5))
	}
}

// A hostile agent opens artifacts and changes states without end.
func TestStepsAreBounded(t *testing.T) {
	call, epoch := &a2a.Call{Agent: 1, Conversation: 1, Turn: 1, Op: a2a.OpStream, Dialect: a2a.V10, Binding: a2a.BindingJSONRPC}, time.Date(2026, 11, 20, 14, 2, 7, 0, time.UTC)
	r := a2a.Record{ID: 1, Exchange: 1, Kind: a2a.KindRequest, Call: call, Time: epoch}
	s := newStream(&r)
	s.add(&Item{Record: r})
	for i := range manySteps + 1000 {
		r = a2a.Record{ID: a2a.RecordID(i + 2), Exchange: 1, Kind: a2a.KindEvent, Call: call, Time: epoch}
		s.add(&Item{Record: r, Update: a2a.Update{Events: []a2a.Event{
			{Kind: a2a.EventStatus, TaskID: "t", Status: &a2a.Status{State: a2a.StateWorking}},
			{Kind: a2a.EventArtifact, TaskID: "t", Artifact: &a2a.Artifact{Key: fmt.Sprint(i)}},
		}}})
	}
	r = a2a.Record{ID: r.ID + 1, Exchange: 1, Kind: a2a.KindEnd, Call: call, Time: epoch}
	s.add(&Item{Record: r})
	if len(s.Steps) != manySteps+1 || s.Steps[manySteps].Kind != StepEnd || len(s.past.outputs) > manyOutputs {
		t.Errorf("got %d steps, %d outputs; want %d with the end, at most %d", len(s.Steps), len(s.past.outputs), manySteps+1, manyOutputs)
	}
	if s.End == nil || s.End.Reason != a2a.Cut {
		t.Errorf("got end %+v, want reason cut", s.End)
	}
}
