package session

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/a2a"
)

const streamer = `
-- scene poem --
is poem
goto working
send etask state=TASK_STATE_SUBMITTED
send estatus state=TASK_STATE_WORKING
stream poem.md notes.md with echunk words 2
goto over
send estatus state=TASK_STATE_COMPLETED
send elate
`

func TestAStreamBuildsItsArtifactsChunkByChunk(t *testing.T) {
	d := newDesk(t, nil)
	id := d.opened(agent(t, streamer).URL)
	turn, sig := d.say(Target{Agent: id}, "poem", SendOptions{})
	if sig.Sentence != "" {
		t.Fatalf("the turn failed: %s\n%s", sig.Sentence, d.log())
	}
	task := turn.Blocks[0].Task
	if task.State != a2a.StateCompleted || task.Ended.IsZero() || len(task.Transitions) != 3 {
		t.Errorf("task %+v", task)
	}
	if len(task.Artifacts) != 2 {
		t.Fatalf("%d artifacts, want 2 that grew side by side", len(task.Artifacts))
	}
	want := map[string]string{"poem.md": "The tide\ncomes **in**\nand goes out.\nAnd late.", "notes.md": "one two three four five\n"}
	for _, a := range task.Artifacts {
		if strings.TrimSpace(string(a.Text)) != strings.TrimSpace(want[a.Name]) || a.Reset != 0 || !a.Sealed || a.Live {
			t.Errorf("artifact %s: %q sealed %v live %v", a.Name, a.Text, a.Sealed, a.Live)
		}
		if len(a.Spans) != a.Chunks {
			t.Errorf("%s: %d spans of %d chunks", a.Name, len(a.Spans), a.Chunks)
		}
		for _, sp := range a.Spans {
			if at, ok := d.state.Anchor(sp.Record); !ok || at.Offset != sp.Offset || a.RecordAt(sp.Offset) != sp.Record {
				t.Errorf("span %+v: anchor %+v %v, record %d", sp, at, ok, a.RecordAt(sp.Offset))
			}
		}
	}
	c := turn.Conversation
	events := 0
	var bytes int64
	for _, id := range d.state.Log.Exchange(c.Stats.Exchange) {
		r := &d.state.Log.At(id).Record
		if r.Kind == a2a.KindEvent {
			events++
			bytes += int64(len(r.Raw))
		}
	}
	sum := 0
	for _, n := range c.Stats.Recent {
		sum += n
	}
	if c.Stats.Events != events || c.Stats.Bytes != bytes || sum != events || c.Stats.Open || c.Streams != 0 {
		t.Errorf("stats %+v, the wire has %d events of %d bytes", c.Stats, events, bytes)
	}
	if turn.Pending || c.Title != "poem" || c.ContextID == "" || turn.Message.Text() != "poem" {
		t.Errorf("turn %+v of conversation %+v", turn, c)
	}
	d.finish()
}

const asker = `
-- scene book --
is book
goto asking
send etask state=TASK_STATE_WORKING
send easks
-- scene dates --
state asking
goto over
send estatus state=TASK_STATE_COMPLETED
`

func TestAnAnswerGoesToTheTaskThatAsks(t *testing.T) {
	d := newDesk(t, nil)
	a := agent(t, asker)
	id := d.opened(a.URL)
	turn, _ := d.say(Target{Agent: id}, "book", SendOptions{})
	task := turn.Blocks[0].Task
	if w := d.state.Waiting(); len(w) != 1 || w[0] != task || task.Prompt.Text() != "Which dates?" {
		t.Fatalf("waiting %v, prompt %v", w, task.Prompt)
	}
	if !slices.ContainsFunc(d.changes, func(c Change) bool { return c.Waiting == task }) {
		t.Error("no change says that the task began to wait")
	}
	last := turn.Blocks[0].Entries[len(turn.Blocks[0].Entries)-1]
	if last.Kind != EntryMessage || last.Message != task.Prompt {
		t.Errorf("the prompt is not the newest entry: %+v", last)
	}
	again, _ := d.say(Target{Agent: id, Conversation: turn.Conversation.ID, TaskID: task.ID}, "10 to 17 October", SendOptions{})
	if task.State != a2a.StateCompleted || len(d.state.Waiting()) != 0 || !task.Answered {
		t.Errorf("after the answer: %v, waiting %v, answered %v", task.State, d.state.Waiting(), task.Answered)
	}
	if again.Conversation != turn.Conversation || again.Target.TaskID != task.ID {
		t.Errorf("the answer's turn: %+v", again.Target)
	}
	sent := a.Requests()[len(a.Requests())-1]
	for _, want := range []string{`"taskId":"` + task.ID, `"contextId":"` + task.ContextID} {
		if !strings.Contains(string(sent.Body), want) {
			t.Errorf("the answer %s does not carry %s", sent.Body, want)
		}
	}
	d.finish()
}

const keeper = `
-- scene book --
is book
goto asking
send etask state=TASK_STATE_WORKING
send easks
hang
-- scene dates --
state asking
goto over
stream notes.md with echunk words 2
send estatus state=TASK_STATE_COMPLETED
`

func TestAnAnswerClosesTheStreamOnWhichTheTaskAsked(t *testing.T) {
	d := newDesk(t, func(o *EngineOptions) { o.Grace = time.Millisecond })
	id := d.opened(agent(t, keeper).URL)
	turn, _ := d.say(Target{Agent: id}, "book", SendOptions{})
	if turn.Conversation.Streams != 1 {
		t.Fatal("the agent does not keep its stream open")
	}
	task := turn.Blocks[0].Task
	again, sig := d.say(Target{Agent: id, Conversation: turn.Conversation.ID, TaskID: task.ID}, "in May", SendOptions{})
	if sig.Sentence != "" || len(problems(turn))+len(problems(again)) != 0 {
		t.Errorf("over %+v, problems %v %v", sig, problems(turn), problems(again))
	}
	d.finish()
	if task.State != a2a.StateCompleted || turn.Conversation.Streams != 0 {
		t.Errorf("task %v, %d streams", task.State, turn.Conversation.Streams)
	}
}

const slow = `
-- streaming --
false
-- scene work --
is work
answer -
head 200 application/json
goto one
send task state=TASK_STATE_WORKING
-- scene one --
on GetTask
state one
goto two
send bare state=TASK_STATE_WORKING
-- scene two --
on GetTask
state two
goto three
send bare state=TASK_STATE_WORKING
-- scene three --
on GetTask
state three
goto over
send bare state=TASK_STATE_COMPLETED artifacts='{"artifactId":"a","parts":[{"text":"done"}]}'
`

func TestAPlainAnswerIsFollowedByGetsThatWaitLongerAndLonger(t *testing.T) {
	d := newDesk(t, func(o *EngineOptions) { o.PollMax = 3 * time.Second })
	id := d.opened(agent(t, slow).URL)
	turn, sig := d.say(Target{Agent: id}, "work", SendOptions{})
	if sig.Sentence != "" {
		t.Errorf("the turn failed: %s", sig.Sentence)
	}
	var announced []time.Duration
	for _, it := range d.items {
		if it.Signal != nil && it.Signal.Kind == SignalPolling {
			announced = append(announced, it.Signal.After)
		}
	}
	want := []time.Duration{time.Second, 2 * time.Second, 3 * time.Second}
	if !slices.Equal(announced, want) || !slices.Equal(d.waits, want) {
		t.Errorf("announced %v, waited %v, want %v", announced, d.waits, want)
	}
	task := turn.Blocks[0].Task
	if task.State != a2a.StateCompleted || string(task.Artifacts[0].Text) != "done" || len(task.Transitions) != 2 || task.Poll != nil {
		t.Errorf("task %+v", task)
	}
	d.finish()
}

func TestAnAsyncSendIsNotFollowed(t *testing.T) {
	d := newDesk(t, nil)
	id := d.opened(agent(t, slow).URL)
	turn, sig := d.say(Target{Agent: id}, "work", SendOptions{Async: true})
	if sig.Sentence != "" || turn.Blocks[0].Task.State != a2a.StateWorking || len(d.waits) != 0 {
		t.Errorf("%+v, task %v, waits %v", sig, turn.Blocks[0].Task.State, d.waits)
	}
	d.finish()
}

const unreliable = `
-- scene short --
is short
goto working
send etask state=TASK_STATE_WORKING
stream notes.md with echunk words 2
-- scene cut --
is cut
answer -
goto working
send etask state=TASK_STATE_WORKING
stream notes.md with echunk words 2
send etorn
cut
-- scene bad --
is bad
goto working
send etask state=TASK_STATE_WORKING
send ebad
stream notes.md with echunk words 2
goto over
send estatus state=TASK_STATE_COMPLETED
-- scene refuse --
on SendStreamingMessage
is plain
head 200 application/json
send unsupported
-- scene plain --
on SendMessage
is plain
head 200 application/json
goto over
send task state=TASK_STATE_COMPLETED
-- scene get --
on GetTask
state working
goto over
send bare state=TASK_STATE_COMPLETED artifacts='{"artifactId":"notes.md","parts":[{"text":"one two three four five\n"}]}'
`

func problems(turn *Turn) []*Problem {
	var list []*Problem
	for _, b := range turn.Blocks {
		for _, e := range b.Entries {
			if e.Kind == EntryProblem {
				list = append(list, e.Problem)
			}
		}
	}
	return list
}

func TestWhatGoesWrongIsSaidOnceInItsPlaceAndTheTaskIsFollowed(t *testing.T) {
	tests := []struct {
		text    string
		says    []string // problems of the turn
		over    string   // why the turn failed
		polls   int
		refused bool
	}{
		{"short", []string{"while the task was still working"}, "", 1, false},
		{"cut", []string{"broke in the middle"}, "broke in the middle", 1, false},
		{"bad", []string{""}, "", 0, false},
		{"plain", []string{"does not stream this"}, "", 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			d := newDesk(t, nil)
			id := d.opened(agent(t, unreliable).URL)
			turn, sig := d.say(Target{Agent: id}, tt.text, SendOptions{})
			if !strings.Contains(sig.Sentence, tt.over) || tt.over == "" && sig.Sentence != "" {
				t.Errorf("the turn is over with %q, want %q", sig.Sentence, tt.over)
			}
			got := problems(turn)
			if len(got) != len(tt.says) {
				t.Fatalf("%d problems, want %d\n%s\n%s", len(got), len(tt.says), dump(d.state), d.log())
			}
			for i, want := range tt.says {
				if !strings.Contains(got[i].Sentence, want) {
					t.Errorf("problem %q does not say %q", got[i].Sentence, want)
				}
			}
			if len(d.waits) != tt.polls {
				t.Errorf("%d polls, want %d", len(d.waits), tt.polls)
			}
			task := turn.Blocks[len(turn.Blocks)-1].Task
			if task == nil || task.State != a2a.StateCompleted {
				t.Fatalf("task %+v", task)
			}
			if tt.text != "plain" && string(task.Artifacts[0].Text) != "one two three four five\n" {
				t.Errorf("text %q: a chunk was lost or doubled", task.Artifacts[0].Text)
			}
			for _, c := range d.changes {
				if c.Refused != nil {
					t.Error("the draft was given back although the message was taken")
				}
			}
			d.finish()
		})
	}
}

func TestARefusedStreamIsSentAgainWithTheSameIDs(t *testing.T) {
	d := newDesk(t, nil)
	a := agent(t, unreliable)
	d.say(Target{Agent: d.opened(a.URL)}, "plain", SendOptions{})
	var ids []string
	for _, r := range a.Requests() {
		if _, rest, ok := strings.Cut(string(r.Body), `"messageId":"`); ok {
			id, _, _ := strings.Cut(rest, `"`)
			ids = append(ids, id)
		}
	}
	if len(ids) != 2 || ids[0] != ids[1] {
		t.Errorf("messageIds %q, want one twice", ids)
	}
}

func TestARefusedConnectionGivesTheDraftBackAndTheAgentIsWatched(t *testing.T) {
	d := newDesk(t, nil)
	a := agent(t, asker)
	id := d.opened(a.URL)
	first, _ := d.say(Target{Agent: id}, "book", SendOptions{})
	task := first.Blocks[0].Task
	a.Restart(500 * time.Millisecond)
	var turn *Turn
	var sig Signal
	for range 5 { // a connection kept from before may have to break first
		turn, sig = d.say(Target{Agent: id, Conversation: first.Conversation.ID}, "book", SendOptions{})
		if sig.Class == a2a.ClassRefused {
			break
		}
	}
	if sig.Class != a2a.ClassRefused || len(problems(turn)) != 1 || problems(turn)[0].Class != a2a.ClassRefused {
		t.Fatalf("turn over: %+v, problems %+v\n%s", sig, problems(turn), d.log())
	}
	if !slices.ContainsFunc(d.changes, func(c Change) bool { return c.Refused == turn }) {
		t.Error("no change says that the draft belongs back into the composer")
	}
	if got := d.state.Agent(id); got.Phase != Unreachable || got.Problem == "" {
		t.Errorf("agent %v %q", got.Phase, got.Problem)
	}
	back := d.signal(SignalBack)
	if len(back.Changes) != 1 || !strings.Contains(back.Changes[0], `version is now "1.1"`) {
		t.Errorf("changes %q", back.Changes)
	}
	if got := d.state.Agent(id); got.Phase != Ready || got.Problem != "" || len(got.CardChanges) != 1 || got.Card.Version != "1.1" {
		t.Errorf("agent %+v", got)
	}
	// It was restarted, so that it forgot the task, which comes to light at once.
	forgotten := d.signal(SignalTaskForgotten)
	if forgotten.TaskID != task.ID || !task.Forgotten || len(d.state.Waiting()) != 0 {
		t.Errorf("signal %+v, task %+v", forgotten, task)
	}
	d.finish()
}

func TestAnAgentThatIsNotThereYetIsOpenedWhenItComes(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	d := newDesk(t, nil)
	id := d.Open("http://" + address)
	if sig := d.signal(SignalOpened); sig.Class != a2a.ClassRefused || sig.Sentence == "" || len(sig.Attempts) == 0 {
		t.Fatalf("opened: %+v", sig)
	}
	if a := d.state.Agent(id); a.Phase != Unreachable || a.Problem == "" || len(a.Attempts) == 0 {
		t.Errorf("agent %+v", a)
	}
	d.signal(SignalWatching)
	l, err = net.Listen("tcp", address)
	if err != nil {
		t.Skip("the port was taken by somebody else meanwhile")
	}
	card := strings.NewReplacer("{{origin}}", "http://"+address).Replace(
		`{"name":"Late","description":"d","version":"1","supportedInterfaces":[{"url":"{{origin}}/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],"capabilities":{},"skills":[]}`)
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, card) }), ReadHeaderTimeout: time.Second}
	go srv.Serve(l)
	t.Cleanup(func() { srv.Close() })
	d.signal(SignalBack)
	if a := d.state.Agent(id); a.Phase != Ready || a.Name() != "Late" {
		t.Errorf("agent %+v", a)
	}
	d.finish()
}

func TestAnAgentWithoutACardSaysWhy(t *testing.T) {
	srv := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(srv.Close)
	d := newDesk(t, nil)
	id := d.Open(srv.URL)
	sig := d.signal(SignalOpened)
	if a := d.state.Agent(id); a.Phase != Failed || a.Problem != sig.Sentence || sig.Sentence == "" || len(a.Attempts) < 2 {
		t.Errorf("agent %+v, signal %+v", a, sig)
	}
	turn, over := d.say(Target{Agent: id}, "hello?", SendOptions{})
	if over.Sentence == "" || len(problems(turn)) != 1 || turn.Message.Text() != "hello?" {
		t.Errorf("a message to nobody: %+v, turn %+v", over, turn)
	}
	if last := d.changes[len(d.changes)-2]; last.Refused != turn {
		t.Errorf("change %+v does not give the draft back", last)
	}
	d.finish()
}

func TestACardArrayOpensAnAgentForEach(t *testing.T) {
	card := `{"name":"%s","description":"d","version":"1","url":"http://x.invalid/","protocolVersion":"0.3.0","capabilities":{},"skills":[]}`
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, "["+card+","+card+"]", "One", "Two")
	}))
	t.Cleanup(srv.Close)
	d := newDesk(t, nil)
	d.Open(srv.URL)
	d.signal(SignalOpened)
	d.signal(SignalOpened)
	var names []string
	for _, a := range d.state.Agents {
		names = append(names, a.Name())
	}
	if !slices.Equal(names, []string{"One", "Two"}) {
		t.Errorf("agents %q", names)
	}
	d.Reopen(1)
	d.signal(SignalOpened)
	if len(d.state.Agents) != 2 {
		t.Errorf("opening it again made %d agents of 2", len(d.state.Agents))
	}
	d.finish()
}

const clerk = `
-- agent --
name Clerk
dialect 0.1
endpoint /
answer done
serve /.well-known/agent.json card application/json
-- card --
{"name":"Clerk","url":"{{origin}}/","version":"1","authentication":{"schemes":[]},"capabilities":{"streaming":true},"skills":[{"id":"a","name":"A"}]}
-- done --
{"jsonrpc":"2.0","id":{{id}},"result":{"id":"{{task}}","sessionId":"{{context}}","status":{"state":"completed"}}}
-- frame --
data: {"jsonrpc":"2.0","id":{{id}},"result":{"id":"{{task}}","status":{"state":"completed"},"final":true}}

-- scene any --
goto over
send frame
`

func TestIn01TheClientMakesTaskIDsAndOneSessionForAConversation(t *testing.T) {
	d := newDesk(t, nil)
	a := agent(t, clerk)
	id := d.opened(a.URL)
	one, sig := d.say(Target{Agent: id}, "one", SendOptions{})
	if sig.Sentence != "" {
		t.Fatalf("the turn failed: %s\n%s", sig.Sentence, d.log())
	}
	two, _ := d.say(Target{Agent: id, Conversation: one.Conversation.ID}, "two", SendOptions{})
	three, _ := d.say(Target{Agent: id}, "three", SendOptions{})
	if one.Conversation != two.Conversation || one.Conversation == three.Conversation {
		t.Error("the turns are in the wrong conversations")
	}
	if c := one.Conversation.ContextID; c == "" || c == three.Conversation.ContextID {
		t.Errorf("sessions %q and %q", c, three.Conversation.ContextID)
	}
	if one.Blocks[0].Task.ID == two.Blocks[0].Task.ID {
		t.Error("a new message continued a finished task")
	}
	d.finish()
}

const worker = `
-- scene work --
is work
goto working
send etask state=TASK_STATE_WORKING
hang gate
goto over
send estatus state=TASK_STATE_COMPLETED
when canceled
send estatus state=TASK_STATE_CANCELED
-- scene cancel --
on CancelTask
state working
goto canceled
send bare state=TASK_STATE_CANCELED
-- scene get --
on GetTask
state working
send bare state=TASK_STATE_WORKING
-- scene subscribe --
on SubscribeToTask
state working
send etask state=TASK_STATE_WORKING
stream notes.md with echunk words 3
goto over
send estatus state=TASK_STATE_COMPLETED
-- scene open --
is open
goto over
send etask state=TASK_STATE_WORKING
send estatus state=TASK_STATE_COMPLETED
hang
-- scene ask --
is ask
goto asking
send etask state=TASK_STATE_WORKING
send easks
hang
`

// working sends a message and waits until its task is at work.
func (d *desk) working(agent a2a.AgentID, text string) (a2a.TurnID, *Task) {
	d.t.Helper()
	id := d.Send(Target{Agent: agent}, &a2a.Message{Parts: []a2a.Part{a2a.TextPart(text)}}, SendOptions{})
	d.until("a task", func(it Item) bool { return it.Record.Kind == a2a.KindEvent })
	return id, d.state.Turn(id).Blocks[0].Task
}

func TestCancelEndsARunningTask(t *testing.T) {
	d := newDesk(t, nil)
	id := d.opened(agent(t, worker).URL)
	turn, task := d.working(id, "work")
	if !d.state.Turn(turn).Pending || d.state.Turn(turn).Conversation.Streams != 1 || !d.state.Turn(turn).Conversation.Stats.Open {
		t.Errorf("turn %+v while its stream is open", d.state.Turn(turn))
	}
	if got := d.Cancel(id, task.ID, 0); got != turn {
		t.Errorf("the cancel belongs to turn %d, want the task's own, %d", got, turn)
	}
	d.over(turn)
	if task.State != a2a.StateCanceled || d.state.Turn(turn).Pending {
		t.Errorf("task %v, turn pending %v", task.State, d.state.Turn(turn).Pending)
	}
	d.finish()
}

func TestStopEndsTheTurnAndSaysThatTheTaskMayGoOn(t *testing.T) {
	d := newDesk(t, nil)
	id := d.opened(agent(t, worker).URL)
	turn, task := d.working(id, "work")
	d.Stop(turn)
	sig := d.over(turn)
	got := problems(d.state.Turn(turn))
	if sig.Class != ProblemStopped || len(got) != 1 || got[0].Class != ProblemStopped || task.State != a2a.StateWorking {
		t.Errorf("over %+v, problems %+v, task %v", sig, got, task.State)
	}
	d.finish()
}

func TestATaskOfAnotherSessionGetsAConversation(t *testing.T) {
	first := newDesk(t, nil)
	a := agent(t, worker)
	turn, task := first.working(first.opened(a.URL), "work")
	first.Stop(turn)
	first.over(turn)

	d := newDesk(t, nil)
	id := d.opened(a.URL)
	got := d.Get(id, task.ID, nil)
	d.over(got)
	seen := d.state.Turn(got)
	if seen.Message != nil || len(seen.Blocks) != 1 || seen.Blocks[0].Task.State != a2a.StateWorking {
		t.Fatalf("turn %+v\n%s", seen, d.log())
	}
	if again := d.Subscribe(id, task.ID, 0); again != got {
		t.Errorf("the subscription belongs to turn %d, want %d", again, got)
	}
	if sig := d.over(got); sig.Sentence != "" {
		t.Errorf("over %+v", sig)
	}
	if t2 := seen.Blocks[0].Task; t2.State != a2a.StateCompleted || string(t2.Artifacts[0].Text) != "one two three four five\n" {
		t.Errorf("task %+v", t2)
	}
	missing := d.Get(id, "no-such-task", nil)
	if sig := d.over(missing); sig.Class != ProblemRPC || d.state.Task(id, "no-such-task") != nil {
		t.Errorf("a task that is nobody's: %+v", sig)
	}
	d.finish()
}

func TestAStreamThatIsNeverClosedIsClosedFromHere(t *testing.T) {
	d := newDesk(t, func(o *EngineOptions) { o.Grace = time.Millisecond })
	turn, sig := d.say(Target{Agent: d.opened(agent(t, worker).URL)}, "open", SendOptions{})
	if sig.Sentence != "" || len(problems(turn)) != 0 || turn.Conversation.Streams != 0 {
		t.Errorf("over %+v, problems %v\n%s", sig, problems(turn), d.log())
	}
	d.finish()
}

func TestATaskThatWaitsKeepsItsStreamButItsTurnIsOver(t *testing.T) {
	d := newDesk(t, func(o *EngineOptions) { o.Grace = time.Millisecond })
	turn, sig := d.say(Target{Agent: d.opened(agent(t, worker).URL)}, "ask", SendOptions{})
	if sig.Sentence != "" || turn.Pending || turn.Conversation.Streams != 1 {
		t.Errorf("over %+v, pending %v, streams %d", sig, turn.Pending, turn.Conversation.Streams)
	}
	d.finish()
}

func TestCloseEndsEverythingThatIsUnderWay(t *testing.T) {
	d := newDesk(t, nil)
	id := d.opened(agent(t, worker).URL)
	for range 5 {
		d.working(id, "work")
	}
	d.Close()
	d.Send(Target{Agent: id}, &a2a.Message{Parts: []a2a.Part{a2a.TextPart("too late")}}, SendOptions{})
	d.Open("http://127.0.0.1:1")
	d.finish()
	for _, c := range d.state.Agent(id).Conversations {
		if c.Streams != 0 || c.Turns[0].Pending {
			t.Errorf("conversation %d has %d streams open", c.ID, c.Streams)
		}
	}
}

func TestNothingRunsAfterClose(t *testing.T) {
	before := runtime.NumGoroutine()
	a := agent(t, worker)
	for range 5 {
		d := newDesk(t, nil)
		d.working(d.opened(a.URL), "work")
		d.Open("http://127.0.0.1:1")
		d.signal(SignalOpened)
		d.finish()
	}
	a.Close()
	// The transport's own goroutines end soon after their connections.
	for deadline := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before+1; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			buf := make([]byte, 1<<20)
			t.Fatalf("%d goroutines before, %d after\n%s", before, runtime.NumGoroutine(), buf[:runtime.Stack(buf, true)])
		}
	}
}
