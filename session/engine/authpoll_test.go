package engine

import (
	"slices"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/a2a/a2atest"
	"parley/session/log"
	"parley/session/model"
	"parley/session/problem"
	"parley/session/sessiontest"
	"parley/session/task"
)

// cashier is an agent whose task waits for credentials until the third get, as if the user gave
// them elsewhere.
const cashier = `
-- eauth --
data: {"jsonrpc":"2.0","id":{{id}},"result":{"statusUpdate":{"taskId":"{{task}}","contextId":"{{context}}","status":{"state":"TASK_STATE_AUTH_REQUIRED","message":{"messageId":"m-{{task}}","role":"ROLE_AGENT","parts":[{"text":"Sign in at https://login.example/"}]}}}}}

-- internal --
{"jsonrpc":"2.0","id":{{id}},"error":{"code":-32603,"message":"task execution is already in progress"}}
-- scene pay --
is pay
goto one
send etask state=TASK_STATE_WORKING
send eauth
-- scene pay-plainly --
is plainly
answer -
head 200 application/json
goto one
send task state=TASK_STATE_AUTH_REQUIRED
-- scene get-one --
on GetTask
state one
goto two
send bare state=TASK_STATE_AUTH_REQUIRED
-- scene get-two --
on GetTask
state two
goto three
send bare state=TASK_STATE_AUTH_REQUIRED
-- scene get-three --
on GetTask
state three
goto working
send bare state=TASK_STATE_WORKING
-- scene get --
on GetTask
state working
goto over
send bare state=TASK_STATE_COMPLETED
-- scene answer --
state one two three
is done
goto over
send estatus state=TASK_STATE_COMPLETED
-- scene too-soon --
state one two three
answer -
head 200 application/json
send internal
-- scene follow --
on SubscribeToTask
state working
send etask state=TASK_STATE_WORKING
stream notes.md with echunk words 2
goto over
send estatus state=TASK_STATE_COMPLETED
`

// A clockedHarness is a harness whose waits end when the test says so; it counts auth polls.
type clockedHarness struct {
	*harness
	asked chan time.Duration
	due   chan time.Time
}

func newClockedHarness(t *testing.T) *clockedHarness {
	c := &clockedHarness{asked: make(chan time.Duration, 100), due: make(chan time.Time)}
	c.harness = newHarness(t, func(o *options) {
		o.AuthPolls, o.PollMax = true, 8*time.Second
		o.After = func(d time.Duration) <-chan time.Time {
			if d >= never || d < 100*time.Millisecond {
				return c.after(d)
			}
			c.asked <- d
			return c.due
		}
	})
	return c
}

// countAuthPolls counts the auth poll requests that the agent received.
func (d *harness) countAuthPolls() (n int) {
	for _, it := range d.items {
		if r := &it.Record; r.Kind == a2a.KindRequest && r.Call.AuthPoll {
			n++
		}
	}
	return n
}

func methods(a *a2atest.Agent) (out []string) {
	for _, r := range a.Requests() {
		if r.RPC != "" {
			out = append(out, r.RPC)
		}
	}
	return out
}

func TestATaskThatIsAuthorizedElsewhereIsNoticedAndFollowed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, script string
		want         []string
	}{
		{"pay", cashier, []string{"SendStreamingMessage", "GetTask", "GetTask", "GetTask", "SubscribeToTask"}},
		{"plainly", cashier + "-- streaming --\nfalse\n", []string{"SendMessage", "GetTask", "GetTask", "GetTask", "GetTask"}},
	} {
		d := newHarness(t, func(o *options) { o.AuthPolls, o.PollMax = true, 3*time.Second })
		a := agent(t, c.script)
		turn, sig := d.sendText(model.Target{Agent: d.openAgent(a.URL)}, c.text, model.SendOptions{})
		task := turn.Blocks[0].Task
		if sig.Sentence != "" || task.State != a2a.StateAuthRequired || turn.Pending {
			t.Fatalf("got %+v with task %v, turn pending %v; want the turn over while the task is auth-required", sig, task.State, turn.Pending)
		}
		for task.AuthPoll == nil {
			d.waitForSignal(log.SignalAuthPoll)
		}
		if d.until("a question", func(it log.Item) bool { return it.Record.Kind == a2a.KindRequest && it.Record.Call.AuthPoll }); turn.Pending {
			t.Error("turn is pending during an auth poll request, want not pending")
		}
		if over := d.waitForSignal(log.SignalAuthPollEnded); over.Class != log.AuthPollContinued || over.Sentence != "" {
			t.Errorf("got auth poll end %+v, want class continued and no sentence", over)
		}
		d.waitForTurnEnd(turn.ID)
		if task.State != a2a.StateCompleted || task.AuthPoll != nil || d.countAuthPolls() != 3 || len(sessiontest.Problems(turn)) != 0 {
			t.Errorf("%s: got task %v, auth poll %v, %d auth poll requests, problems %v; want completed, none, 3 requests, none\n%s", c.text, task.State, task.AuthPoll, d.countAuthPolls(), sessiontest.Problems(turn), d.log())
		}
		if got := methods(a); !slices.Equal(got, c.want) {
			t.Errorf("got methods %v, want %v", got, c.want)
		}
		states := []a2a.State{}
		for _, tr := range task.Transitions {
			states = append(states, tr.State)
		}
		if n := len(states); n < 3 || states[n-3] != a2a.StateAuthRequired || states[n-2] != a2a.StateWorking {
			t.Errorf("got states %v, want auth-required and working before the last", states)
		}
		if waits := []time.Duration{time.Second, 2 * time.Second, 3 * time.Second}; !slices.Equal(d.waits[:3], waits) {
			t.Errorf("got waits %v, want them to begin with %v", d.waits, waits)
		}
		d.finish()
	}
}

// Without the option nothing is polled unasked, and who asks for the auth poll follows the task.
func TestAnAuthPollThatIsAskedForFollowsNothing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, script string }{{"pay", cashier}, {"plainly", cashier + "-- streaming --\nfalse\n"}} {
		d := newHarness(t, func(o *options) { o.PollMax = 3 * time.Second })
		a := agent(t, c.script)
		turn, _ := d.sendText(model.Target{Agent: d.openAgent(a.URL)}, c.text, model.SendOptions{})
		at, task := turn.Target.Agent, turn.Blocks[0].Task
		if d.Engine.agents[at].tasks[task.ID].authPoll != nil {
			t.Errorf("%s: got an auth poll that nobody asked for", c.text)
		}
		for range 2 { // one that runs already is reported too
			if !d.StartAuthPoll(at, task.ID) {
				t.Errorf("%s: got no auth poll of a task in auth-required", c.text)
			}
		}
		if over := d.waitForSignal(log.SignalAuthPollEnded); over.Class != log.AuthPollContinued {
			t.Errorf("%s: got auth poll end %+v, want class continued", c.text, over)
		}
		if d.StartAuthPoll(at, task.ID) || d.StartAuthPoll(at, "no-such-task") || d.StartAuthPoll(99, task.ID) {
			t.Errorf("%s: got an auth poll of a task that does not wait", c.text)
		}
		d.finish()
		if got := methods(a)[1:]; !slices.Equal(got, []string{"GetTask", "GetTask", "GetTask"}) {
			t.Errorf("%s: got methods %v, want the gets of the auth poll alone", c.text, got)
		}
	}
}

func TestAnAnswerInTheConversationEndsTheAuthPollAndARefusedOneDoesNot(t *testing.T) {
	t.Parallel()
	d := newClockedHarness(t)
	a := agent(t, cashier)
	turn, _ := d.sendText(model.Target{Agent: d.openAgent(a.URL)}, "pay", model.SendOptions{})
	task := turn.Blocks[0].Task
	to := model.Target{Agent: turn.Target.Agent, Conversation: turn.Conversation.ID, TaskID: task.ID}
	d.waitForSignal(log.SignalAuthPoll)
	again, sig := d.sendText(to, "not yet", model.SendOptions{})
	if got := sessiontest.Problems(again); sig.Class != problem.ClassRPC || len(got) != 1 || !strings.Contains(got[0].Sentence, "authorization elsewhere") || strings.Contains(got[0].Sentence, "its log") {
		t.Errorf("got turn end %+v, problems %v; want class rpc and one problem that says \"authorized elsewhere\"", sig, got)
	}
	d.waitForSignal(log.SignalAuthPoll)
	if task.AuthPoll == nil || task.Answered {
		t.Errorf("got auth poll %+v, answered %v after a rejected answer; want an auth poll, not answered", task.AuthPoll, task.Answered)
	}
	d.sendText(to, "done", model.SendOptions{})
	if task.State != a2a.StateCompleted || task.AuthPoll != nil {
		t.Errorf("got task %v, auth poll %v; want completed, none", task.State, task.AuthPoll)
	}
	d.finish()
	if d.countAuthPolls() != 0 {
		t.Errorf("got %d auth poll requests before any wait was over, want none", d.countAuthPolls())
	}
}

func TestAnAuthPollIsHurriedEndedAndBegunAgain(t *testing.T) {
	t.Parallel()
	d := newClockedHarness(t)
	turn, _ := d.sendText(model.Target{Agent: d.openAgent(agent(t, cashier).URL)}, "pay", model.SendOptions{})
	task := turn.Blocks[0].Task
	at := turn.Target.Agent
	wants := func(want time.Duration) {
		t.Helper()
		if got := await(t, d.asked, "a wait of the engine"); got != want {
			t.Fatalf("got wait %v, want %v", got, want)
		}
	}
	wants(time.Second)
	d.due <- time.Time{}
	wants(2 * time.Second)
	d.HurryAuthPolls()
	wants(time.Second) // instead of the rest of the two waits
	d.HurryAuthPolls()
	d.due <- time.Time{}
	wants(time.Second) // from the shortest wait on
	d.StopAuthPoll(at, task.ID)
	d.waitForSignal(log.SignalAuthPollEnded)
	if task.AuthPoll != nil {
		t.Error("got an auth poll after it was stopped, want none")
	}
	d.beginAuthPoll(at, task.ID) // as after every operation
	if d.Engine.agents[at].tasks[task.ID].authPoll != nil {
		t.Error("got an auth poll that the user had stopped, want none")
	}
	d.StartAuthPoll(at, task.ID)
	d.waitForSignal(log.SignalAuthPoll)
	if task.AuthPoll == nil {
		t.Fatal("got no auth poll after it was started again, want one")
	}
	d.Close()
	d.finish()
	if task.AuthPoll != nil {
		t.Error("got an auth poll after the engine was closed, want none")
	}
}

// unsure is an agent that answers gets with the answer under test.
const unsure = `
-- eauth --
data: {"jsonrpc":"2.0","id":{{id}},"result":{"statusUpdate":{"taskId":"{{task}}","contextId":"{{context}}","status":{"state":"TASK_STATE_AUTH_REQUIRED"}}}}

-- refusal --
{"jsonrpc":"2.0","id":{{id}},"error":{"code":-32601,"message":"no such method"}}
-- page --
<html>try later</html>
-- scene pay --
(?i)
goto asking
send etask state=TASK_STATE_WORKING
send eauth
-- scene get-busy --
on GetTask
state asking
head 503 text/html
goto slow
send page
-- scene get-slow --
on GetTask
state slow
header Retry-After: 20
head 429 text/html
goto asked
send page
`

func TestAnAuthPollOutlastsWhatPassesAndEndsWithWhatLasts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		last string
		want string // in the sentence
		gone int    // denials
	}{
		"a refusal":   {"send refusal", "no such method", 0},
		"not found":   {"send missing", "Stopped checking", 2},
		"a forbidden": {"head 403 text/html\nsend page", "Stopped checking", 0},
	} {
		t.Run(name, func(t *testing.T) {
			d := newClockedHarness(t)
			script := strings.Replace(unsure, "(?i)", "is pay", 1) + "-- scene get-last --\non GetTask\nstate asked\n" + c.last + "\n"
			turn, _ := d.sendText(model.Target{Agent: d.openAgent(agent(t, script).URL)}, "pay", model.SendOptions{})
			task := turn.Blocks[0].Task
			for _, want := range []time.Duration{time.Second, 2 * time.Second, 20 * time.Second} {
				d.until("the announcement", func(it log.Item) bool {
					return it.Signal != nil && it.Signal.Kind == log.SignalAuthPoll && it.Signal.After == want
				})
				if len(sessiontest.Problems(turn)) != 0 {
					t.Errorf("got problems %v for passing failures, want none", sessiontest.Problems(turn))
				}
				d.due <- <-endNextWait(t, d.asked)
			}
			over := d.waitForSignal(log.SignalAuthPollEnded)
			if !strings.Contains(over.Sentence, c.want) || over.Class != problem.ClassRPC {
				t.Errorf("got auth poll end %+v, want class rpc and a sentence with %q", over, c.want)
			}
			if got := sessiontest.Problems(turn); len(got) != 1 || task.AuthPoll != nil || task.Forgotten != (c.gone > 0) || d.countAuthPolls() != 3+c.gone/2 {
				t.Errorf("got problems %v, auth poll %v, forgotten %v, %d auth poll requests; want one problem, none, %d denials, 3 and one more for a denial", got, task.AuthPoll, task.Forgotten, d.countAuthPolls(), c.gone)
			}
			d.finish()
		})
	}
}

// endNextWait waits until the engine waits, and ends the wait.
func endNextWait(t *testing.T, asked <-chan time.Duration) <-chan time.Time {
	t.Helper()
	await(t, asked, "a wait of the engine")
	c := make(chan time.Time, 1)
	c <- time.Time{}
	return c
}

func TestAnAgentThatIsAwayIsAskedAgainWithoutAWord(t *testing.T) {
	t.Parallel()
	d := newClockedHarness(t)
	a := agent(t, cashier)
	turn, _ := d.sendText(model.Target{Agent: d.openAgent(a.URL)}, "pay", model.SendOptions{})
	a.Close()
	for range 4 {
		d.due <- <-endNextWait(t, d.asked)
		d.until("the end of a question", func(it log.Item) bool { return it.Record.Kind == a2a.KindEnd && it.Record.Call.AuthPoll })
	}
	if len(sessiontest.Problems(turn)) != 0 || turn.Pending || turn.Blocks[0].Task.State != a2a.StateAuthRequired {
		t.Errorf("got problems %v, pending %v; want none, not pending and an auth-required task", sessiontest.Problems(turn), turn.Pending)
	}
	d.finish()
}

func TestAMessageWrittenByHandIsLookedAfterToo(t *testing.T) {
	t.Parallel()
	d := newClockedHarness(t)
	at := d.openAgent(agent(t, strings.Replace(cashier, "is pay", "is Hello", 1)).URL)
	presets := d.Presets(at)
	i := slices.IndexFunc(presets, func(p model.Preset) bool { return p.Op == a2a.OpStream })
	turn := d.SendRaw(at, 0, presets[i].Request)
	for {
		if sig := d.waitForSignal(log.SignalAuthPoll); sig.Turn == turn && sig.After == time.Second {
			break
		}
	}
	d.Dismiss(at)
	d.waitForSignal(log.SignalAuthPollEnded)
	task := d.state.Turn(turn).Blocks[0].Task
	d.StartAuthPoll(at, task.ID)
	if task.AuthPoll != nil || d.Engine.agents[at].tasks[task.ID].authPoll != nil {
		t.Error("got an auth poll of a closed agent, want none")
	}
	d.finish()
}

func TestNobodyIsAskedWhoCannotTell(t *testing.T) {
	t.Parallel()
	d := newHarness(t, func(o *options) { o.AuthPolls = true })
	for name, c := range map[string]struct {
		dialect a2a.DialectName
		k       knownTask
		want    bool
	}{
		"waits":             {a2a.V10, knownTask{Lifecycle: task.Lifecycle{State: a2a.StateAuthRequired}}, true},
		"a mesh has no get": {a2a.SAMHTTP, knownTask{Lifecycle: task.Lifecycle{State: a2a.StateAuthRequired}}, false},
		"a stream tells":    {a2a.V10, knownTask{Lifecycle: task.Lifecycle{State: a2a.StateAuthRequired}, stream: &follower{}}, false},
		"the user wants no": {a2a.V10, knownTask{Lifecycle: task.Lifecycle{State: a2a.StateAuthRequired}, noAuthPoll: true}, false},
		"it asks for input": {a2a.V10, knownTask{Lifecycle: task.Lifecycle{State: a2a.StateInputRequired}}, false},
	} {
		r := &remote{opened: make(chan struct{}), tasks: map[string]*knownTask{"t": &c.k}, profile: a2a.Profile{Dialect: c.dialect}}
		d.Engine.mu.Lock()
		d.agents[99] = r
		d.Engine.mu.Unlock()
		d.beginAuthPoll(99, "t")
		if got := c.k.authPoll != nil; got != c.want {
			t.Errorf("%s: got auth poll kept %v, want %v", name, got, c.want)
		}
		d.stopAuthPoll(99, "t", true)
	}
	d.beginAuthPoll(98, "t")
	d.beginAuthPoll(99, "another")
	d.StopAuthPoll(98, "t")
	d.StartAuthPoll(99, "another")
}
