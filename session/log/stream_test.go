package log_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/session/log"
	"parley/session/sessiontest"
)

// steps lists the steps of a stream, one per line.
func steps(s *log.Stream) string {
	kinds := []string{"request", "head", "state", "artifact", "message", "error", "other", "wait", "note", "end"}
	var b strings.Builder
	for _, st := range s.Steps {
		fmt.Fprintf(&b, "%s %d-%d %v-%v", kinds[st.Kind], st.From, st.To, st.Begin, st.End)
		if st.Kind == log.StepState {
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
	call := sessiontest.CallOf(a2a.OpStream, 1)
	p := sessiontest.NewTape()
	x := p.Ask(call, "hi")
	p.After(40*time.Millisecond).Head(x, call)
	p.Event(x, call, sessiontest.StatusWord("SUBMITTED"))
	p.Event(x, call, sessiontest.StatusWord("WORKING"))
	p.Event(x, call, sessiontest.StatusSays("WORKING", "m9", "looking"))
	p.Event(x, call, sessiontest.ChunkOf("a", "one", false))
	p.Event(x, call, sessiontest.ChunkOf("a", "two", true))
	p.Event(x, call, sessiontest.ChunkOf("b", "one", false))
	p.Event(x, call, sessiontest.ChunkOf("a", "three", true))
	p.After(2*time.Second).Event(x, call, sessiontest.ChunkOf("b", "two", true))
	p.Event(x, call, sessiontest.StatusWord("COMPLETED"))
	p.End(x, call, a2a.End{Reason: a2a.Ended})
	p.After(time.Minute).Put(a2a.Record{Kind: a2a.KindSurplus, Dir: a2a.In, Exchange: x, Call: call, Raw: []byte("of nothing above")})
	s := p.State.Log.Stream(x)
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
		t.Errorf("got head %v, first event %v, first artifact %v; want 40ms, 50ms, 80ms", s.Head, s.FirstEvent, s.FirstArtifact)
	}
	if s.Events != 9 || s.Gaps.Count != 8 || s.Gaps.Max != 2*time.Second || s.Gaps.After != 10 {
		t.Errorf("got %d events, gaps %+v; want 9 events and 8 gaps of at most 2 s", s.Events, s.Gaps)
	}
	if s.State != a2a.StateCompleted || s.Open() || !s.Streamed() || s.Duration(p.At.Add(time.Hour)) != 2130*time.Millisecond {
		t.Errorf("got state %v, open %v, duration %v; want completed, closed, 2.13 s", s.State, s.Open(), s.Duration(p.At))
	}
	if events, _ := s.Average(); events < 4.2 || events > 4.3 { // nine in 2.13 s
		t.Errorf("got %.2f events per second, want 4.2 to 4.3", events)
	}
}

func TestAnOpenStreamIsSilent(t *testing.T) {
	call := sessiontest.CallOf(a2a.OpStream, 1)
	p := sessiontest.NewTape()
	x := p.Ask(call, "hi")
	p.Head(x, call)
	p.Event(x, call, sessiontest.StatusWord("WORKING"))
	s := p.State.Log.Stream(x)
	if got := s.Silence(p.At.Add(9 * time.Second)); got != 9*time.Second {
		t.Errorf("got silence %v, want 9 s", got)
	}
	p.End(x, call, a2a.End{Reason: a2a.Cut})
	if s.Silence(p.At.Add(time.Hour)) != 0 {
		t.Error("got silence of a closed stream, want 0")
	}
}

// A silence is a stall from two seconds on, or from five times the usual pause of the agent: that of the
// stream, or as long as it has too few, of the agent's stream before it.
func TestAStallIsAnUnusualSilence(t *testing.T) {
	p := sessiontest.NewTape()
	open := func(agent a2a.AgentID, op a2a.Op) (*log.Stream, func(pause time.Duration, times int)) {
		call := sessiontest.CallOf(op, 1)
		call.Agent = agent
		x := p.Ask(call, "hi")
		return p.State.Log.Stream(x), func(pause time.Duration, times int) {
			for range times {
				p.After(pause).Event(x, call, sessiontest.StatusWord("WORKING"))
			}
		}
	}
	stalls := func(name string, s *log.Stream, from time.Duration) {
		t.Helper()
		if got := s.Stall(p.At.Add(from - time.Millisecond)); got != 0 {
			t.Errorf("%s: got a stall of %v before %v", name, got, from)
		}
		for _, later := range []time.Duration{0, time.Second, time.Hour} {
			if got := s.Stall(p.At.Add(from + later)); got != from+later {
				t.Errorf("%s: got a stall of %v, want %v", name, got, from+later)
			}
		}
	}
	s, send := open(1, a2a.OpStream)
	stalls("nothing came", s, 2*time.Second)
	send(time.Second, log.AMedian)
	stalls("too few pauses", s, 2*time.Second)
	send(time.Second, 1)
	stalls("a pause of a second is usual", s, 5*time.Second)
	next, send := open(1, a2a.OpStream)
	stalls("the next stream of that agent", next, 5*time.Second)
	send(10*time.Millisecond, log.AMedian+1)
	stalls("the next stream is faster", next, 2*time.Second)
	other, _ := open(2, a2a.OpStream)
	stalls("another agent", other, 2*time.Second)
	answer, _ := open(2, a2a.OpSend)
	stalls("an answer that is no stream", answer, a2a.StallAfter)

	other.Touch(p.At.Add(time.Second))
	if got := other.Stall(p.At.Add(4 * time.Second)); got != 3*time.Second {
		t.Errorf("got a stall of %v after bytes of something incomplete, want 3 s", got)
	}
	if got := other.Stall(time.Time{}); got != 0 {
		t.Errorf("got a stall of %v without a time, want none", got)
	}
	for _, state := range []a2a.State{a2a.StateCompleted, a2a.StateInputRequired} {
		if s.State = state; s.Stall(p.At.Add(time.Hour)) != 0 {
			t.Errorf("%v: got a stall, want none", state)
		}
	}
}

// Regular pauses of two seconds are not waits.
func TestARegularPauseIsNoStep(t *testing.T) {
	call := sessiontest.CallOf(a2a.OpStream, 1)
	p := sessiontest.NewTape()
	x := p.Ask(call, "hi")
	p.Head(x, call)
	for range 50 {
		p.After(2*time.Second).Event(x, call, sessiontest.StatusWord("WORKING"))
	}
	p.After(9*time.Second).Event(x, call, sessiontest.StatusWord("WORKING"))
	waits := 0
	for _, st := range p.State.Log.Stream(x).Steps {
		if st.Kind == log.StepWait {
			waits++
		}
	}
	if waits > log.AMedian+3 {
		t.Errorf("got %d waits, want at most %d", waits, log.AMedian+3)
	}
	last := p.State.Log.Stream(x).Steps
	if wait := last[len(last)-2]; wait.Kind != log.StepWait || wait.Alive {
		t.Errorf("got step %+v for a pause of nine seconds, want a wait that is not alive", wait)
	}
	p.After(9 * time.Second).Put(a2a.Record{Kind: a2a.KindEvent, Dir: a2a.In, Exchange: x, Call: call, Raw: []byte(": ping\n\ndata: {}\n\n"), Data: []byte("{}")})
	last = p.State.Log.Stream(x).Steps
	if wait := last[len(last)-2]; wait.Kind != log.StepWait || !wait.Alive {
		t.Errorf("got step %+v for a pause with comments, want a wait that is alive", wait)
	}
}

func TestSubscriptionsAreLinkedWithWhatTheyGoOnWith(t *testing.T) {
	call, sub := sessiontest.CallOf(a2a.OpStream, 1), sessiontest.CallOf(a2a.OpSubscribe, 1)
	sub.TaskID = "t"
	p := sessiontest.NewTape()
	first := p.Ask(call, "hi")
	p.Event(first, call, sessiontest.StatusWord("WORKING"))
	beside := p.Ask(sub, "")
	p.End(beside, sub, a2a.End{Reason: a2a.Cancelled})
	p.End(first, call, a2a.End{Reason: a2a.Cut})
	failed := p.Ask(sub, "")
	p.End(failed, sub, a2a.End{Reason: a2a.Refused})
	last := p.Ask(sub, "")
	p.Event(last, sub, sessiontest.StatusWord("COMPLETED"))
	other := sessiontest.CallOf(a2a.OpSubscribe, 1)
	other.TaskID = "another"
	alone := p.Ask(other, "")

	chain := func(x a2a.ExchangeID) (ids []a2a.ExchangeID) {
		for _, s := range p.State.Log.Chain(x) {
			ids = append(ids, s.Exchange)
		}
		return ids
	}
	whole := []a2a.ExchangeID{first, failed, last}
	for _, x := range whole {
		if got := chain(x); !slices.Equal(got, whole) {
			t.Errorf("exchange %d: got chain %v, want %v", x, got, whole)
		}
	}
	for _, x := range []a2a.ExchangeID{beside, alone} {
		if got := chain(x); !slices.Equal(got, []a2a.ExchangeID{x}) {
			t.Errorf("exchange %d: got chain %v, want itself alone", x, got)
		}
	}
	if p.State.Log.Chain(999) != nil {
		t.Error("got a chain of an unknown exchange")
	}
}

// The pause of a cut is a gap of the stream that goes on, also if a subscription in between brought nothing.
func TestThePauseOfACutIsAGap(t *testing.T) {
	call, sub := sessiontest.CallOf(a2a.OpStream, 1), sessiontest.CallOf(a2a.OpSubscribe, 1)
	sub.TaskID = "t"
	p := sessiontest.NewTape()
	first := p.Ask(call, "hi")
	p.Event(first, call, sessiontest.StatusWord("WORKING"))
	p.After(100*time.Millisecond).Event(first, call, sessiontest.ChunkOf("a", "one", false))
	at := p.At
	p.After(500*time.Millisecond).End(first, call, a2a.End{Reason: a2a.Cut})
	p.After(2*time.Second).End(p.Ask(sub, ""), sub, a2a.End{Reason: a2a.Refused})
	last := p.After(time.Second).Ask(sub, "")
	again := p.After(300*time.Millisecond).Event(last, sub, sessiontest.ChunkOf("a", "two", true))
	gap := p.At.Sub(at)
	p.After(10*time.Millisecond).Event(last, sub, sessiontest.StatusWord("COMPLETED"))
	s := p.State.Log.Stream(last)
	if g := &s.Gaps; gap < 3800*time.Millisecond || g.Max != gap || g.After != again || g.Count != 1 || g.Quantile(1) > 20*time.Millisecond || !s.Cut().Equal(at) {
		t.Errorf("got %d gaps, the longest of %v before record %d; want one, and as the longest the pause of the cut, %v, before %d", g.Count, g.Max, g.After, gap, again)
	}
	if g := &p.State.Log.Stream(first).Gaps; g.Count != 1 {
		t.Errorf("got %d gaps in the stream that was cut, want the one between its events", g.Count)
	}
}

// A verdict comes after the end of its stream while another stream continues: it is the last
// step, and does not prolong the stream.
func TestAVerdictIsAStepOfTheNewestStream(t *testing.T) {
	call, sub := sessiontest.CallOf(a2a.OpStream, 1), sessiontest.CallOf(a2a.OpSubscribe, 1)
	sub.TaskID = "t"
	p := sessiontest.NewTape()
	first := p.Ask(call, "hi")
	p.Event(first, call, sessiontest.StatusWord("WORKING"))
	p.End(first, call, a2a.End{Reason: a2a.Cut})
	second := p.Ask(sub, "")
	p.End(second, sub, a2a.End{Reason: a2a.Ended})
	took := p.State.Log.Stream(second).Duration(p.At)
	verdict := func(exchange string) log.Item {
		return log.Item{Record: a2a.Record{Kind: a2a.KindNote, Note: &a2a.Note{Type: log.NoteVerdict, Attrs: map[string]string{log.AttrExchange: exchange}}}}
	}
	it := verdict(fmt.Sprint(first))
	if it.Exchange() != first {
		t.Errorf("got exchange %d, want %d", it.Exchange(), first)
	}
	id := p.After(time.Hour).Put(it.Record)
	s := p.State.Log.Stream(second)
	if last := s.Steps[len(s.Steps)-1]; last.Kind != log.StepNote || last.From != id {
		t.Errorf("got last step %+v, want the note %d", last, id)
	}
	if s.Duration(p.At) != took || s.Open() {
		t.Errorf("got duration %[2]v with the note, want %[1]v", took, s.Duration(p.At))
	}
	for _, odd := range []string{"", "x", "-1", "999", "18446744073709551615"} {
		it := verdict(odd)
		p.Put(it.Record)
	}
	if n := len(p.State.Log.Stream(second).Steps); n != len(s.Steps) {
		t.Errorf("got %d steps after a note about another exchange, want %d", n, len(s.Steps))
	}
}
