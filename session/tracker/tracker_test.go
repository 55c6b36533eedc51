package tracker

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/log"
)

// A tape numbers records and has them judged.
type tape struct {
	tracker *Tracker
	last    a2a.RecordID
	calls   map[a2a.ExchangeID]*a2a.Call
}

func newTape() *tape { return &tape{tracker: New(), calls: map[a2a.ExchangeID]*a2a.Call{}} }

func (p *tape) put(kind a2a.RecordKind, x a2a.ExchangeID, events ...a2a.Event) *log.Verdict {
	p.last++
	return p.tracker.Judge(&a2a.Record{ID: p.last, Exchange: x, Kind: kind, Call: p.calls[x]}, &a2a.Update{Events: events})
}

// begin begins an exchange with agent 1, unless the call names another one, in conversation 1.
func (p *tape) begin(call a2a.Call) a2a.ExchangeID {
	if call.Agent == 0 {
		call.Agent, call.Conversation = 1, 1
	}
	x := a2a.ExchangeID(p.last + 1)
	p.calls[x] = &call
	p.put(a2a.KindRequest, x)
	return x
}

// event judges an event of a stream, deliver a delivery for the task of a turn.
func (p *tape) event(x a2a.ExchangeID, ev a2a.Event) *log.Verdict { return p.put(a2a.KindEvent, x, ev) }

func (p *tape) deliver(call a2a.Call, ev a2a.Event) *log.Verdict {
	call.Op, call.Agent, call.Conversation = a2a.OpDelivery, 1, 1
	x := a2a.ExchangeID(p.last + 1)
	p.calls[x] = &call
	return p.put(a2a.KindDelivery, x, ev)
}

func status(id string, state a2a.State, stamp string) a2a.Event {
	st := &a2a.Status{State: state, Word: state.String(), TimestampText: stamp}
	if stamp != "" {
		st.Time = sessionTime(stamp)
	}
	return a2a.Event{Kind: a2a.EventStatus, TaskID: id, ContextID: "c", Status: st}
}

func chunk(id, text string) a2a.Event {
	return a2a.Event{Kind: a2a.EventArtifact, TaskID: id, ContextID: "c", Append: true, Artifact: &a2a.Artifact{Key: "a", Parts: []a2a.Part{a2a.TextPart(text)}}}
}

func whole(id string, st a2a.Event, text string) a2a.Event {
	t := &a2a.Task{ID: id, Status: *st.Status, Artifacts: []a2a.Artifact{{Key: "a", Parts: []a2a.Part{a2a.TextPart(text)}}}}
	return a2a.Event{Kind: a2a.EventTask, TaskID: id, ContextID: "c", Task: t}
}

// told writes a verdict down in one line.
func told(v *log.Verdict) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s fate %d", v.Subject, v.Fate)
	for i := range v.Rulings {
		r := &v.Rulings[i]
		fmt.Fprintf(&b, ", by %d #%d %d turn %d %q", r.By, r.Record.ID, r.Effect, r.Turn, r.Moves)
		for k := range r.Deltas {
			fmt.Fprintf(&b, " %d %s", r.Deltas[k].Kind, r.Deltas[k].Key)
		}
		if r.Resumes {
			b.WriteString(" resumes")
		}
	}
	return b.String()
}

// effects returns the effects in a verdict.
func effects(v *log.Verdict) (all []log.Effect) {
	for i := range v.Rulings {
		all = append(all, v.Rulings[i].Effect)
	}
	return all
}

func wantEffects(t *testing.T, what string, v *log.Verdict, want ...log.Effect) {
	t.Helper()
	if got := effects(v); !reflect.DeepEqual(got, want) {
		t.Errorf("%s: got effects %v, want %v", what, got, want)
	}
}

func TestAnEventIsOfItsTaskAndTurn(t *testing.T) {
	p := newTape()
	x := p.begin(a2a.Call{Op: a2a.OpStream, Turn: 7})
	v := p.event(x, status("t", a2a.StateWorking, ""))
	wantEffects(t, "the first event", v, log.EffectOwn)
	if r := v.Rulings[0]; r.Turn != 7 || r.Moves != "c" || v.Subject != "t" || len(r.Deltas) != 1 {
		t.Errorf("got %s, want turn 7, context c, task t and one change", told(v))
	}
	if r := p.event(x, chunk("t", "one")).Rulings[0]; r.Moves != "" || r.Deltas[0].Kind != a2a.DeltaArtifactNew {
		t.Errorf("got %+v, want a new artifact and no other context", r)
	}
	wantEffects(t, "an event of another task", p.event(x, chunk("other", "two")), log.EffectStray)
	p.event(x, status("t", a2a.StateCompleted, ""))
	wantEffects(t, "a status after the end", p.event(x, status("t", a2a.StateWorking, "")), log.EffectContradicts)
	wantEffects(t, "a text after the end", p.event(x, chunk("t", "late")), log.EffectOwn)

	poll := p.begin(a2a.Call{Op: a2a.OpGet, TaskID: "t"})
	v = p.put(a2a.KindBody, poll, whole("t", status("t", a2a.StateCompleted, ""), "one late and more"))
	if wantEffects(t, "a get without a turn", v, log.EffectOwn); v.Rulings[0].Turn != 7 {
		t.Errorf("got turn %d for a get of the task, want that of the task, 7", v.Rulings[0].Turn)
	}
}

// An agent may answer with another task than the requested one: its events are held until that is clear.
func TestHeldEventsBecomeOwn(t *testing.T) {
	first := func() (*tape, a2a.ExchangeID) {
		p := newTape()
		other := p.begin(a2a.Call{Op: a2a.OpStream, Turn: 1, Agent: 1, Conversation: 2})
		p.event(other, status("elsewhere", a2a.StateCompleted, ""))
		p.put(a2a.KindEnd, other)
		return p, p.begin(a2a.Call{Op: a2a.OpStream, Turn: 2, TaskID: "asked"})
	}
	p, x := first()
	for i := range 15 {
		wantEffects(t, fmt.Sprint("event ", i), p.event(x, chunk("new", "w")), log.EffectStray)
	}
	v := p.event(x, chunk("new", "w"))
	if len(v.Rulings) != 16 || v.Rulings[0].Record.ID != p.last-15 || v.Rulings[15].Record.ID != p.last || v.Subject != "new" {
		t.Errorf("got %s, want all 16 events in their order", told(v))
	}
	for _, most := range []int{256, 257} {
		p, x = first()
		for i := range most {
			wantEffects(t, fmt.Sprint("event ", i), p.event(x, chunk("elsewhere", "w")), log.EffectStray)
		}
		v := p.put(a2a.KindEnd, x)
		if want := map[int]int{256: 256, 257: 0}[most]; len(v.Rulings) != want {
			t.Errorf("got %d own events at the end after %d were held, want %d", len(v.Rulings), most, want)
		}
		for i := range v.Rulings {
			if v.Rulings[i].By != 0 || v.Rulings[i].Effect != log.EffectOwn {
				t.Fatalf("got %s, want events that the end makes own", told(v))
			}
		}
	}
}

// TestTheFateOfADelivery delivers what comes beside, before and after other answers.
func TestTheFateOfADelivery(t *testing.T) {
	const early, late = "2026-01-01T00:00:01Z", "2026-01-01T00:00:05Z"
	working := func(stamp string) a2a.Event { return status("t", a2a.StateWorking, stamp) }
	for name, c := range map[string]struct {
		open bool // the stream is open
		end  bool // the task is over
		call a2a.Call
		ev   a2a.Event
		want log.Fate
	}{
		"news":                        {call: a2a.Call{TaskID: "t"}, ev: status("t", a2a.StateInputRequired, late), want: log.FateTaken},
		"a longer text":               {call: a2a.Call{TaskID: "t"}, ev: whole("t", working(late), "one two three"), want: log.FateTaken},
		"another text":                {call: a2a.Call{TaskID: "t"}, ev: whole("t", working(late), "ONE"), want: log.FateTaken},
		"the beginning of the text":   {call: a2a.Call{TaskID: "t"}, ev: whole("t", working(late), "one "), want: log.FateStale},
		"an older status":             {call: a2a.Call{TaskID: "t"}, ev: status("t", a2a.StateInputRequired, early), want: log.FateStale},
		"the known status":            {call: a2a.Call{TaskID: "t"}, ev: working("2026-01-01T00:00:03Z"), want: log.FateKnown},
		"a chunk":                     {call: a2a.Call{TaskID: "t"}, ev: chunk("t", "more"), want: log.FatePiece},
		"a task that nobody knows":    {call: a2a.Call{}, ev: status("u", a2a.StateWorking, ""), want: log.FateStray},
		"a new task of a known turn":  {call: a2a.Call{Turn: 1}, ev: status("u", a2a.StateWorking, ""), want: log.FateTaken},
		"a turn that nobody knows":    {call: a2a.Call{Turn: 65}, ev: status("u", a2a.StateWorking, ""), want: log.FateStray},
		"another task":                {call: a2a.Call{TaskID: "t"}, ev: status("u", a2a.StateWorking, ""), want: log.FateForeign},
		"beside a stream":             {open: true, call: a2a.Call{TaskID: "t"}, ev: status("t", a2a.StateInputRequired, late), want: log.FateStreamed},
		"after the end":               {end: true, call: a2a.Call{TaskID: "t"}, ev: status("t", a2a.StateInputRequired, late), want: log.FateLate},
		"no event of a task":          {call: a2a.Call{TaskID: "t"}, ev: a2a.Event{Kind: a2a.EventUnknown}, want: log.FateUnread},
		"a repeated delivery":         {call: a2a.Call{TaskID: "t", Delivery: &a2a.DeliveryFacts{Repeats: 1}}, ev: working(late), want: log.FateTwice},
		"a validation of the address": {call: a2a.Call{TaskID: "t", Delivery: &a2a.DeliveryFacts{Validation: true}}, ev: working(late), want: log.FateValidated},
	} {
		p := newTape()
		x := p.begin(a2a.Call{Op: a2a.OpStream, Turn: 1})
		p.event(x, working("2026-01-01T00:00:03Z"))
		p.event(x, chunk("t", "one "))
		p.event(x, chunk("t", "two"))
		if c.end {
			p.event(x, status("t", a2a.StateCompleted, late))
		}
		if !c.open {
			p.put(a2a.KindEnd, x)
		}
		v := p.deliver(c.call, c.ev)
		if v.Fate != c.want {
			t.Errorf("%s: got fate %d, want %d", name, v.Fate, c.want)
		}
		if taken := len(v.Rulings) == 1 && v.Rulings[0].Effect == log.EffectOwn; taken != (c.want == log.FateTaken) {
			t.Errorf("%s: got %s, want a change only of a delivery that is taken", name, told(v))
		}
	}
}

// An answer to a get that is older than a delivery which came meanwhile changes nothing.
func TestAnAnswerMayBeOutdated(t *testing.T) {
	p := newTape()
	x := p.begin(a2a.Call{Op: a2a.OpStream, Turn: 1})
	p.event(x, status("t", a2a.StateWorking, "2026-01-01T00:00:01Z"))
	p.put(a2a.KindEnd, x)
	poll := p.begin(a2a.Call{Op: a2a.OpGet, TaskID: "t"})
	p.deliver(a2a.Call{TaskID: "t"}, status("t", a2a.StateInputRequired, "2026-01-01T00:00:05Z"))
	wantEffects(t, "the older answer", p.put(a2a.KindBody, poll, whole("t", status("t", a2a.StateWorking, "2026-01-01T00:00:03Z"), "")), log.EffectOutdated)
	poll = p.begin(a2a.Call{Op: a2a.OpGet, TaskID: "t"})
	wantEffects(t, "a newer answer", p.put(a2a.KindBody, poll, whole("t", status("t", a2a.StateWorking, "2026-01-01T00:00:07Z"), "")), log.EffectOwn)
}

// An answer that is only compared with what is known changes nothing, also if it denies the end.
func TestACheckChangesNothing(t *testing.T) {
	p := newTape()
	x := p.begin(a2a.Call{Op: a2a.OpStream, Turn: 1})
	p.event(x, status("t", a2a.StateCompleted, ""))
	check := p.begin(a2a.Call{Op: a2a.OpGet, TaskID: "t", Check: true})
	wantEffects(t, "another end", p.put(a2a.KindBody, check, whole("t", status("t", a2a.StateFailed, ""), "text")), log.EffectContradicts)
	check = p.begin(a2a.Call{Op: a2a.OpGet, TaskID: "t", Check: true})
	wantEffects(t, "the same end with more text", p.put(a2a.KindBody, check, whole("t", status("t", a2a.StateCompleted, ""), "text")))
	if task := p.tracker.Known(1).Task("t"); task.Status.State != a2a.StateCompleted || len(task.Artifacts) > 0 {
		t.Errorf("got task %+v after a check, want it as it was", task)
	}
}

// A verdict costs no memory: a session has as many as records.
func TestAChunkIsJudgedWithoutAnAllocationOfItsOwn(t *testing.T) {
	p := newTape()
	x := p.begin(a2a.Call{Op: a2a.OpStream, Turn: 1})
	r := &a2a.Record{Exchange: x, Kind: a2a.KindEvent, Call: p.calls[x]}
	u := &a2a.Update{Events: []a2a.Event{chunk("t", "some words ")}}
	for range 10_000 {
		p.tracker.Judge(r, u)
	}
	fold := a2a.NewFold()
	for range 10_000 {
		fold.ApplyFrame(&u.Events[0], "")
	}
	folding := testing.AllocsPerRun(1000, func() { fold.ApplyFrame(&u.Events[0], "") })
	claim := 1.0 // the list that [task.Subject.Claim] returns
	if n := testing.AllocsPerRun(1000, func() { p.tracker.Judge(r, u) }); n > folding+claim {
		t.Errorf("got %v allocations a chunk, want at most %v", n, folding+claim)
	}
}

// A message may name a task of which nothing else is known.
func TestAMessageMayNameAnUnknownTask(t *testing.T) {
	p := newTape()
	x := p.begin(a2a.Call{Op: a2a.OpStream, Turn: 1})
	v := p.event(x, a2a.Event{Kind: a2a.EventMessage, TaskID: "t", ContextID: "c", Message: &a2a.Message{ID: "m", Parts: []a2a.Part{a2a.TextPart("hi")}}})
	if len(v.Rulings) != 1 || v.Rulings[0].Effect != log.EffectOwn || v.Rulings[0].Turn != 1 || v.Rulings[0].Texts != nil {
		t.Errorf("got rulings %+v, want an own message of turn 1", v.Rulings)
	}
}
