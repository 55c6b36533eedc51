package ui

import (
	"testing"
	"time"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
)

// doubt sends a message that the agent may have taken: its answer never came. It is turn 7.
func (d *desk) doubt(text string) {
	d.t.Helper()
	d.book(allFound)
	d.engine.Turns = 6
	d.write(text)
	d.press("enter")
	call := &a2a.Call{Agent: 1, Conversation: 1, Turn: 7, Op: a2a.OpStream, Dialect: a2a.V10}
	body := `{"jsonrpc":"2.0","id":"1","method":"SendStreamingMessage","params":{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"` + text + `"}]}}}`
	now := d.model.opts.Now()
	d.send(batchMsg{Items: []log.Item{
		{Record: a2a.Record{ID: 29, Exchange: 29, Kind: a2a.KindRequest, Dir: a2a.Out, Call: call, Raw: []byte(body), Time: now}},
		{Record: a2a.Record{ID: 30, Exchange: 29, Kind: a2a.KindEnd, Time: now, End: &a2a.End{Reason: a2a.Cut, Class: a2a.ClassCut, Sentence: "The connection broke."}}},
		{Signal: &log.Signal{Kind: log.SignalTurnOver, Agent: 1, Conversation: 1, Turn: 7}},
	}})
}

// listed gives the desk the agent's answer to its question, and the end of that.
func (d *desk) listed(result string, over log.Signal) {
	d.t.Helper()
	call := &a2a.Call{Agent: 1, Turn: 1, Op: a2a.OpList, Dialect: a2a.V10, Binding: a2a.BindingJSONRPC}
	now := d.model.opts.Now()
	body := []byte(`{"jsonrpc":"2.0","id":"1","result":` + result + `}`)
	over.Kind, over.Agent, over.Turn = log.SignalTurnOver, 1, 1
	d.send(batchMsg{Items: []log.Item{
		{Record: a2a.Record{ID: 31, Exchange: 31, Kind: a2a.KindRequest, Dir: a2a.Out, Call: call, Raw: []byte(`{"jsonrpc":"2.0","id":"1","method":"ListTasks","params":{}}`), Time: now}},
		{Record: a2a.Record{ID: 32, Exchange: 31, Kind: a2a.KindBody, Dir: a2a.In, Call: call, Raw: body, Time: now}, Update: a2a.Decode(call, a2a.Input{Body: body})},
		{Record: a2a.Record{ID: 33, Exchange: 31, Kind: a2a.KindEnd, Call: call, Time: now, End: &a2a.End{Reason: a2a.Ended}}},
		{Signal: &over},
	}})
}

// After a message that the agent may have taken, enter asks the agent first, and the answer is told. The text
// waits in the field, and the second enter sends it, once.
func TestEnterAsksTheAgentAboutADoubtfulMessage(t *testing.T) {
	t.Parallel()
	const task = `{"id":"t1","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"}}`
	for name, c := range map[string]struct {
		result string
		over   log.Signal
		says   string
	}{
		"the task is there": {`{"tasks":[` + task + `],"totalSize":1}`, log.Signal{}, "The agent lists 1 task, the first is completed (/task shows them); enter sends this one"},
		"it is not":         {`{"tasks":[],"totalSize":0}`, log.Signal{}, "The agent lists no task: it has not taken the message before, or does not list the task yet; enter sends this one"},
		"nobody answers":    {`{}`, log.Signal{Sentence: "Nobody listens."}, "It stays unknown whether the agent has the message before; enter sends this one"},
		"a hostile state":   {`{"tasks":[{"id":"t1","contextId":"c","status":{"state":"\u001b[2J"}}],"totalSize":1}`, log.Signal{}, "The agent lists 1 task"},
	} {
		bubble(t, 200, 60, Options{}, func(d *desk) {
			d.doubt("book it")
			c0 := d.model.panes.composer
			if c0.Value() != "" {
				t.Fatalf("%s: the field holds %q after a doubtful message, want nothing", name, c0.Value())
			}
			d.write("again")
			d.press("enter")
			if got := d.engine.CallsOf("send"); len(got) != 1 || len(d.engine.CallsOf("list")) != 1 || c0.Value() != "again" {
				t.Fatalf("%s: got sends %q, lists %q and %q in the field; want the question alone, and the text kept", name, got, d.engine.CallsOf("list"), c0.Value())
			}
			d.says("Parley asks for the agent's tasks first")
			d.listed(c.result, c.over)
			d.says(c.says)
			d.press("enter")
			if got := d.engine.CallsOf("send"); len(got) != 2 || len(d.engine.CallsOf("list")) != 1 || c0.Value() != "" {
				t.Errorf("%s: got sends %q and %q in the field, want the text sent by the second enter", name, got, c0.Value())
			}
		})
	}
}

// The key that the remedy names asks the agent for its tasks: a list of before the message does not have them.
func TestTheListAfterADoubtfulMessageIsANewOne(t *testing.T) {
	t.Parallel()
	bubble(t, 200, 60, Options{}, func(d *desk) {
		d.doubt("book it")
		d.model.state.Agent(1).List = &model.TaskList{NewestPage: 2, FirstRequest: 1, Time: d.model.opts.Now().Add(-time.Minute)}
		d.press("f3")
		if got := d.engine.CallsOf("list"); len(got) != 1 {
			t.Fatalf("got lists %q after f3, want one", got)
		}
		d.wait(time.Second)
		d.listed(`{"tasks":[{"id":"t9","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}],"totalSize":1}`, log.Signal{})
		d.press("f3")
		d.press("f3")
		if got := d.engine.CallsOf("list"); len(got) != 1 {
			t.Errorf("got lists %q, want no other one while the list is newer than the message", got)
		}
	})
}

// Where the task shows by its state that it took the answer, that is said, and nothing is offered to be sent.
func TestATaskThatTookTheAnswerIsTold(t *testing.T) {
	t.Parallel()
	for state, says := range map[string]string{
		"COMPLETED": " took the answer and is completed: the message before need not be sent again",
		"FAILED":    " of the message before is failed; enter sends this one",
	} {
		bubble(t, 200, 60, Options{}, func(d *desk) {
			d.book(asksDates)
			d.engine.Turns = 6
			conv := d.model.state.Agent(1).Conversations[0]
			waits := conv.Tasks[len(conv.Tasks)-1]
			d.write("1 to 3 May")
			d.press("enter")
			now := d.model.opts.Now()
			id := a2a.RecordID(d.model.state.Log.Len())
			call := &a2a.Call{Agent: 1, Conversation: 1, Turn: 7, Op: a2a.OpStream, Dialect: a2a.V10, TaskID: waits.ID}
			body := `{"jsonrpc":"2.0","id":"1","method":"SendStreamingMessage","params":{"message":{"messageId":"m9","taskId":"` + waits.ID + `","role":"ROLE_USER","parts":[{"text":"1 to 3 May"}]}}}`
			d.send(batchMsg{Items: []log.Item{
				{Record: a2a.Record{ID: id + 1, Exchange: id + 1, Kind: a2a.KindRequest, Dir: a2a.Out, Call: call, Raw: []byte(body), Time: now}},
				{Record: a2a.Record{ID: id + 2, Exchange: id + 1, Kind: a2a.KindEnd, Time: now, End: &a2a.End{Reason: a2a.Cut, Class: a2a.ClassCut, Sentence: "The connection broke."}}},
				{Signal: &log.Signal{Kind: log.SignalTurnOver, Agent: 1, Conversation: 1, Turn: 7}},
			}})
			d.write("again")
			d.press("enter")
			if got := d.engine.CallsOf("get"); len(got) != 1 {
				t.Fatalf("%s: got gets %q, want one before anything is sent", state, got)
			}
			get := &a2a.Call{Agent: 1, Conversation: 1, Turn: 1, Op: a2a.OpGet, Dialect: a2a.V10, Binding: a2a.BindingJSONRPC, TaskID: waits.ID}
			answer := []byte(`{"jsonrpc":"2.0","id":"1","result":{"id":"` + waits.ID + `","contextId":"` + waits.ContextID + `","status":{"state":"TASK_STATE_` + state + `"}}}`)
			d.send(batchMsg{Items: []log.Item{
				{Record: a2a.Record{ID: id + 3, Exchange: id + 3, Kind: a2a.KindRequest, Dir: a2a.Out, Call: get, Raw: []byte(`{"jsonrpc":"2.0","id":"1","method":"GetTask","params":{"id":"` + waits.ID + `"}}`), Time: now}},
				{Record: a2a.Record{ID: id + 4, Exchange: id + 3, Kind: a2a.KindBody, Dir: a2a.In, Call: get, Raw: answer, Time: now}, Update: a2a.Decode(get, a2a.Input{Body: answer})},
				{Record: a2a.Record{ID: id + 5, Exchange: id + 3, Kind: a2a.KindEnd, Call: get, Time: now, End: &a2a.End{Reason: a2a.Ended}}},
				{Signal: &log.Signal{Kind: log.SignalTurnOver, Agent: 1, Conversation: 1, Turn: 1}},
			}})
			d.says(says)
		})
	}
}
