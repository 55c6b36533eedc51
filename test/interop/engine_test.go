package interop

import (
	"context"
	"crypto/rand"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/a2a/lint"
	"parley/session/engine"
	"parley/session/journal"
	"parley/session/log"
	"parley/session/model"
)

// A harness is an engine with one open agent, and the state of its feed.
type harness struct {
	t      *testing.T
	engine *engine.Engine
	feed   *log.Feed
	state  *model.State
	over   map[a2a.TurnID]bool
	agent  a2a.AgentID
}

// A target is an agent's reference with the user's options for it.
type target struct {
	url  string
	pins a2a.Pins
	seen findings         // receives the findings; may be nil
	file *journal.Journal // records the session; may be nil
}

func (s *sdk) at(url string, seen findings) target {
	return target{url: url, pins: s.pins(url), seen: seen}
}

func open(t *testing.T, at target) *harness {
	t.Helper()
	feed := log.NewFeed()
	d := &harness{t: t, feed: feed, state: model.NewState(), over: map[a2a.TurnID]bool{}}
	d.engine = engine.New(engine.Base{
		Recorder: journal.NewRecorder(feed, at.file), Now: time.Now, After: time.After,
		NewID:  func() string { return strings.ToLower(rand.Text()) },
		Client: func(string) a2a.Options { return a2a.Options{Pins: at.pins, Carriers: carriers()} },
	}, engine.Use{Scripted: true, Poll: 20 * time.Millisecond})
	d.state.Check(lint.New())
	t.Cleanup(func() {
		if at.seen != nil {
			at.seen.addLog(d.state.Log)
		}
	})
	t.Cleanup(d.engine.Close)
	d.agent = d.engine.Open(at.url)
	d.until("the agent is ready", func() bool {
		a := d.state.Agent(d.agent)
		return a != nil && a.Phase == model.Ready
	})
	return d
}

// until applies items until ok, or fails with the records so far.
func (d *harness) until(what string, ok func() bool) {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for !ok() {
		items, err := d.feed.Next(ctx, 1)
		if err != nil {
			d.t.Fatalf("got error %v, want that %s\n%s", err, what, d.wire())
		}
		for _, it := range items {
			d.state.Apply(it)
			if s := it.Signal; s != nil && s.Kind == log.SignalTurnOver {
				d.over[s.Turn] = true
			}
		}
	}
}

// hasEnded reports whether an operation, or the check of a stream, has ended regularly.
func (d *harness) hasEnded(op a2a.Op, check bool) bool {
	for id := a2a.RecordID(1); int(id) <= d.state.Log.Len(); id++ {
		r := &d.state.Log.At(id).Record
		if r.Kind == a2a.KindEnd && r.Call.Op == op && r.Call.Check == check && r.End.Reason == a2a.Ended {
			return true
		}
	}
	return false
}

// wire lists the records for a failure message.
func (d *harness) wire() string {
	var b strings.Builder
	for i := 1; i <= d.state.Log.Len(); i++ {
		it := d.state.Log.At(a2a.RecordID(i))
		fmt.Fprintf(&b, "%3d %s %.300s\n", i, log.Describe(it), it.Record.Payload())
	}
	return b.String()
}

func (d *harness) send(to model.Target, text string, stream a2a.Tri) a2a.TurnID {
	to.Agent = d.agent
	if to.Conversation == 0 {
		to.Conversation = d.engine.NewConversation(d.agent)
	}
	m := &a2a.Message{Role: a2a.RoleUser, Parts: []a2a.Part{a2a.TextPart(text)}}
	return d.engine.Send(to, m, model.SendOptions{Stream: stream})
}

func (d *harness) wait(turn a2a.TurnID) *model.Turn {
	d.t.Helper()
	d.until("the turn is over", func() bool { return d.over[turn] })
	return d.state.Turn(turn)
}

// task returns the task of a turn.
func (d *harness) task(turn a2a.TurnID) *model.Task {
	d.t.Helper()
	if t := d.state.Turn(turn); t != nil {
		for _, b := range t.Blocks {
			if b.Task != nil {
				return b.Task
			}
		}
	}
	d.t.Fatalf("turn %d: got no task, want one\n%s", turn, d.wire())
	return nil
}

func (d *harness) noProblem(turn a2a.TurnID) {
	d.t.Helper()
	for _, b := range d.state.Turn(turn).Blocks {
		for _, e := range b.Entries {
			if e.Problem != nil {
				d.t.Errorf("got a problem: %s\n%s", e.Problem.Sentence, d.wire())
			}
		}
	}
}

// TestOfficialSDKs starts each agent once and runs the tests of the engine, the client and the
// built program on it.
func TestOfficialSDKs(t *testing.T) {
	parley := build(t, filepath.Join("..", ".."), ".")
	decoder := build(t, filepath.Join("agents", "a2a-go-2.4.0"), "./decoder")
	for _, s := range sdks {
		t.Run(s.module, func(t *testing.T) {
			t.Parallel()
			url := start(t, s.module)
			checkAgent(t, url, s)
			t.Run("command", func(t *testing.T) { command(t, parley, decoder, url, s) })
			for _, other := range slices.Concat(restSDKs, grpcSDKs) {
				if other.module != s.module {
					continue
				}
				t.Run(string(other.dialect)+other.path, func(t *testing.T) {
					checkAgent(t, url, other)
					command(t, parley, decoder, url, other)
				})
			}
		})
	}
}

// checkAgent tests the engine and a client on an agent, and compares the findings with the
// known ones.
func checkAgent(t *testing.T, url string, s sdk) {
	seen, all := findings{}, 0
	t.Run("engine", func(t *testing.T) {
		if newEngine(t, s.at(url, seen), s) {
			all++
		}
	})
	t.Run("operations", func(t *testing.T) {
		if operations(t, url, s, seen) {
			all++
		}
	})
	// These requests are wrong on purpose, so findings are ignored.
	t.Run("further messages", func(t *testing.T) { opFollow(s.connect(t, url), s) })
	t.Run("references", func(t *testing.T) { opRefer(s.connect(t, url), s) })
	if all == 2 {
		seen.compare(t, s.module+" "+string(s.dialect))
	}
}

// newEngine tests everything that a user does with an agent. It reports whether all of it ran.
func newEngine(t *testing.T, at target, s sdk) bool {
	tests := map[string]func(*testing.T){
		"card":             func(t *testing.T) { card(t, at, s) },
		"stream":           func(t *testing.T) { stream(t, at, a2a.True) },
		"without a stream": func(t *testing.T) { stream(t, at, a2a.False) },
		"blocking":         func(t *testing.T) { sendWithOptions(t, at, true) },
		"non-blocking":     func(t *testing.T) { sendWithOptions(t, at, false) },
		"several turns":    func(t *testing.T) { several(t, at) },
		"cancel":           func(t *testing.T) { cancel(t, at) },
		"subscribe":        func(t *testing.T) { subscribe(t, at) },
		"unknown task":     func(t *testing.T) { unknown(t, at) },
		"other tasks":      func(t *testing.T) { checkOtherClient(t, at, s) },
		"in confidence":    func(t *testing.T) { confide(t, at) },
		"extended card":    func(t *testing.T) { checkExtendedCard(t, at, s) },
		"finished task":    func(t *testing.T) { checkFinished(t, at, s) },
	}
	if s.messages {
		tests["message"] = func(t *testing.T) { message(t, at) }
	}
	if s.signs != "" {
		tests["signing in elsewhere"] = func(t *testing.T) { signIn(t, at, s) }
	}
	if s.pushes {
		tests["push notifications"] = func(t *testing.T) { checkPush(t, at) }
	}
	ran := 0
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			ran++
			test(t)
		})
	}
	return ran == len(tests)
}

// sendWithOptions sends a message with every option, and waits for the answer or polls the task. An
// agent that was asked to wait should not need a poll.
func sendWithOptions(t *testing.T, at target, wait bool) {
	d, length := open(t, at), 1
	o := model.SendOptions{Stream: a2a.False, Config: a2a.SendConfig{
		Wait: wait, AcceptedOutputModes: []string{"text/plain"}, HistoryLength: &length, Metadata: []byte(`{"trace":"x"}`),
	}}
	m := &a2a.Message{Role: a2a.RoleUser, Parts: []a2a.Part{a2a.TextPart("count 3")}, Metadata: []byte(`{"draft":true}`)}
	turn := d.engine.Send(model.Target{Agent: d.agent, Conversation: d.engine.NewConversation(d.agent)}, m, o)
	d.wait(turn)
	d.noProblem(turn)
	if task := d.task(turn); task.State != a2a.StateCompleted || len(task.Artifacts) == 0 {
		t.Errorf("got task %s with %d artifacts, want it completed with one\n%s", task.StateWord(), len(task.Artifacts), d.wire())
	}
	spoken, _ := d.state.Agent(d.agent).Profile.Spoken()
	if gets := d.hasEnded(a2a.OpGet, false); wait && gets && spoken.SendMember(a2a.MemberWait) != "" {
		t.Errorf("got a get although the agent was asked to wait\n%s", d.wire())
	}
}

func card(t *testing.T, at target, s sdk) {
	d := open(t, at)
	a := d.state.Agent(d.agent)
	p := a.Profile
	if p.Dialect.Number() != s.dialect.Number() || p.Binding != s.binding() {
		t.Errorf("got %s over %s, want %s\n%v", p.Dialect, p.Binding, s.dialect, p.Evidence)
	}
	if !a.Profile.Streaming || len(a.Card.Skills) != 1 {
		t.Errorf("got card %+v, want streaming and one skill", a.Card)
	}
	if len(a.Card.Unknown) != 0 {
		t.Errorf("got unknown members %v, want none", a.Card.Unknown)
	}
}

func message(t *testing.T, at target) {
	d := open(t, at)
	turn := d.wait(d.send(model.Target{}, "hello", a2a.Absent))
	d.noProblem(turn.ID)
	if len(turn.Blocks) != 1 || turn.Blocks[0].Task != nil || len(turn.Blocks[0].Entries) != 1 {
		t.Fatalf("got blocks %+v, want one message\n%s", turn.Blocks, d.wire())
	}
	if got := turn.Blocks[0].Entries[0].Message.Text(); got != "Hello from the SDK" {
		t.Errorf("got message %q, want Hello from the SDK", got)
	}
}

func stream(t *testing.T, at target, streaming a2a.Tri) {
	d := open(t, at)
	turn := d.wait(d.send(model.Target{}, "count 5", streaming))
	d.noProblem(turn.ID)
	task := d.task(turn.ID)
	if task.State != a2a.StateCompleted {
		t.Errorf("got state %s, want completed\n%s", task.State, d.wire())
	}
	if len(task.Artifacts) != 1 || string(task.Artifacts[0].Text) != "1 2 3 4 5 " {
		t.Fatalf("got artifacts %+v, want one with 1 to 5\n%s", task.Artifacts, d.wire())
	}
	if streaming == a2a.True && d.hasEnded(a2a.OpStream, false) { // some servers never close
		d.until("the task was compared with its stream", func() bool { return d.hasEnded(a2a.OpGet, true) })
	}
	if a := task.Artifacts[0]; streaming == a2a.True && (a.Chunks != 5 || !a.Sealed || a.Live) {
		t.Errorf("got %d chunks, sealed %v, live %v, want 5, true, false", a.Chunks, a.Sealed, a.Live)
	}
}

func several(t *testing.T, at target) {
	d := open(t, at)
	first := d.wait(d.send(model.Target{}, "ask me", a2a.Absent))
	task := d.task(first.ID)
	if task.State != a2a.StateInputRequired || task.Prompt == nil || task.Prompt.Text() != "Which dates?" {
		t.Fatalf("got state %s and prompt %+v, want a question about dates\n%s", task.State, task.Prompt, d.wire())
	}
	conv := task.Conversation
	to := model.Target{Conversation: conv.ID, TaskID: task.ID, ContextID: task.ContextID}
	second := d.wait(d.send(to, "10 to 17 October", a2a.Absent))
	d.noProblem(second.ID)
	if d.task(second.ID) != task {
		t.Errorf("got another task for the answer\n%s", d.wire())
	}
	if task.State != a2a.StateCompleted || len(task.Artifacts) != 1 || string(task.Artifacts[0].Text) != "You said 10 to 17 October" {
		t.Fatalf("got state %s and artifacts %+v, want the answer\n%s", task.State, task.Artifacts, d.wire())
	}
	third := d.wait(d.send(model.Target{Conversation: conv.ID, ContextID: conv.ContextID}, "count 2", a2a.Absent))
	if next := d.task(third.ID); next == task || next.ContextID != task.ContextID {
		t.Errorf("third turn: got task %s in context %s, want a new task in the same context\n%s", next.ID, next.ContextID, d.wire())
	}
}

func cancel(t *testing.T, at target) {
	d := open(t, at)
	turn := d.send(model.Target{}, "wait", a2a.Absent)
	d.until("the task works", func() bool {
		tr := d.state.Turn(turn)
		return tr != nil && len(tr.Blocks) > 0 && tr.Blocks[0].Task != nil && tr.Blocks[0].Task.State == a2a.StateWorking
	})
	task := d.task(turn)
	d.engine.Cancel(d.agent, task.ID, task.Conversation.ID)
	d.until("the task is canceled", func() bool { return task.State == a2a.StateCanceled })
	d.wait(turn)
}

func subscribe(t *testing.T, at target) {
	for n := 60; ; n *= 4 {
		same, wire := subscribeWhileCounting(t, at, n)
		if same != nil && same.State == a2a.StateCompleted {
			return
		}
		if n > 1000 { // else it may have ended before the second subscription
			t.Fatalf("got subscribed task %+v, want chunks\n%s", same, wire)
		}
	}
}

// subscribeWhileCounting subscribes to a task that counts to n, and returns the task as the
// subscriber saw it.
func subscribeWhileCounting(t *testing.T, at target, n int) (same *model.Task, wire string) {
	d := open(t, at)
	turn := d.send(model.Target{}, fmt.Sprintf("count %d", n), a2a.Absent)
	d.until("chunks come", func() bool {
		tr := d.state.Turn(turn)
		return tr != nil && len(tr.Blocks) > 0 && tr.Blocks[0].Task != nil &&
			len(tr.Blocks[0].Task.Artifacts) > 0 && tr.Blocks[0].Task.Artifacts[0].Chunks > 3
	})
	task := d.task(turn)
	other := open(t, at) // another client that knows only the task's id
	sub := other.engine.Subscribe(other.agent, task.ID, other.engine.NewConversation(other.agent), true)
	d.wait(turn)
	if task.State != a2a.StateCompleted {
		t.Errorf("got state %s at the sender, want completed\n%s", task.State, d.wire())
	}
	stop := time.AfterFunc(10*time.Second, func() { other.engine.Stop(sub) }) // some servers ignore late subscribers
	defer stop.Stop()
	other.wait(sub)
	if !other.receivedChunks() {
		return nil, other.wire()
	}
	return other.state.Task(other.agent, task.ID), other.wire()
}

// receivedChunks reports whether a subscription received chunks.
func (d *harness) receivedChunks() bool {
	for id := a2a.RecordID(1); int(id) <= d.state.Log.Len(); id++ {
		it := d.state.Log.At(id)
		if it.Record.Kind != a2a.KindEvent || it.Record.Call.Op != a2a.OpSubscribe {
			continue
		}
		for i := range it.Update.Events {
			if it.Update.Events[i].Kind == a2a.EventArtifact {
				return true
			}
		}
	}
	return false
}

func unknown(t *testing.T, at target) {
	d := open(t, at)
	d.wait(d.engine.Get(d.agent, "no-such-task", 0, nil))
	for i := 1; i <= d.state.Log.Len(); i++ {
		for _, ev := range d.state.Log.At(a2a.RecordID(i)).Update.Events {
			if ev.Kind == a2a.EventError && ev.Err.Name == "TaskNotFoundError" {
				return
			}
		}
	}
	t.Errorf("got no TaskNotFoundError\n%s", d.wire())
}
