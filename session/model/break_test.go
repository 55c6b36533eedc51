package model_test

import (
	"testing"
	"time"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/session/problem"
	"parley/session/sessiontest"
	"parley/session/task"
)

// problemsOf returns the problems of a turn.
func problemsOf(t *model.Turn) (all []*problem.Problem) {
	for _, b := range t.Blocks {
		for i := range b.Entries {
			if pr := b.Entries[i].Problem; pr != nil {
				all = append(all, pr)
			}
		}
	}
	return all
}

// A cut names the newest event before it; a subscription that continues the task adds its first
// event, and the time between.
func TestACutKnowsWhereItHappenedAndWhereItWentOn(t *testing.T) {
	call, sub := sessiontest.CallOf(a2a.OpStream, 1), sessiontest.CallOf(a2a.OpSubscribe, 1)
	sub.TaskID = "t"
	p := sessiontest.NewTape()
	x := p.Ask(call, "hi")
	p.Head(x, call)
	last := p.Event(x, call, sessiontest.StatusWord("WORKING"))
	p.After(3*time.Second).End(x, call, a2a.End{Reason: a2a.Cut, Class: a2a.ClassCut, Sentence: "It broke."})
	turn := p.State.Turn(1)
	all := problemsOf(turn)
	if len(all) != 1 || all[0].Stream != x || all[0].After != last || all[0].ResumedAt != 0 {
		t.Fatalf("got problems %+v, want one of stream %d after record %d", all, x, last)
	}
	y := p.After(700*time.Millisecond).Ask(sub, "")
	first := p.After(500*time.Millisecond).Event(y, sub, sessiontest.StatusWord("COMPLETED"))
	if pr := problemsOf(turn)[0]; pr.Resumed != y || pr.ResumedAt != first || pr.Away != 4200*time.Millisecond {
		t.Errorf("got problem %+v, want it resumed by %d at record %d, 4.2 s after record 3", pr, y, first)
	}
}

// A task that the user stopped to follow, and that ended meanwhile, is not said to be stopped.
func TestAStopIsOverWhenTheEndOfTheTaskIsKnown(t *testing.T) {
	for name, again := range map[string]a2a.Op{"a get finds it": a2a.OpGet, "a subscription tells it": a2a.OpSubscribe} {
		p := sessiontest.NewTape()
		call, later := sessiontest.CallOf(a2a.OpStream, 1), sessiontest.CallOf(again, 1)
		later.TaskID = "t"
		x := p.Ask(call, "hi")
		p.Head(x, call)
		p.Event(x, call, sessiontest.StatusWord("WORKING"))
		p.End(x, call, a2a.End{Reason: a2a.Cancelled})
		turn := p.State.Turn(1)
		if o, over := turn.Outcome(); !over || o.Kind != task.Stopped || problemsOf(turn)[0].Class != problem.ClassStopped {
			t.Fatalf("%s: got outcome %s, over %v, problem %+v; want it stopped", name, o.Kind, over, problemsOf(turn)[0])
		}
		y := p.Ask(later, "")
		if again == a2a.OpGet {
			p.Put(a2a.Record{Exchange: y, Kind: a2a.KindBody, Dir: a2a.In, Call: later, Raw: []byte(`{"jsonrpc":"2.0","id":"1","result":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"}}}`)})
		} else {
			p.Event(y, later, sessiontest.StatusWord("COMPLETED"))
		}
		p.End(y, later, a2a.End{Reason: a2a.Ended})
		if o, over := turn.Outcome(); !over || o.Kind != task.Done || problemsOf(turn)[0].Resumed != y {
			t.Errorf("%s: got outcome %s, over %v, problem %+v; want it done and the stop passed", name, o.Kind, over, problemsOf(turn)[0])
		}
	}
}

// A refused connection says at once that the agent cannot be reached, also one of Parley's own
// checks; while Parley looks for its card again that has not changed.
func TestAnAgentThatRefusesIsAwayUntilItAnswers(t *testing.T) {
	for _, check := range []bool{false, true} {
		p := sessiontest.NewTape()
		call := sessiontest.CallOf(a2a.OpStream, 1)
		p.Put(a2a.Record{Kind: a2a.KindNote, Note: &a2a.Note{Type: log.NoteOpened, Attrs: map[string]string{log.AttrAgent: "1", log.AttrProfile: "{}"}}})
		x := p.Ask(call, "hi")
		p.Event(x, call, sessiontest.StatusWord("WORKING"))
		agent := p.State.Agent(1)
		if agent.Phase != model.Ready || agent.Away() {
			t.Fatalf("got phase %d, want ready", agent.Phase)
		}
		get := sessiontest.CallOf(a2a.OpGet, 1)
		get.TaskID, get.Check = "t", check
		y := p.Put(a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Call: get, Raw: []byte(`{}`)})
		p.End(y, get, a2a.End{Reason: a2a.Refused, Class: a2a.ClassRefused, Sentence: "Nobody listens."})
		if !agent.Away() {
			t.Errorf("check %t: got an agent that can be reached after a refused connection, want it away", check)
		}
		p.Put(a2a.Record{Kind: a2a.KindNote, Note: &a2a.Note{Type: log.NoteOpening, Attrs: map[string]string{log.AttrAgent: "1"}}})
		if agent.Phase != model.Discovering || !agent.Away() {
			t.Errorf("check %t: got an agent that can be reached while Parley tries again, want it away", check)
		}
		p.Put(a2a.Record{Kind: a2a.KindNote, Note: &a2a.Note{Type: log.NoteOpened, Attrs: map[string]string{log.AttrAgent: "1", log.AttrProfile: "{}"}}})
		if agent.Away() {
			t.Errorf("check %t: got an agent that is away after it was found, want it back", check)
		}
	}
}
