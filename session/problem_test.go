package session

import (
	"strings"
	"testing"

	"parley/a2a"
)

// fails puts an exchange of the newest turn whose body is an error, and its end.
func (p *tape) fails(op a2a.Op, rpc string, end a2a.End) (body a2a.RecordID) {
	call := callOf(op, 1)
	call.TaskID = "t"
	x := p.put(a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Call: call, Raw: []byte(`{}`)})
	body = p.put(a2a.Record{Kind: a2a.KindBody, Dir: a2a.In, Exchange: x, Call: call, Raw: []byte(`{"jsonrpc":"2.0","id":"r","error":` + rpc + `}`)})
	p.end(x, call, end)
	return body
}

// working is a tape on which a stream of a task that is at work was cut.
func working() *tape {
	call := callOf(a2a.OpStream, 1)
	p := newTape()
	x := p.ask(call, "hi")
	p.event(x, call, statusWord("WORKING"))
	p.end(x, call, a2a.End{Reason: a2a.Cut, Class: a2a.ClassCut, Sentence: "The connection broke."})
	return p
}

func sentences(t *Turn) string {
	var list []string
	for _, pr := range problems(t) {
		list = append(list, pr.Sentence)
	}
	return strings.Join(list, "\n")
}

func TestAForgottenTaskIsSaidToBeForgottenOnce(t *testing.T) {
	const forgotten = `{"code":-32001,"message":"Task not found"}`
	p := working()
	p.fails(a2a.OpGet, forgotten, a2a.End{Reason: a2a.Ended})
	again := p.fails(a2a.OpSubscribe, forgotten, a2a.End{Reason: a2a.Ended})
	turn := p.state.Turn(1)
	if got := sentences(turn); strings.Count(got, "no longer knows task") != 1 || strings.Count(got, "\n") != 1 {
		t.Errorf("problems:\n%s", got)
	}
	if at, ok := p.state.Anchor(again); !ok || at.Entry != len(turn.Blocks[0].Entries)-1 {
		t.Errorf("the second answer is seen at %+v %v", at, ok)
	}
}

func TestTheEndKnowsBetterThanTheBody(t *testing.T) {
	tests := []struct {
		name       string
		end        a2a.End
		says, more string // the sentence, its detail
	}{
		{"the agent's own error", a2a.End{Reason: a2a.Ended}, "The agent answered InternalError: boom. If it happens again, look at its log.", "InternalError (-32603): boom"},
		{"superseded", a2a.End{Reason: a2a.Ended, Class: a2a.ClassStatus, Sentence: "It failed."}, "It failed.", "The agent answered InternalError: boom. If it happens again, look at its log."},
		{"broken behind the error", a2a.End{Reason: a2a.Cut, Sentence: "It broke."}, "The agent answered InternalError: boom. If it happens again, look at its log.", "InternalError (-32603): boom"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := working()
			body := p.fails(a2a.OpGet, `{"code":-32603,"message":"boom"}`, tt.end)
			turn := p.state.Turn(1)
			list := problems(turn)
			if len(list) != 2 || list[1].Sentence != tt.says || list[1].Detail != tt.more || list[1].Err == nil || list[1].Record != body {
				t.Errorf("problems:\n%s\nthe last one: %+v", sentences(turn), list[len(list)-1])
			}
			if at, ok := p.state.Anchor(body); !ok || at.Entry != len(turn.Blocks[0].Entries)-1 {
				t.Errorf("the body is seen at %+v %v", at, ok)
			}
		})
	}
}

func TestAnAgentIsUnreachableWhileItIsWatchedFor(t *testing.T) {
	p := working()
	a := p.state.Agent(1)
	a.Card, a.Phase = &a2a.Card{Name: "Desk"}, Ready
	ch := p.state.Apply(Item{Signal: &Signal{Kind: SignalWatching, Agent: 1, Sentence: "Desk is not reachable."}})
	if a.Phase != Unreachable || a.Problem != "Desk is not reachable." || !ch.Agents {
		t.Errorf("watched: phase %d, problem %q, %+v", a.Phase, a.Problem, ch)
	}
	p.state.Apply(Item{Signal: &Signal{Kind: SignalBack, Agent: 1}})
	if a.Phase != Ready || a.Problem != "" {
		t.Errorf("back: phase %d, problem %q", a.Phase, a.Problem)
	}
	a.Phase, a.Problem = Failed, "Its card names no interface."
	p.state.Apply(Item{Signal: &Signal{Kind: SignalWatching, Agent: 1, Sentence: "x"}})
	p.state.Apply(Item{Signal: &Signal{Kind: SignalBack, Agent: 1}})
	if a.Phase != Failed || a.Problem != "Its card names no interface." {
		t.Errorf("an agent of no use became phase %d, problem %q", a.Phase, a.Problem)
	}
}

// An agent that told of a task without an id does not get the refusals of later messages
// shown as that task's.
func TestARefusedMessageIsNotOfTheTaskWithoutAnID(t *testing.T) {
	p := newTape()
	call := callOf(a2a.OpStream, 1)
	x := p.ask(call, "hi")
	p.event(x, call, `{"statusUpdate":{"taskId":"","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}`)
	p.end(x, call, a2a.End{Reason: a2a.Ended})
	if p.state.Task(1, "") == nil {
		t.Fatal("the task without an id is not known")
	}
	call = callOf(a2a.OpStream, 2)
	x = p.ask(call, "again")
	p.end(x, call, a2a.End{Reason: a2a.Ended, Class: a2a.ClassStatus, Sentence: "It failed."})
	turn := p.state.Turn(2)
	if len(turn.Blocks) != 1 || turn.Blocks[0].Task != nil || sentences(turn) != "It failed." {
		t.Errorf("blocks %+v, problems:\n%s", turn.Blocks, sentences(turn))
	}
}
