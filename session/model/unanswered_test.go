package model_test

import (
	"slices"
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/model"
	"parley/session/sessiontest"
)

// shown returns the sentences of the problems of a turn that are shown.
func shown(t *model.Turn) (all []string) {
	for _, b := range t.Blocks {
		for i := range b.Entries {
			if e := &b.Entries[i]; e.Problem != nil && !e.Replaced {
				all = append(all, e.Problem.Sentence)
			}
		}
	}
	return all
}

const wholeTask = `{"id":"t","contextId":"c","status":{"state":"TASK_STATE_%s"}}`

// onTask performs an operation on the task, which a gateway answers if the sentence is not empty.
func onTask(p *sessiontest.Tape, op a2a.Op, sentence, state string) (end a2a.RecordID) {
	call := sessiontest.CallOf(op, 1)
	call.TaskID = "t"
	x := p.Put(a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Call: call, Raw: []byte(`{}`)})
	if sentence != "" {
		p.End(x, call, a2a.End{Reason: a2a.Ended, Class: a2a.ClassStatus, Sentence: sentence})
		return p.State.Log.At(a2a.RecordID(p.State.Log.Len())).Record.ID
	}
	result := strings.ReplaceAll(wholeTask, "%s", state)
	if op == a2a.OpSubscribe {
		p.Head(x, call)
		p.Event(x, call, `{"task":`+result+`}`)
	} else {
		body := []byte(`{"jsonrpc":"2.0","id":"1","result":` + result + `}`)
		p.Put(a2a.Record{Exchange: x, Kind: a2a.KindBody, Dir: a2a.In, Call: call, Raw: body})
	}
	p.End(x, call, a2a.End{Reason: a2a.Ended})
	return x
}

// A failure of an operation on a task says which one failed, and goes once that operation is answered.
func TestAnOperationThatFailedGoesOnceItIsAnswered(t *testing.T) {
	t.Parallel()
	const gateway = "Something on the way answered 502."
	for name, c := range map[string]struct {
		fails []a2a.Op
		says  string
		then  a2a.Op
		state string
		left  string // empty if nothing is left
	}{
		"a get":                           {[]a2a.Op{a2a.OpGet}, "Get: " + gateway, a2a.OpGet, "WORKING", ""},
		"three polls":                     {[]a2a.Op{a2a.OpGet, a2a.OpGet, a2a.OpGet}, "Get: " + gateway, a2a.OpGet, "WORKING", ""},
		"a cancel":                        {[]a2a.Op{a2a.OpCancel}, "Cancel: " + gateway, a2a.OpCancel, "CANCELED", ""},
		"a cancel that worked":            {[]a2a.Op{a2a.OpCancel}, "Cancel: " + gateway, a2a.OpGet, "CANCELED", ""},
		"a cancel, and a get":             {[]a2a.Op{a2a.OpCancel}, "Cancel: " + gateway, a2a.OpGet, "WORKING", "Cancel: " + gateway},
		"a subscription":                  {[]a2a.Op{a2a.OpSubscribe}, "Subscription: " + gateway, a2a.OpSubscribe, "COMPLETED", ""},
		"a subscription and a get":        {[]a2a.Op{a2a.OpSubscribe, a2a.OpGet}, "Subscription and get: " + gateway, a2a.OpGet, "WORKING", "Subscription: " + gateway},
		"a subscription, then only a get": {[]a2a.Op{a2a.OpSubscribe}, "Subscription: " + gateway, a2a.OpGet, "COMPLETED", "Subscription: " + gateway},
	} {
		t.Run(name, func(t *testing.T) {
			p := working()
			var end a2a.RecordID
			for _, op := range c.fails {
				end = onTask(p, op, gateway, "")
			}
			turn := p.State.Turn(1)
			if got := shown(turn); !slices.Equal(got, []string{"The connection broke.", c.says}) {
				t.Fatalf("got %q, want the cut and %q", got, c.says)
			}
			onTask(p, c.then, "", c.state)
			want := []string{"The connection broke."}
			if c.left != "" {
				want = append(want, c.left)
			}
			if got := shown(turn); !slices.Equal(got, want) {
				t.Errorf("got %q after the answer, want %q", got, want)
			}
			if _, ok := p.State.Anchor(end); !ok {
				t.Error("got no place of the record of the failure, want one")
			}
			sessiontest.CheckPlaces(t, p.State)
			onTask(p, c.fails[0], gateway, "") // it is no old news
			if got := shown(turn); !strings.Contains(strings.Join(got, "\n"), gateway) {
				t.Errorf("got %q after it failed again, want that told", got)
			}
		})
	}
}

// What an agent sends as a task's id opens no other task's failure.
func TestAnAnswerAboutAnotherTaskSettlesNothing(t *testing.T) {
	t.Parallel()
	p := working()
	onTask(p, a2a.OpGet, "Something on the way answered 502.", "")
	call := sessiontest.CallOf(a2a.OpGet, 2)
	call.TaskID = "u"
	x := p.Put(a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Call: call, Raw: []byte(`{}`)})
	body := []byte(`{"jsonrpc":"2.0","id":"1","result":{"id":"u","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"}}}`)
	p.Put(a2a.Record{Exchange: x, Kind: a2a.KindBody, Dir: a2a.In, Call: call, Raw: body})
	p.End(x, call, a2a.End{Reason: a2a.Ended})
	if got := shown(p.State.Turn(1)); len(got) != 2 {
		t.Errorf("got %q, want the failure of the other task left", got)
	}
}

// An agent that answers at an address has not crashed there.
func TestAnAnswerTakesTheGuessOfACrashBack(t *testing.T) {
	t.Parallel()
	p := sessiontest.NewTape()
	closed := a2a.ClosedSentence("h:1")
	call := sessiontest.CallOf(a2a.OpStream, 1)
	call.Endpoint = "http://h:1/rpc"
	p.End(p.Ask(call, "hi"), call, a2a.End{Reason: a2a.Cut, Class: a2a.ClassCut, Sentence: closed})
	for _, c := range []struct{ endpoint, want string }{{"http://h:2/rpc", closed}, {"http://h:1/rpc", a2a.WithoutCrash(closed)}} {
		call := sessiontest.CallOf(a2a.OpList, 2)
		call.Endpoint = c.endpoint
		p.Head(p.Put(a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Call: call, Raw: []byte(`{}`)}), call)
		if got := shown(p.State.Turn(1)); len(got) != 1 || got[0] != c.want {
			t.Errorf("got %q after an answer from %s, want %q", got, c.endpoint, c.want)
		}
	}
}

// The agent tells how a task stands in the answer to any later request, also to one that is only compared.
func TestAnyLaterAnswerTellsHowATaskStands(t *testing.T) {
	t.Parallel()
	for _, op := range []a2a.Op{a2a.OpGet, a2a.OpSubscribe, a2a.OpCancel} {
		p := working()
		end := a2a.RecordID(p.State.Log.Len())
		task := p.State.Task(1, "t")
		if task.AnsweredSince(end) {
			t.Fatal("got a task of which the agent told, want none so far")
		}
		version := task.Version
		onTask(p, op, "", "WORKING")
		if !task.AnsweredSince(end) || task.Version == version {
			t.Errorf("%s: got no task of which the agent told, want one", op)
		}
	}
	p := working()
	end := a2a.RecordID(p.State.Log.Len())
	call := sessiontest.CallOf(a2a.OpGet, 0)
	call.TaskID, call.Check = "t", true
	x := p.Put(a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Call: call, Raw: []byte(`{}`)})
	body := []byte(`{"jsonrpc":"2.0","id":"1","result":` + strings.ReplaceAll(wholeTask, "%s", "WORKING") + `}`)
	p.Put(a2a.Record{Exchange: x, Kind: a2a.KindBody, Dir: a2a.In, Call: call, Raw: body})
	if !p.State.Task(1, "t").AnsweredSince(end) {
		t.Error("a check: got no task of which the agent told, want one")
	}
}

// A task that waited for an answer and goes on took the message that was left in doubt. One that failed may have
// waited in vain.
func TestATaskThatGoesOnTookTheAnswer(t *testing.T) {
	t.Parallel()
	for state, took := range map[string]bool{"COMPLETED": true, "WORKING": true, "SUBMITTED": true, "FAILED": false, "CANCELED": false, "INPUT_REQUIRED": false} {
		call := sessiontest.CallOf(a2a.OpStream, 1)
		p := sessiontest.NewTape()
		x := p.Ask(call, "book")
		p.Event(x, call, `{"task":`+strings.ReplaceAll(wholeTask, "%s", "INPUT_REQUIRED")+`}`)
		p.End(x, call, a2a.End{Reason: a2a.Ended})
		reply := sessiontest.CallOf(a2a.OpStream, 2)
		reply.TaskID, reply.ContextID = "t", "c"
		body := `{"jsonrpc":"2.0","id":"1","method":"SendStreamingMessage","params":{"message":{"messageId":"m2","role":"ROLE_USER","taskId":"t","contextId":"c","parts":[{"text":"1 to 3 May"}]}}}`
		y := p.Put(a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Call: reply, Raw: []byte(body)})
		p.Put(a2a.Record{Exchange: y, Kind: a2a.KindHead, Dir: a2a.In, Call: reply, Head: &a2a.Head{Status: 503}})
		p.End(y, reply, a2a.End{Reason: a2a.Ended, Class: a2a.ClassStatus, Sentence: "H answered 503. The agent may have taken the message."})
		turn := p.State.Turn(2)
		if o, _ := turn.Outcome(); !o.Doubtful() {
			t.Fatalf("%s: got outcome %+v before the get, want a doubt", state, o)
		}
		onTask(p, a2a.OpGet, "", state)
		o, _ := turn.Outcome()
		said := sessiontest.Sentences(turn)
		if o.Doubtful() == took || strings.Contains(said, "The agent took the message.") != took || strings.Contains(said, "may have taken") == took {
			t.Errorf("%s: got outcome %+v, problems %q; want the answer taken %v", state, o, said, took)
		}
	}
}
