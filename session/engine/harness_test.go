package engine

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"parley/a2a"
	"parley/a2a/a2atest"
	"parley/a2a/grpc"
	"parley/a2a/lint"
	"parley/session/journal"
	"parley/session/log"
	"parley/session/model"
	"parley/session/problem"
	"parley/session/sessiontest"
	"parley/session/task"
)

// A harness is an engine with a journal on disk, a feed, and a state that applies the items of
// the feed.
type harness struct {
	*Engine
	t       *testing.T
	feed    *log.Feed
	state   *model.State
	rules   log.Checker
	journal *journal.Journal
	items   []log.Item
	changes []model.Change

	mu    sync.Mutex
	waits []time.Duration // passed to After, without those of watching
}

const never = 1000 * time.Hour

// newHarness returns a harness without waits: polls come at once, and a grace period never ends
// unless the test says so.
func newHarness(t *testing.T, change func(*options)) *harness {
	t.Helper()
	d := &harness{t: t, feed: log.NewFeed(), state: model.NewState()}
	d.setRules(lint.New())
	var err error
	d.journal, err = journal.Create(filepath.Join(t.TempDir(), "s.jsonl"), journal.Options{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	return d.start(options{Base: Base{Recorder: journal.NewRecorder(d.feed, d.journal)}}, "id", change)
}

// start starts the engine of a harness that has a journal. Its ids are the prefix and a number.
func (d *harness) start(o options, prefix string, change func(*options)) *harness {
	n := 0
	o.PollMin, o.PollMax = time.Second, 30*time.Second
	o.Now, o.After, o.WatchEvery, o.Grace, o.ResultWait, o.Idle = time.Now, d.after, 2*time.Millisecond, never, never, never
	o.NewID = func() string {
		d.mu.Lock()
		defer d.mu.Unlock()
		n++
		return fmt.Sprintf("%s-%d", prefix, n)
	}
	if change != nil {
		change(&o)
	}
	o.AskGrace, o.Idle = cmp.Or(o.AskGrace, o.Grace), cmp.Or(o.Idle, a2a.StallAfter)
	o.Secrets = cmp.Or(o.Secrets, &a2a.Secrets{})
	d.Engine = newEngine(o)
	d.t.Cleanup(func() {
		d.Close()
		d.journal.Close()
	})
	return d
}

func (d *harness) after(wait time.Duration) <-chan time.Time {
	switch {
	case wait >= never:
		return nil
	case wait < 100*time.Millisecond:
		return time.After(wait)
	}
	d.mu.Lock()
	d.waits = append(d.waits, wait)
	d.mu.Unlock()
	c := make(chan time.Time, 1)
	c <- time.Time{}
	return c
}

// until applies items until one satisfies is, and returns it.
func (d *harness) until(what string, is func(log.Item) bool) log.Item {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(d.t.Context(), time.Minute)
	defer cancel()
	for {
		items, err := d.feed.Next(ctx, 1)
		if err != nil {
			d.t.Fatalf("waiting for %s: %v\n%s", what, err, d.log())
		}
		d.items = append(d.items, items...)
		d.changes = append(d.changes, d.state.Apply(items[0]))
		if is(items[0]) {
			return items[0]
		}
	}
}

// waitForSignal waits for a signal of a kind.
func (d *harness) waitForSignal(kind log.SignalKind) log.Signal {
	d.t.Helper()
	it := d.until(fmt.Sprintf("signal %d", kind), func(it log.Item) bool { return it.Signal != nil && it.Signal.Kind == kind })
	return *it.Signal
}

// waitForTurnEnd waits until a turn is over.
func (d *harness) waitForTurnEnd(turn a2a.TurnID) log.Signal {
	d.t.Helper()
	it := d.until(fmt.Sprintf("the end of turn %d", turn), func(it log.Item) bool {
		return it.Signal != nil && it.Signal.Kind == log.SignalTurnOver && it.Signal.Turn == turn
	})
	return *it.Signal
}

// openAgent opens an agent and waits for its card.
func (d *harness) openAgent(ref string) a2a.AgentID {
	d.t.Helper()
	id := d.Open(ref)
	d.until("the card of "+ref, func(it log.Item) bool { // not of another agent
		return it.Signal != nil && it.Signal.Kind == log.SignalOpened && it.Signal.Agent == id
	})
	if a := d.state.Agent(id); a.Phase != model.Ready {
		d.t.Fatalf("got agent %s %+v, want it ready", ref, a)
	}
	return id
}

// sendText sends a text and waits until its turn is over.
func (d *harness) sendText(t model.Target, text string, o model.SendOptions) (*model.Turn, log.Signal) {
	d.t.Helper()
	id := d.Send(t, &a2a.Message{Parts: []a2a.Part{a2a.TextPart(text)}}, o)
	sig := d.waitForTurnEnd(id)
	turn := d.state.Turn(id)
	if turn == nil {
		d.t.Fatalf("got no turn %d in the state, want it\n%s", id, d.log())
	}
	return turn, sig
}

// log describes the items for failure messages.
func (d *harness) log() string {
	var b strings.Builder
	for _, it := range d.items {
		if it.Signal != nil {
			fmt.Fprintf(&b, "      signal %d turn %d %q %v\n", it.Signal.Kind, it.Signal.Turn, it.Signal.Sentence, it.Signal.Changes)
			continue
		}
		fmt.Fprintf(&b, "%4d  x%-3d %-8s %s\n", it.Record.ID, it.Record.Exchange, it.Record.Kind, log.Describe(&it))
	}
	return b.String()
}

// compareOutcomes compares what the notes say that the turns came to with what follows from the other
// records alone, as in a session that an older version recorded.
func (d *harness) compareOutcomes() {
	d.t.Helper()
	derived, turns, tried := model.NewState(), map[a2a.TurnID]bool{}, map[a2a.TurnID]int{}
	for _, it := range d.items {
		if n := it.Record.Note; n != nil && n.Type == log.NoteOutcome {
			turn := log.IDIn[a2a.TurnID](n.Attrs, log.AttrTurn)
			tried[turn], _ = strconv.Atoi(n.Attrs[log.AttrTried])
			turns[turn] = true
			it.Record.Note = &a2a.Note{Type: "none"}
		}
		derived.Apply(it)
	}
	for id := range turns {
		noted, over := d.state.Turn(id).Outcome()
		got, _ := derived.Turn(id).Outcome()
		if n := len(got.Attempts) + got.More; tried[id] > n {
			d.t.Errorf("turn %d: the note counts %d attempts, the records have %d", id, tried[id], n)
		}
		stopped := noted.Kind == task.Stopped && noted.Class == problem.ClassStopped // which no record says
		if !over || got.Kind != noted.Kind && !stopped || got.Delivery != noted.Delivery || describeAttempts(got) != describeAttempts(noted) {
			d.t.Errorf("turn %d: the note says %s, %s:%s\nthe records say %s, %s:%s", id, noted.Kind, noted.Delivery, describeAttempts(noted), got.Kind, got.Delivery, describeAttempts(got))
		}
	}
}

// compareTasks compares what the engine decided about tasks with what the tracker did.
func (d *harness) compareTasks() {
	d.t.Helper()
	d.Engine.mu.Lock()
	defer d.Engine.mu.Unlock()
	for id, a := range d.Engine.agents {
		for name, known := range a.tasks {
			if t := d.state.Task(id, name); t != nil && (t.State != known.State || t.Over() != known.Over()) {
				d.t.Errorf("task %s: the engine says %v, over %v, the state %v, over %v", name, known.State, known.Over(), t.State, t.Over())
			}
		}
	}
}

func describeAttempts(o task.Outcome) string {
	var b strings.Builder
	for _, a := range o.Attempts {
		fmt.Fprintf(&b, "\n  #%d %s %s", a.Exchange, a.Why, a.Delivery)
	}
	return b.String()
}

// givenBack returns the turn whose message returns to the user with a change, nil if none does.
func givenBack(ch model.Change) *model.Turn {
	if ch.Over == nil {
		return nil
	}
	if o, _ := ch.Over.Outcome(); !o.Returns() {
		return nil
	}
	return ch.Over
}

// finish ends the session and checks that its journal replays to the same state.
func (d *harness) finish() {
	d.t.Helper()
	d.Close()
	d.feed.Close()
	for {
		items, err := d.feed.Next(context.Background(), 0)
		if err == io.EOF {
			break
		}
		for _, it := range items {
			d.items = append(d.items, it)
			d.state.Apply(it)
		}
	}
	if err := d.journal.Close(); err != nil {
		d.t.Fatal(err)
	}
	d.compareOutcomes()
	d.compareTasks()
	_, linted := d.rules.(*lint.Linter)
	recording, err := journal.Open(d.journal.Path())
	if err != nil {
		d.t.Fatal(err)
	}
	recording.Render(map[a2a.Binding]a2a.Format{a2a.BindingGRPC: grpc.NewFormat()})
	replayed := sessiontest.ReplayState(d.t, recording, lint.New())
	if live, again := sessiontest.Dump(d.state), sessiontest.Dump(replayed); live != again {
		d.t.Errorf("the journal replays to another state:\n%s", sessiontest.Difference(live, again))
	}
	if live, again := sessiontest.DumpStreams(d.state), sessiontest.DumpStreams(replayed); live != again {
		d.t.Errorf("the journal replays to other streams:\n%s", sessiontest.Difference(live, again))
	}
	for id := a2a.RecordID(1); id <= a2a.RecordID(d.state.Log.Len()); id++ {
		live, again := d.state.Log.At(id), replayed.Log.At(id)
		if len(live.Update.Events) != len(again.Update.Events) || !slices.Equal(live.Update.Findings, again.Update.Findings) {
			d.t.Errorf("record %d (%s): got update\n%+v\nlive and\n%+v\nreplayed", id, log.Describe(live), live.Update, again.Update)
		}
		if linted && !slices.Equal(live.Findings, again.Findings) {
			d.t.Errorf("record %d (%s): got findings\n%+v\nlive and\n%+v\nreplayed", id, log.Describe(live), live.Findings, again.Findings)
		}
		if string(live.Record.Payload()) != string(again.Record.Payload()) {
			d.t.Errorf("record %d: got payload %q live and %q replayed", id, live.Record.Payload(), again.Record.Payload())
		}
	}
}

// await returns what comes on a channel; what it waits for is in the failure after a minute.
func await[T any](t *testing.T, c <-chan T, what string) T {
	t.Helper()
	select {
	case got := <-c:
		return got
	case <-time.After(time.Minute):
		t.Fatalf("after a minute: got nothing, want %s", what)
		panic("unreachable")
	}
}

// setRules makes the state, and the replay at the end, check records by these rules.
func (d *harness) setRules(rules log.Checker) {
	d.rules = rules
	d.state.Check(rules)
}

// agent starts a scripted agent; its script is the archive after the files that all scripts
// share.
func agent(t *testing.T, archive string) *a2atest.Agent {
	t.Helper()
	own := txtar.Parse([]byte(archive))
	for _, f := range txtar.Parse([]byte(commonFiles)).Files {
		if !slices.ContainsFunc(own.Files, func(o txtar.File) bool { return o.Name == f.Name }) {
			own.Files = append(own.Files, f)
		}
	}
	s, err := a2atest.Parse("tester", txtar.Format(own))
	if err != nil {
		t.Fatal(err)
	}
	a, err := a2atest.Start(context.Background(), s, a2atest.Options{Record: true, Pace: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	return a
}

// commonFiles is an agent of 1.0 that streams, with its messages.
const commonFiles = `
-- agent --
name Tester
dialect 1.0
endpoint /rpc
answer task
serve /.well-known/agent-card.json card application/json
-- card --
{"name":"Tester","description":"tests","version":"1.{{restarts}}","supportedInterfaces":[{"url":"{{origin}}/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],
"capabilities":{"streaming":{{streaming}}},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":[{"id":"a","name":"A","description":"a","tags":[]}]}
-- streaming --
true
-- state --
TASK_STATE_SUBMITTED
-- artifacts --
-- task --
{"jsonrpc":"2.0","id":{{id}},"result":{"task":{"id":"{{task}}","contextId":"{{context}}","status":{"state":"{{state}}"},"artifacts":[{{artifacts}}]}}}
-- bare --
{"jsonrpc":"2.0","id":{{id}},"result":{"id":"{{task}}","contextId":"{{context}}","status":{"state":"{{state}}"},"artifacts":[{{artifacts}}]}}
-- etask --
data: {"jsonrpc":"2.0","id":{{id}},"result":{"task":{"id":"{{task}}","contextId":"{{context}}","status":{"state":"{{state}}"}}}}

-- estatus --
data: {"jsonrpc":"2.0","id":{{id}},"result":{"statusUpdate":{"taskId":"{{task}}","contextId":"{{context}}","status":{"state":"{{state}}"}}}}

-- easks --
data: {"jsonrpc":"2.0","id":{{id}},"result":{"statusUpdate":{"taskId":"{{task}}","contextId":"{{context}}","status":{"state":"TASK_STATE_INPUT_REQUIRED","message":{"messageId":"{{uuid}}","role":"ROLE_AGENT","parts":[{"text":"Which dates?"}]}}}}}

-- echunk --
data: {"jsonrpc":"2.0","id":{{id}},"result":{"artifactUpdate":{"taskId":"{{task}}","contextId":"{{context}}","append":{{append}},"lastChunk":{{last}},"artifact":{"artifactId":"{{file}}","name":"{{file}}","parts":[{"text":"{{chunk}}"}]}}}}

-- elate --
data: {"jsonrpc":"2.0","id":{{id}},"result":{"artifactUpdate":{"taskId":"{{task}}","contextId":"{{context}}","append":true,"artifact":{"artifactId":"poem.md","parts":[{"text":"And late."}]}}}}

-- ebad --
data: {"jsonrpc":"2.0","id":{{id}},"result":{"statusUpdate":

-- etorn --
data: {"jsonrpc":"2.0","id":{{id}},"result":{"statusUp{{end}}
-- unsupported --
{"jsonrpc":"2.0","id":{{id}},"error":{"code":-32004,"message":"no streams here"}}
-- missing --
{"jsonrpc":"2.0","id":{{id}},"error":{"code":-32001,"message":"Task not found"}}
-- poem.md --
The tide
comes **in**
and goes out.
-- notes.md --
one two three four five
`

// newestNote returns the newest note of a type.
func (d *harness) newestNote(kind string) *log.Item {
	d.t.Helper()
	for id := a2a.RecordID(d.state.Log.Len()); id > 0; id-- {
		if it := d.state.Log.At(id); it.Record.Note != nil && it.Record.Note.Type == kind {
			return it
		}
	}
	d.t.Fatalf("there is no note %q", kind)
	return nil
}
