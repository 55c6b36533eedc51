package model_test

import (
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/session/sessiontest"
)

// working is a tape with a cut stream of a working task.
func working() *sessiontest.Tape {
	call := sessiontest.CallOf(a2a.OpStream, 1)
	p := sessiontest.NewTape()
	x := p.Ask(call, "hi")
	p.Event(x, call, sessiontest.StatusWord("WORKING"))
	p.End(x, call, a2a.End{Reason: a2a.Cut, Class: a2a.ClassCut, Sentence: "The connection broke."})
	return p
}

func TestAForgottenTaskIsSaidToBeForgottenOnce(t *testing.T) {
	const forgotten = `{"code":-32001,"message":"Task not found"}`
	p := working()
	p.Fails(a2a.OpGet, forgotten, a2a.End{Reason: a2a.Ended})
	p.Fails(a2a.OpGet, forgotten, a2a.End{Reason: a2a.Ended})
	again := p.Fails(a2a.OpSubscribe, forgotten, a2a.End{Reason: a2a.Ended})
	turn := p.State.Turn(1)
	if got := sessiontest.Sentences(turn); strings.Count(got, "does not know it now") != 1 || strings.Count(got, "\n") != 1 {
		t.Errorf("got problems:\n%s\nwant one \"does not know it now\" of three", got)
	}
	if at, ok := p.State.Anchor(again); !ok || at.Entry != len(turn.Blocks[0].Entries)-1 {
		t.Errorf("got anchor %+v %v of the second answer, want the last entry", at, ok)
	}
}

// A cut, an agent that is away and a refused subscription are steps to one result, and a reader
// sees the cut and the result.
func TestWhatContinuesAProblemIsNoLineOfItsOwn(t *testing.T) {
	const forgotten = `{"code":-32001,"message":"Task not found"}`
	p := working()
	call := sessiontest.CallOf(a2a.OpSubscribe, 1)
	call.TaskID = "t"
	for range 3 {
		x := p.Put(a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Call: call, Raw: []byte(`{}`)})
		p.End(x, call, a2a.End{Reason: a2a.Refused, Class: a2a.ClassRefused, Sentence: "Nothing listens there."})
	}
	turn := p.State.Turn(1)
	list := sessiontest.Problems(turn)
	if len(list) != 1 || list[0].Sentence != "The connection broke." || list[0].Detail != "Nothing listens there." {
		t.Errorf("got problems:\n%s\n%+v\nwant the cut alone, with the refusal as its detail", sessiontest.Sentences(turn), list)
	}
	p.Fails(a2a.OpSubscribe, forgotten, a2a.End{Reason: a2a.Ended})
	p.Fails(a2a.OpGet, forgotten, a2a.End{Reason: a2a.Ended})
	p.Fails(a2a.OpGet, forgotten, a2a.End{Reason: a2a.Ended})
	if got, want := strings.TrimSpace(sessiontest.Sentences(turn)), "The connection broke.\n"+model.ForgottenSentence("t", p.At, p.At); got != want {
		t.Errorf("got problems:\n%s\nwant:\n%s", got, want)
	}
}

func TestTheEndKnowsBetterThanTheBody(t *testing.T) {
	tests := []struct {
		name       string
		end        a2a.End
		says, more string // the sentence, its detail
	}{
		{"the agent's own error", a2a.End{Reason: a2a.Ended}, "The agent answered InternalError: boom. If it happens again, check the agent's log.", "InternalError (-32603): boom"},
		{"superseded", a2a.End{Reason: a2a.Ended, Class: a2a.ClassStatus, Sentence: "It failed."}, "Get: It failed.", "The agent answered InternalError: boom. If it happens again, check the agent's log."},
		{"broken behind the error", a2a.End{Reason: a2a.Cut, Sentence: "It broke."}, "The agent answered InternalError: boom. If it happens again, check the agent's log.", "InternalError (-32603): boom"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := working()
			body := p.Fails(a2a.OpGet, `{"code":-32603,"message":"boom"}`, tt.end)
			turn := p.State.Turn(1)
			list := sessiontest.Problems(turn)
			if len(list) != 2 || list[1].Sentence != tt.says || list[1].Detail != tt.more || list[1].Err == nil || list[1].Record != body {
				t.Errorf("got problems:\n%s\nthe last: %+v; want %q with the detail %q", sessiontest.Sentences(turn), list[len(list)-1], tt.says, tt.more)
			}
			if at, ok := p.State.Anchor(body); !ok || at.Entry != len(turn.Blocks[0].Entries)-1 {
				t.Errorf("got anchor %+v %v of the body, want the last entry", at, ok)
			}
		})
	}
}

func TestAnAgentIsUnreachableWhileItIsWatchedFor(t *testing.T) {
	p := working()
	a := p.State.Agent(1)
	a.Card, a.Phase = &a2a.Card{Name: "Desk"}, model.Ready
	ch := p.State.Apply(log.Item{Signal: &log.Signal{Kind: log.SignalWatch, Agent: 1, Sentence: "Desk is not reachable."}})
	if a.Phase != model.Unreachable || a.Problem != "Desk is not reachable." || !ch.Agents {
		t.Errorf("watched: got phase %d, problem %q, change %+v; want unreachable and the agents changed", a.Phase, a.Problem, ch)
	}
	p.State.Apply(log.Item{Signal: &log.Signal{Kind: log.SignalBack, Agent: 1}})
	if a.Phase != model.Ready || a.Problem != "" {
		t.Errorf("back: got phase %d, problem %q; want ready, none", a.Phase, a.Problem)
	}
	a.Phase, a.Problem = model.Failed, "Its card names no interface."
	p.State.Apply(log.Item{Signal: &log.Signal{Kind: log.SignalWatch, Agent: 1, Sentence: "x"}})
	p.State.Apply(log.Item{Signal: &log.Signal{Kind: log.SignalBack, Agent: 1}})
	if a.Phase != model.Failed || a.Problem != "Its card names no interface." {
		t.Errorf("got phase %d, problem %q of an agent without an interface; want failed, unchanged", a.Phase, a.Problem)
	}
}

// The refusals of later messages are not shown as those of a task without an id.
func TestARefusedMessageIsNotOfTheTaskWithoutAnID(t *testing.T) {
	p := sessiontest.NewTape()
	call := sessiontest.CallOf(a2a.OpStream, 1)
	x := p.Ask(call, "hi")
	p.Event(x, call, `{"statusUpdate":{"taskId":"","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}`)
	p.End(x, call, a2a.End{Reason: a2a.Ended})
	if p.State.Task(1, "") == nil {
		t.Fatal("got no task without an id, want one")
	}
	call = sessiontest.CallOf(a2a.OpStream, 2)
	x = p.Ask(call, "again")
	p.End(x, call, a2a.End{Reason: a2a.Ended, Class: a2a.ClassStatus, Sentence: "It failed."})
	turn := p.State.Turn(2)
	if len(turn.Blocks) != 1 || turn.Blocks[0].Task != nil || sessiontest.Sentences(turn) != "It failed." {
		t.Errorf("got blocks %+v, problems:\n%s\nwant one block without a task that says \"It failed.\"", turn.Blocks, sessiontest.Sentences(turn))
	}
}

// A task may end in another answer while Parley subscribes to it again: that the agent then refuses the subscription
// is no failure. One that the user asked for is.
func TestARefusedResubscriptionToATaskThatIsOverIsNoProblem(t *testing.T) {
	for _, c := range []struct {
		name     string
		why      a2a.Why
		over     bool
		problems int
	}{
		{"Parley went on listening", a2a.WhyResubscribed, true, 0},
		{"the user asked", a2a.WhyFirst, true, 1},
		{"the task is at work", a2a.WhyResubscribed, false, 1},
	} {
		p := sessiontest.NewTape()
		call := sessiontest.CallOf(a2a.OpStream, 1)
		x := p.Ask(call, "hi")
		p.Event(x, call, sessiontest.StatusWord("WORKING"))
		again := *call
		again.Op, again.TaskID, again.Why, again.Attempt = a2a.OpSubscribe, "t", c.why, 1
		y := p.Put(a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Call: &again, Raw: []byte(`{}`)})
		if c.over {
			p.Event(x, call, sessiontest.StatusWord("COMPLETED"))
		}
		p.End(x, call, a2a.End{Reason: a2a.Ended})
		body := p.Put(a2a.Record{Kind: a2a.KindBody, Dir: a2a.In, Exchange: y, Call: &again,
			Raw: []byte(`{"jsonrpc":"2.0","id":"r","error":{"code":-32004,"message":"the task is over"}}`)})
		p.End(y, &again, a2a.End{Reason: a2a.Ended})
		got := 0
		for _, b := range p.State.Turn(1).Blocks {
			for i := range b.Entries {
				if pr := b.Entries[i].Problem; pr != nil && pr.Record >= body {
					got++
				}
			}
		}
		if got != c.problems {
			t.Errorf("%s: got %d problems, want %d", c.name, got, c.problems)
		}
	}
}
