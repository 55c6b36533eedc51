package engine

import (
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/session/problem"
	"parley/session/sessiontest"
)

const lister = worker + `
-- agent --
name Tester
dialect 1.0
endpoint /rpc
answer task
tasks listed 2
serve /.well-known/agent-card.json card application/json
-- listed --
{"id":"{{task}}","contextId":"{{context}}","status":{"state":"TASK_STATE_WORKING"},"history":[{"messageId":"m","role":"ROLE_USER","parts":[{"text":"help me {{task}}"}]}]}
`

// others begins tasks of an agent in another session.
func others(t *testing.T, url string, n int) (ids []string) {
	t.Helper()
	d := newHarness(t, nil)
	id := d.openAgent(url)
	for range n {
		turn, task := d.startTask(id, "work")
		d.Stop(turn)
		d.waitForTurnEnd(turn)
		ids = append(ids, task.ID)
	}
	d.Close()
	return ids
}

func TestAListIsKnownPageByPageAndNothingFollowsFromIt(t *testing.T) {
	t.Parallel()
	a := agent(t, lister)
	others(t, a.URL, 5)
	d := newHarness(t, nil)
	id := d.openAgent(a.URL)
	ag := d.state.Agent(id)
	turn := d.List(id, a2a.ListFilter{State: a2a.StateWorking, StatusTimestampAfter: "2020-01-01T00:00:00Z"}, nil)
	d.until("the request", func(it log.Item) bool { return it.Record.Kind == a2a.KindRequest })
	if l := ag.List; l == nil || !l.Pending || l.Filter.State != a2a.StateWorking || l.Filter.StatusTimestampAfter == "" {
		t.Fatalf("got list %+v, want a request in progress with the filter", l)
	}
	d.waitForTurnEnd(turn)
	if l := ag.List; len(l.Tasks) != 0 || l.Next != "" || l.Pending { // no timestamp can be later
		t.Fatalf("got list %+v, want an empty one", l)
	}
	d.waitForTurnEnd(d.List(id, a2a.ListFilter{}, nil))
	l := ag.List
	if len(l.Tasks) != 2 || l.Total != 5 || l.Next == "" || l.NewTasks != 2 {
		t.Fatalf("got list %+v, want the first page with 2 of 5 tasks", l)
	}
	first := l.Tasks[0]
	if first.Title != "help me "+first.ID || first.History != 1 || first.StateWord() != "working" || l.Find(first.ID) != first || l.Find("nobody's") != nil {
		t.Errorf("got listed task %+v, want the title, one message of history and the state working", first)
	}
	for range 2 {
		filter := l.Filter
		filter.PageToken = l.Next
		d.waitForTurnEnd(d.List(id, filter, nil))
	}
	if len(l.Tasks) != 5 || l.Next != "" || l.NewTasks != 1 || l.Tasks[0] != first {
		t.Errorf("got list %+v, want all 5 tasks, one of them new", l)
	}
	if len(ag.Conversations) != 0 || d.state.Task(id, first.ID) != nil || len(d.state.Waiting()) != 0 {
		t.Errorf("got %d conversations, want none and no task because of the list", len(ag.Conversations))
	}
	begun := l.FirstRequest
	d.waitForTurnEnd(d.List(id, a2a.ListFilter{PageSize: 1}, nil))
	if len(l.Tasks) != 1 || l.FirstRequest == begun {
		t.Errorf("got list %+v, want a new one with 1 task", l)
	}
	conv := d.NewConversation(id)
	got := d.Get(id, first.ID, conv, nil)
	d.waitForTurnEnd(got)
	if c := d.state.Conversation(conv); c == nil || c.Tasks[0].ID != first.ID || c.Name() == "" {
		t.Errorf("got conversation %+v, want one that begins with the task", c)
	}
	d.finish()
}

func TestAnAgentThatListsNothingSaysWhy(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ scene, want string }{
		{"", "This agent does not list tasks"},
		{"send refused", "lists tasks only with credentials"},
		{"head 401 text/plain\nsend refused", "lists tasks only with credentials"},
		{"send other", "is not a list of tasks"},
		{"send junk", "not valid JSON"},
		{"cut", "closed the connection"},
	} {
		a := agent(t, worker+"-- scene list --\non ListTasks\nanswer -\n"+c.scene+"\n"+`
-- refused --
{"jsonrpc":"2.0","id":{{id}},"error":{"code":-31401,"message":"unauthenticated"}}
-- other --
{"jsonrpc":"2.0","id":{{id}},"result":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}
-- junk --
{"jsonrpc":"2.0","id":{{id}},"result":{"tasks":[{"id
`)
		if c.scene == "" {
			a = agent(t, worker)
		}
		d := newHarness(t, nil)
		id := d.openAgent(a.URL)
		d.waitForTurnEnd(d.List(id, a2a.ListFilter{}, nil))
		l := d.state.Agent(id).List
		if l == nil || l.Pending || l.Problem == nil {
			t.Errorf("%q: got list %+v, want a problem\n%s", c.scene, l, d.log())
		} else if !strings.Contains(l.Problem.Sentence, c.want) {
			t.Errorf("%q: got problem %+v, want %q\n%s", c.scene, l.Problem, c.want, d.log())
		}
		d.finish()
	}
}

func TestARefusalToCancelIsExplained(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, scene, state, want string }{
		{"over", "", "TASK_STATE_COMPLETED", "already over (completed)"},
		{"at work", "-- scene no --\non CancelTask\nstate working\nsend never\n", "TASK_STATE_WORKING", "The task continues; its last known state is working"},
		{"unknown method", "-- scene no --\non CancelTask\nstate working\nsend method\n", "TASK_STATE_WORKING", "does not support cancel"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := agent(t, c.scene+`
-- scene work --
is work
answer -
head 200 application/json
goto working
send task state=`+c.state+`
-- never --
{"jsonrpc":"2.0","id":{{id}},"error":{"code":-32002,"message":"Not this one"}}
-- method --
{"jsonrpc":"2.0","id":{{id}},"error":{"code":-32601,"message":"Method not found"}}
`)
			d := newHarness(t, nil)
			turn, _ := d.sendText(model.Target{Agent: d.openAgent(a.URL)}, "work", model.SendOptions{Stream: a2a.False, Async: true})
			task := turn.Blocks[0].Task
			d.waitForTurnEnd(d.Cancel(turn.Conversation.Agent.ID, task.ID, 0))
			if pr := task.LastRequest.Problem; pr == nil || !strings.Contains(pr.Sentence, c.want) || task.LastRequest.Op != a2a.OpCancel || task.LastRequest.Open {
				t.Errorf("got last request %+v, problem %+v; want a cancel that failed with %q", task.LastRequest, pr, c.want)
			}
			if got := sessiontest.Problems(turn); len(got) == 0 || !strings.Contains(got[len(got)-1].Sentence, c.want) {
				t.Errorf("got problems %+v, want the last to say %q", got, c.want)
			}
			d.finish()
		})
	}
}

func TestATaskThatIsOverIsNotListenedTo(t *testing.T) {
	t.Parallel()
	a := agent(t, "-- scene work --\nis work\nanswer -\nhead 200 application/json\ngoto working\nsend task state=TASK_STATE_COMPLETED\n")
	d := newHarness(t, nil)
	turn, _ := d.sendText(model.Target{Agent: d.openAgent(a.URL)}, "work", model.SendOptions{Stream: a2a.False})
	task := turn.Blocks[0].Task
	d.waitForTurnEnd(d.Subscribe(turn.Conversation.Agent.ID, task.ID, 0, true))
	if pr := task.LastRequest.Problem; pr == nil || !strings.Contains(pr.Sentence, "over (completed), so no stream can follow it") {
		t.Errorf("got problem %+v, want that the completed task is over\n%s", pr, d.log())
	}
	d.finish()
}

// A task of another client is polled until it is over, and the user can stop that.
func TestAForeignTaskIsPolledUntilItIsStopped(t *testing.T) {
	t.Parallel()
	a := agent(t, worker)
	ids := others(t, a.URL, 1)
	d := newHarness(t, nil)
	id := d.openAgent(a.URL)
	turn := d.Await(id, ids[0], d.NewConversation(id), nil)
	for n := range 3 {
		if sig := d.waitForSignal(log.SignalPoll); sig.Attempt != n+1 || sig.After == 0 || sig.Turn != turn {
			t.Errorf("attempt %d: got signal %+v, want the attempt and a wait of the turn", n+1, sig)
		}
	}
	if task := d.state.Task(id, ids[0]); task == nil || task.Poll == nil || task.Poll.Turn != turn {
		t.Fatalf("got task %+v, want a poll of the turn", task)
	}
	d.Stop(turn)
	d.waitForTurnEnd(turn)
	if task := d.state.Task(id, ids[0]); task.Poll != nil || task.State != a2a.StateWorking {
		t.Errorf("got task %+v after the stop, want working without a poll", task)
	}
	d.finish()
}

// Some agents answer a subscription to a task that is over with "not found": a task that this
// session never saw is then requested by a get.
func TestAForeignTaskThatNobodyMayListenToIsAskedFor(t *testing.T) {
	t.Parallel()
	a := agent(t, worker+"-- scene subscribe again --\non SubscribeToTask\nstate over\nhead 200 application/json\nsend missing\n-- scene got --\non GetTask\nstate over\nsend bare state=TASK_STATE_COMPLETED\n")
	first := newHarness(t, nil)
	turn, task := first.startTask(first.openAgent(a.URL), "work")
	a.Release("gate")
	first.waitForTurnEnd(turn)

	d := newHarness(t, nil)
	id := d.openAgent(a.URL)
	got := d.Subscribe(id, task.ID, 0, true)
	d.waitForTurnEnd(got)
	seen := d.state.Task(id, task.ID)
	if seen == nil || seen.State != a2a.StateCompleted {
		t.Fatalf("got task %+v, want completed\n%s", seen, d.log())
	}
	if pr := sessiontest.Problems(d.state.Turn(got)); len(pr) != 1 || pr[0].Class != problem.ClassFallback {
		t.Errorf("got problems %+v, want one of class fallback", pr)
	}
	missing := d.Subscribe(id, "nobody's", 0, true)
	if sig := d.waitForTurnEnd(missing); sig.Class != problem.ClassRPC || d.state.Task(id, "nobody's") != nil {
		t.Errorf("got turn end %+v for an unknown task, want class rpc and no task\n%s", sig, d.log())
	}
	d.finish()
}
