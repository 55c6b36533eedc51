package session

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/a2a"
)

// after lets time pass before the tape's next record, which takes 10 ms more.
func (p *tape) after(d time.Duration) *tape {
	p.at = p.at.Add(d - 10*time.Millisecond)
	return p
}

func (p *tape) head(x a2a.ExchangeID, call *a2a.Call) a2a.RecordID {
	return p.put(a2a.Record{Kind: a2a.KindHead, Dir: a2a.In, Exchange: x, Call: call,
		Head: &a2a.Head{Status: 200, Header: map[string][]string{"Content-Type": {"text/event-stream"}}}})
}

// steps writes down the steps of a stream, one in a line.
func steps(s *Stream) string {
	kinds := []string{"request", "head", "state", "artifact", "message", "error", "other", "wait", "note", "end"}
	var b strings.Builder
	for _, st := range s.Steps {
		fmt.Fprintf(&b, "%s %d-%d %v-%v", kinds[st.Kind], st.From, st.To, st.Begin, st.End)
		if st.Kind == StepState {
			fmt.Fprintf(&b, " %s", st.State)
		}
		if st.Records > 1 {
			fmt.Fprintf(&b, " x%d", st.Records)
		}
		if st.Artifacts > 1 {
			fmt.Fprintf(&b, " %d artifacts", st.Artifacts)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestAStreamIsToldInSteps(t *testing.T) {
	call := callOf(a2a.OpStream, 1)
	p := newTape()
	x := p.ask(call, "hi")
	p.after(40*time.Millisecond).head(x, call)
	p.event(x, call, statusWord("SUBMITTED"))
	p.event(x, call, statusWord("WORKING"))
	p.event(x, call, statusSays("WORKING", "m9", "looking"))
	p.event(x, call, chunkOf("a", "one", false))
	p.event(x, call, chunkOf("a", "two", true))
	p.event(x, call, chunkOf("b", "one", false))
	p.event(x, call, chunkOf("a", "three", true))
	p.after(2*time.Second).event(x, call, chunkOf("b", "two", true))
	p.event(x, call, statusWord("COMPLETED"))
	p.end(x, call, a2a.End{Reason: a2a.Ended})
	s := p.state.Log.Stream(x)
	want := `request 1-1 0s-0s
head 2-2 40ms-40ms
state 3-3 50ms-50ms submitted
state 4-5 60ms-70ms working x2
artifact 6-7 80ms-90ms x2
artifact 8-9 100ms-110ms x2 2 artifacts
wait 9-10 110ms-2.11s
artifact 10-10 2.11s-2.11s
state 11-11 2.12s-2.12s completed
end 12-12 2.13s-2.13s
`
	if got := steps(s); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if s.Head != 40*time.Millisecond || s.FirstEvent != 50*time.Millisecond || s.FirstArtifact != 80*time.Millisecond {
		t.Errorf("head %v, first event %v, first artifact %v", s.Head, s.FirstEvent, s.FirstArtifact)
	}
	if s.Events != 9 || s.Gaps.Count != 8 || s.Gaps.Max != 2*time.Second || s.Gaps.After != 10 {
		t.Errorf("%d events, gaps %+v", s.Events, s.Gaps)
	}
	if s.State != a2a.StateCompleted || s.Open() || !s.Streamed() || s.Duration(p.at.Add(time.Hour)) != 2130*time.Millisecond {
		t.Errorf("state %v, open %v, took %v", s.State, s.Open(), s.Duration(p.at))
	}
	if events, _ := s.PerSecond(); events < 4.3 || events > 4.4 { // nine in 2.08 s
		t.Errorf("%.2f events a second", events)
	}
}

func TestAnOpenStreamIsSilent(t *testing.T) {
	call := callOf(a2a.OpStream, 1)
	p := newTape()
	x := p.ask(call, "hi")
	p.head(x, call)
	p.event(x, call, statusWord("WORKING"))
	s := p.state.Log.Stream(x)
	if got := s.Silence(p.at.Add(9 * time.Second)); got != 9*time.Second {
		t.Errorf("silent for %v", got)
	}
	sig := Signal{Kind: SignalStalled, Time: p.at.Add(8 * time.Second), Agent: 1, Conversation: 1, Turn: 1, TaskID: "t", After: StallAfter}
	p.state.Apply(Item{Signal: &sig})
	if s.Stalled == nil || s.Stalled.After != StallAfter {
		t.Error("the stall is not told")
	}
	p.event(x, call, statusWord("WORKING"))
	if s.Stalled != nil {
		t.Error("it brought something and is still called stalled")
	}
	p.end(x, call, a2a.End{Reason: a2a.Cut})
	if s.Silence(p.at.Add(time.Hour)) != 0 {
		t.Error("a stream that is over is silent")
	}
}

// An agent that says something every two seconds does not wait each time.
func TestARegularPauseIsNoStep(t *testing.T) {
	call := callOf(a2a.OpStream, 1)
	p := newTape()
	x := p.ask(call, "hi")
	p.head(x, call)
	for range 50 {
		p.after(2*time.Second).event(x, call, statusWord("WORKING"))
	}
	p.after(9*time.Second).event(x, call, statusWord("WORKING"))
	waits := 0
	for _, st := range p.state.Log.Stream(x).Steps {
		if st.Kind == StepWait {
			waits++
		}
	}
	if waits > aMedian+3 {
		t.Errorf("%d waits", waits)
	}
	last := p.state.Log.Stream(x).Steps
	if wait := last[len(last)-2]; wait.Kind != StepWait || wait.Alive {
		t.Errorf("a pause of nine seconds is %+v", wait)
	}
	p.after(9 * time.Second).put(a2a.Record{Kind: a2a.KindEvent, Dir: a2a.In, Exchange: x, Call: call, Raw: []byte(": ping\n\ndata: {}\n\n"), Data: []byte("{}")})
	last = p.state.Log.Stream(x).Steps
	if wait := last[len(last)-2]; wait.Kind != StepWait || !wait.Alive {
		t.Errorf("a pause with comments is %+v", wait)
	}
}

func TestSubscriptionsAreLinkedWithWhatTheyGoOnWith(t *testing.T) {
	call, sub := callOf(a2a.OpStream, 1), callOf(a2a.OpSubscribe, 1)
	sub.TaskID = "t"
	p := newTape()
	first := p.ask(call, "hi")
	p.event(first, call, statusWord("WORKING"))
	beside := p.ask(sub, "")
	p.end(beside, sub, a2a.End{Reason: a2a.Cancelled})
	p.end(first, call, a2a.End{Reason: a2a.Cut})
	failed := p.ask(sub, "")
	p.end(failed, sub, a2a.End{Reason: a2a.Refused})
	last := p.ask(sub, "")
	p.event(last, sub, statusWord("COMPLETED"))
	other := callOf(a2a.OpSubscribe, 1)
	other.TaskID = "another"
	alone := p.ask(other, "")

	chain := func(x a2a.ExchangeID) (ids []a2a.ExchangeID) {
		for _, s := range p.state.Log.Chain(x) {
			ids = append(ids, s.Exchange)
		}
		return ids
	}
	whole := []a2a.ExchangeID{first, failed, last}
	for _, x := range whole {
		if got := chain(x); !slices.Equal(got, whole) {
			t.Errorf("the chain of %d is %v, want %v", x, got, whole)
		}
	}
	for _, x := range []a2a.ExchangeID{beside, alone} {
		if got := chain(x); !slices.Equal(got, []a2a.ExchangeID{x}) {
			t.Errorf("the chain of %d is %v", x, got)
		}
	}
	if p.state.Log.Chain(999) != nil {
		t.Error("an exchange that is none has a chain")
	}
}

// What a record costs does not grow with the stream, and neither does what is kept of
// chunks that only go on.
func TestAStreamCostsTheRecordAlone(t *testing.T) {
	call := callOf(a2a.OpStream, 1)
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
		t.Errorf("%v allocations for a record", n)
	}
	if len(s.Steps) != 1 || len(s.rate.cells) > rateCells || len(s.Gaps.counts) > 1000 {
		t.Errorf("%d steps, %d cells, %d counts", len(s.Steps), len(s.rate.cells), len(s.Gaps.counts))
	}
	total := 0
	out := make([]Load, 40)
	s.Spread(out, 0, s.Duration(it.Record.Time))
	for _, c := range out {
		total += c.Events
	}
	if total != s.Events {
		t.Errorf("%d of %d events are spread", total, s.Events)
	}
}

// Times in a recording may be anything.
func TestAStreamTakesAnyTimes(t *testing.T) {
	call := callOf(a2a.OpStream, 1)
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
			t.Errorf("%v: %+v", at, s)
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
				t.Errorf("quantile %v of %d is %v, want %v", q, len(all), got, want)
			}
		}
		if g.Max != all[len(all)-1] {
			t.Errorf("the longest is %v, want %v", g.Max, all[len(all)-1])
		}
	}
	var none Gaps
	if none.Quantile(0.5) != 0 || !reflect.DeepEqual(none, Gaps{}) {
		t.Error("no gaps have a median")
	}
}

// A hostile agent opens artifacts and changes states without an end.
func TestStepsAreBounded(t *testing.T) {
	call := callOf(a2a.OpStream, 1)
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
		t.Errorf("%d steps, %d outputs", len(s.Steps), len(s.past.outputs))
	}
	if s.End == nil || s.End.Reason != a2a.Cut {
		t.Error("an end without a reason is no end")
	}
}

// A verdict comes when its stream is over and another one went on: it is told at the end,
// and makes nothing longer.
func TestAVerdictIsAStepOfTheNewestStream(t *testing.T) {
	call, sub := callOf(a2a.OpStream, 1), callOf(a2a.OpSubscribe, 1)
	sub.TaskID = "t"
	p := newTape()
	first := p.ask(call, "hi")
	p.event(first, call, statusWord("WORKING"))
	p.end(first, call, a2a.End{Reason: a2a.Cut})
	second := p.ask(sub, "")
	p.end(second, sub, a2a.End{Reason: a2a.Ended})
	took := p.state.Log.Stream(second).Duration(p.at)
	verdict := func(exchange string) Item {
		return Item{Record: a2a.Record{Kind: a2a.KindNote, Note: &a2a.Note{Type: NoteVerdict, Attrs: map[string]string{attrExchange: exchange}}}}
	}
	it := verdict(fmt.Sprint(first))
	if it.Exchange() != first {
		t.Errorf("the note is about exchange %d", it.Exchange())
	}
	id := p.after(time.Hour).put(it.Record)
	s := p.state.Log.Stream(second)
	if last := s.Steps[len(s.Steps)-1]; last.Kind != StepNote || last.From != id {
		t.Errorf("the last step is %+v", last)
	}
	if s.Duration(p.at) != took || s.Open() {
		t.Errorf("the stream took %v, and %v with the note", took, s.Duration(p.at))
	}
	for _, odd := range []string{"", "x", "-1", "999", "18446744073709551615"} {
		it := verdict(odd)
		p.put(it.Record)
	}
	if n := len(p.state.Log.Stream(second).Steps); n != len(s.Steps) {
		t.Error("a note about another exchange is a step of this one")
	}
}
