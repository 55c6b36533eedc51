package script_test

import (
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/session/log"
	"parley/session/script"
	"parley/session/sessiontest"
)

// A stage plays a script without an agent.
type stage struct {
	t     *testing.T
	play  *script.Play
	view  script.View
	tape  *sessiontest.Tape
	now   time.Time
	turn  a2a.TurnID
	calls []string // the steps that were carried out
	act   func(*script.Step)
}

func newStage(t *testing.T, text string) *stage {
	t.Helper()
	return newStageWith(t, text, script.PlayOptions{})
}

func newStageWith(t *testing.T, text string, o script.PlayOptions) *stage {
	t.Helper()
	s, err := script.Parse("x", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	g := &stage{t: t, play: script.NewPlay(s, o), tape: sessiontest.NewTape(), now: sessiontest.Epoch}
	g.view = script.View{State: g.tape.State, Agent: 1}
	return g
}

// run goes on until the play waits or ends.
func (g *stage) run() script.Move {
	for {
		move := g.play.Next(g.view, g.now)
		if move.Kind != script.MoveDo {
			return move
		}
		g.calls = append(g.calls, move.Step.String())
		problem := ""
		if move.Step.Verb == script.Say || move.Step.Verb == script.Answer {
			g.turn++
			g.view.Turn, g.view.Over = g.turn, false
		}
		if g.act != nil {
			g.act(move.Step)
		}
		g.play.Did(problem)
	}
}

// asks puts the request of the newest turn, and the events of its answer.
func (g *stage) asks(task string, over bool, events ...string) {
	call := sessiontest.CallOf(a2a.OpStream, g.turn)
	call.TaskID = task
	x := g.tape.Ask(call, "hi")
	for _, e := range events {
		g.tape.Event(x, call, e)
	}
	if over {
		g.tape.End(x, call, a2a.End{Reason: a2a.Ended})
		g.tape.State.Apply(log.Item{Signal: &log.Signal{Kind: log.SignalTurnOver, Agent: 1, Turn: g.turn}})
		g.view.Over = true
	}
}

// failure returns how the play ended, "over" without a failure.
func (g *stage) failure() string {
	switch move := g.run(); move.Kind {
	case script.MoveFail:
		return move.Failure.Error()
	case script.MoveOver:
		return "over"
	default:
		return "waits"
	}
}

const (
	asksForMore = `{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_INPUT_REQUIRED","message":{"messageId":"q","role":"ROLE_AGENT","parts":[{"text":"Where to?"}]}}}}`
	begins      = `{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_SUBMITTED"}}}`
)

func TestAPlayGoesThroughItsSteps(t *testing.T) {
	g := newStage(t, "Say 'one'\nWait input-required\nAnswer 'two'\nExpect submitted > input-required > completed\nExpect /Lisbon/\nCaption 'done'\nExpect p50 below 1s")
	if got := g.run(); got.Kind != script.MoveWait || got.Step.Verb != script.Wait {
		t.Fatalf("got %+v, want the wait for the question", got)
	}
	g.asks("", true, begins, asksForMore)
	if got := g.run(); got.Kind != script.MoveWait || got.Step.Verb != script.Expect {
		t.Fatalf("got %+v, want to wait for the answer before it is judged", got)
	}
	if to := g.view.Target(&script.Step{Verb: script.Answer}); to.Agent != 1 {
		t.Errorf("got target %+v", to)
	}
	g.asks("t", true, sessiontest.ChunkOf("a", "To Lisbon.", false), sessiontest.StatusWord("COMPLETED"))
	if got := g.failure(); got != "over" {
		t.Errorf("got %s", got)
	}
	if got := strings.Join(g.calls, "; "); got != `Say "one"; Answer "two"; Caption "done"` {
		t.Errorf("got steps %s", got)
	}
	if got := g.play.Answers(); len(got) != 2 || got[0].Time != 20*time.Millisecond || got[0].Step.Text != "one" {
		t.Errorf("got times %+v", got)
	}
}

// A fast play has no pauses, at any speed, and still waits for the agent.
func TestAFastPlayLeavesOutPauses(t *testing.T) {
	for _, text := range []string{"Pause 1h\nCaption 'x'", "Speed 0.01\nSleep 60\nPause 1ms\nCaption 'x'", "Pause 1h\nPause 1h\nCaption 'x'\nPause 1h"} {
		if got := newStageWith(t, text, script.PlayOptions{Fast: true}).failure(); got != "over" {
			t.Errorf("%q: got %s", text, got)
		}
		if got := newStage(t, text).failure(); got != "waits" {
			t.Errorf("%q: got %s without fast", text, got)
		}
	}
	if got := newStageWith(t, "Say 'x'\nPause 1h\nWait completed", script.PlayOptions{Fast: true}).run(); got.Kind != script.MoveWait || got.Step.Verb != script.Wait {
		t.Errorf("got %+v, want to wait for the task", got)
	}
}

func TestFailuresSayWhatWasExpectedAndWhatCame(t *testing.T) {
	completed := []string{begins, sessiontest.ChunkOf("a", "To Lisbon.", false), sessiontest.StatusWord("COMPLETED")}
	for text, want := range map[string]string{
		"Expect completed":                     "over",
		"Expect submitted > completed":         "over",
		"Wait submitted":                       "over",
		"Expect working > completed":           "x:2:1: Expected the states working > completed, but the task went through submitted > completed.",
		"Expect failed":                        "x:2:1: Expected the state failed, but the task is completed.",
		"Wait input-required":                  "x:2:1: Expected the state input-required, but the task is completed.",
		"Wait /Porto/":                         "x:2:1: Expected an answer with /Porto/, but the answer is “To Lisbon”.",
		"Expect 'Porto'":                       `x:2:1: Expected an answer with "Porto", but the answer is “To Lisbon”.`,
		"Expect not 'Lisbon'":                  `x:2:1: Expected an answer without "Lisbon", but the answer is “To Lisbon”.`,
		"Expect error":                         "x:2:1: Expected an error, but the task is completed.",
		"Expect task /id = \"t\"":              "over",
		"Expect task /id = /^t$/":              "over",
		"Expect task /id = 3":                  `x:2:1: Expected task /id = 3, but it is "t".`,
		"Expect task /nothing/0":               "x:2:1: Expected task /nothing/0, but there is no such value.",
		"Expect record /result/statusUpdate":   "over",
		"Expect record /result/task":           "x:2:1: Expected record /result/task, but there is no such value.",
		"Expect no finding":                    "over",
		"Expect p95 below 30ms":                "x:2:1: Expected p95 below 30 ms, but it is 30 ms.",
		"Answer 'x'":                           "x:2:1: Expected a task that waits for an answer, but the task is completed.",
		"Say 'x'":                              "waits",
		"Pause 1s":                             "waits",
		"Open http://other":                    "waits",
		"Wait completed within 1s\nExpect /T/": "over",
	} {
		g := newStage(t, "Say 'one'\n"+text)
		g.run()
		g.asks("", true, completed...)
		if got := g.failure(); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

// After a wait for a task that works, the script goes on while it works.
func TestAScriptGoesOnWhileATaskWorks(t *testing.T) {
	for text, want := range map[string]string{
		"Wait working":               "over",
		"Wait working\nSay 'stop'":   "waits",
		"Wait /begin/":               "waits",
		"Wait working\nExpect /x/":   "waits",
		"Wait submitted > working":   "over",
		"Wait working\nCaption 'x'":  "over",
		"Wait working\nAnswer 'yes'": "waits",
	} {
		g := newStage(t, "Say 'one'\n"+text)
		g.run()
		g.asks("", false, begins, sessiontest.StatusWord("WORKING"), sessiontest.ChunkOf("a", "begin", false))
		if got := g.failure(); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
		if said := len(g.calls) > 1 && g.calls[1] == `Say "stop"`; said != strings.Contains(text, "stop") {
			t.Errorf("%q: got steps %q", text, g.calls)
		}
	}
}

// A connection that breaks is an error for Wait, although the answer may go on.
func TestABrokenConnectionIsAnError(t *testing.T) {
	g := newStage(t, "Say 'one'\nWait error")
	g.run()
	call := sessiontest.CallOf(a2a.OpStream, 1)
	x := g.tape.Ask(call, "hi")
	g.tape.Event(x, call, begins)
	g.tape.End(x, call, a2a.End{Reason: a2a.Cut, Class: a2a.ClassCut, Sentence: "The connection broke."})
	if got := g.failure(); got != "over" {
		t.Errorf("got %s", got)
	}
}

func TestAnErrorThatNobodyExpectsIsAFailure(t *testing.T) {
	const failure = "Say 'one'\n"
	for text, want := range map[string]string{
		"":                      "x:1:1: Expected an answer, but an error came: “",
		"Wait":                  "x:2:1: Expected an answer, but an error came: “",
		"Say 'two'":             "x:1:1: Expected an answer, but an error came: “",
		"Expect completed":      "x:2:1: Expected the state completed, but an error came: “",
		"Wait error":            "over",
		"Wait\nExpect error":    "over",
		"Wait error /-32603/":   "over",
		"Expect error 'broken'": "over",
		"Expect error 'other'":  `x:2:1: Expected an error with "other", but an error came: “`,
	} {
		g := newStage(t, failure+text)
		g.run()
		call := sessiontest.CallOf(a2a.OpSend, 1)
		x := g.tape.Ask(call, "hi")
		g.tape.Put(a2a.Record{Kind: a2a.KindBody, Dir: a2a.In, Exchange: x, Call: call, Raw: []byte(`{"jsonrpc":"2.0","id":"r","error":{"code":-32603,"message":"broken inside"}}`)})
		g.tape.End(x, call, a2a.End{Reason: a2a.Ended})
		g.view.Over = true
		if got := g.failure(); !strings.HasPrefix(got, want) {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

func TestWaitsEnd(t *testing.T) {
	for text, want := range map[string]string{
		"Wait completed within 2s":    "x:2:1: Expected the state completed within 2 s, but no answer has come.",
		"Wait":                        "x:2:1: Expected the end of the answer within 30 s, but no answer has come.",
		"Set timeout 5s\nExpect /x/":  "x:3:1: Expected the end of the answer to line 1 within 5 s, but no answer has come.",
		"":                            "x:1:1: Expected the end of the answer to line 1 within 30 s, but no answer has come.",
		"Speed 2\nPause 4s\nWait /x/": "x:4:1: Expected an answer with /x/ within 30 s, but no answer has come.",
	} {
		g := newStage(t, "Say 'one'\n"+text)
		move := g.run()
		for move.Kind == script.MoveWait {
			g.now = move.Until
			move = g.run()
		}
		if move.Failure == nil || move.Failure.Error() != want {
			t.Errorf("%q: got %v, want %s", text, move.Failure, want)
		} else if !move.Failure.OfAgent {
			t.Errorf("%q: got a failure of the script, want one of the agent", text)
		}
	}
}

func TestAPlayGoesBackToTheMessageThatFailed(t *testing.T) {
	g := newStage(t, "Say 'one'\nWait input-required\nAnswer 'two'\nWait completed")
	g.run()
	g.asks("", true, begins, asksForMore)
	g.run()
	g.asks("t", true, sessiontest.StatusWord("FAILED"))
	if got := g.failure(); got != "x:4:1: Expected the state completed, but the task is failed." {
		t.Fatalf("got %s", got)
	}
	g.play.Back()
	g.calls = nil
	g.run()
	if got := strings.Join(g.calls, "; "); got != `Say "one"` {
		t.Errorf("got steps %s, want the message that began the task", got)
	}
}

func TestAnAgentThatIsAwayFails(t *testing.T) {
	g := newStage(t, "Open http://nowhere\nSay 'x'")
	move := g.run()
	if move.Kind != script.MoveWait {
		t.Fatalf("got %+v", move)
	}
	g.now = move.Until
	if got := g.failure(); got != "x:1:1: Expected the card of http://nowhere within 30 s, but it has not come." {
		t.Errorf("got %s", got)
	}
}
