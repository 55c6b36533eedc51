package session

import (
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"parley/a2a"
	"parley/a2a/a2atest"
	"parley/a2a/lint"
)

// A desk is an engine with everything around it: a journal on disk and a state
// that applies what the feed brings.
type desk struct {
	*Engine
	t       *testing.T
	feed    *Feed
	state   *State
	journal *Journal
	items   []Item
	changes []Change

	mu    sync.Mutex
	waits []time.Duration // asked of After, but for those of watching
}

const never = 1000 * time.Hour

// newDesk returns a desk on which nothing waits: polls come at once, a grace period never
// ends unless the test says so.
func newDesk(t *testing.T, change func(*EngineOptions)) *desk {
	t.Helper()
	d := &desk{t: t, feed: NewFeed(), state: NewState()}
	d.state.Check(lint.New())
	var err error
	d.journal, err = CreateJournal(filepath.Join(t.TempDir(), "s.jsonl"), JournalOptions{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	o := EngineOptions{
		Recorder:   NewRecorder(d.feed, d.journal),
		Now:        time.Now,
		After:      d.after,
		WatchEvery: 2 * time.Millisecond,
		Grace:      never,
		Idle:       never,
		NewID: func() string {
			d.mu.Lock()
			defer d.mu.Unlock()
			n++
			return fmt.Sprintf("id-%d", n)
		},
	}
	if change != nil {
		change(&o)
	}
	d.Engine = NewEngine(o)
	t.Cleanup(func() {
		d.Close()
		d.journal.Close()
	})
	return d
}

func (d *desk) after(wait time.Duration) <-chan time.Time {
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

// until applies what comes until an item satisfies is, and returns it.
func (d *desk) until(what string, is func(Item) bool) Item {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(d.t.Context(), time.Minute)
	defer cancel()
	for {
		items, err := d.feed.Next(ctx, 1)
		if err != nil {
			d.t.Fatalf("%s did not come: %v\n%s", what, err, d.log())
		}
		d.items = append(d.items, items...)
		d.changes = append(d.changes, d.state.Apply(items[0]))
		if is(items[0]) {
			return items[0]
		}
	}
}

func (d *desk) signal(kind SignalKind) Signal {
	d.t.Helper()
	it := d.until(fmt.Sprintf("signal %d", kind), func(it Item) bool { return it.Signal != nil && it.Signal.Kind == kind })
	return *it.Signal
}

// over waits until a turn is over.
func (d *desk) over(turn a2a.TurnID) Signal {
	d.t.Helper()
	it := d.until(fmt.Sprintf("the end of turn %d", turn), func(it Item) bool {
		return it.Signal != nil && it.Signal.Kind == SignalTurnOver && it.Signal.Turn == turn
	})
	return *it.Signal
}

// opened opens an agent and waits for its card.
func (d *desk) opened(ref string) a2a.AgentID {
	d.t.Helper()
	id := d.Open(ref)
	d.signal(SignalOpened)
	if a := d.state.Agent(id); a.Phase != Ready {
		d.t.Fatalf("agent %s is not ready: %+v", ref, a)
	}
	return id
}

// say sends a text and waits until its turn is over.
func (d *desk) say(t Target, text string, o SendOptions) (*Turn, Signal) {
	d.t.Helper()
	id := d.Send(t, &a2a.Message{Parts: []a2a.Part{a2a.TextPart(text)}}, o)
	sig := d.over(id)
	turn := d.state.Turn(id)
	if turn == nil {
		d.t.Fatalf("turn %d is not in the state\n%s", id, d.log())
	}
	return turn, sig
}

// log is what crossed the wire, for failures.
func (d *desk) log() string {
	var b strings.Builder
	for _, it := range d.items {
		if it.Signal != nil {
			fmt.Fprintf(&b, "      signal %d turn %d %q %v\n", it.Signal.Kind, it.Signal.Turn, it.Signal.Sentence, it.Signal.Changes)
			continue
		}
		fmt.Fprintf(&b, "%4d  x%-3d %-8s %s\n", it.Record.ID, it.Record.Exchange, it.Record.Kind, Describe(&it))
	}
	return b.String()
}

// finish ends the session and checks that its journal replays to the same state.
func (d *desk) finish() {
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
	_, linted := d.state.rules.(*lint.Linter)
	replayed := replay(d.t, d.journal.Path(), lint.New())
	if live, again := dump(d.state), dump(replayed); live != again {
		d.t.Errorf("the journal replays to another state:\n%s", difference(live, again))
	}
	if live, again := dumpStreams(d.state), dumpStreams(replayed); live != again {
		d.t.Errorf("the journal replays to other streams:\n%s", difference(live, again))
	}
	for id := a2a.RecordID(1); id <= a2a.RecordID(d.state.Log.Len()); id++ {
		live, again := d.state.Log.At(id), replayed.Log.At(id)
		if len(live.Update.Events) != len(again.Update.Events) || !slices.Equal(live.Update.Findings, again.Update.Findings) {
			d.t.Errorf("record %d (%s) means\n%+v\nlive and\n%+v\nreplayed", id, Describe(live), live.Update, again.Update)
		}
		if linted && !slices.Equal(live.Findings, again.Findings) {
			d.t.Errorf("in record %d (%s) there was found\n%+v\nlive and\n%+v\nreplayed", id, Describe(live), live.Findings, again.Findings)
		}
		if string(live.Record.Payload()) != string(again.Record.Payload()) {
			d.t.Errorf("record %d has payload %q live and %q replayed", id, live.Record.Payload(), again.Record.Payload())
		}
	}
}

func replayInto(t testing.TB, path string, feed *Feed, rules Checker) {
	t.Helper()
	recorded, err := OpenRecording(path)
	if err != nil {
		t.Fatal(err)
	}
	recorded.Check(rules)
	recorded.Replay(context.Background(), feed, Unpaced)
}

func replay(t *testing.T, path string, rules Checker) *State {
	t.Helper()
	feed := NewFeed()
	replayInto(t, path, feed, rules)
	feed.Close()
	s := NewState()
	s.Check(rules)
	for {
		items, err := feed.Next(context.Background(), 0)
		if err == io.EOF {
			return s
		}
		for _, it := range items {
			if it.Signal != nil {
				t.Errorf("replay says: %s", it.Signal.Sentence)
			}
			s.Apply(it)
		}
	}
}

// difference shows the first lines in which two texts differ.
func difference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range max(len(x), len(y)) {
		if i >= len(x) || i >= len(y) || x[i] != y[i] {
			from := max(i-3, 0)
			return strings.Join(x[from:min(i+3, len(x))], "\n") + "\n--- but replayed ---\n" + strings.Join(y[from:min(i+3, len(y))], "\n")
		}
	}
	return ""
}

// dump writes everything a screen could show of a state, but for what is true only
// while it happens.
func dump(s *State) string {
	var b strings.Builder
	for _, a := range s.Agents {
		phase, problem := a.Phase, a.Problem
		if phase == Unreachable && a.Card != nil { // the watcher may have said so, of whom no record tells
			phase, problem = Ready, ""
		}
		fmt.Fprintf(&b, "agent %d %s phase %d problem %q card %d %q\n", a.ID, a.Ref, phase, problem, a.CardRecord, a.CardChanges)
		fmt.Fprintf(&b, " profile %+v\n attempts %+v\n", a.Profile, a.Attempts)
		fmt.Fprintf(&b, " extensions %+v extended %v %q %q\n", a.Extensions, a.Extended.Stands, a.Extended.Changes, a.Extended.Why)
		if l := a.List; l != nil {
			fmt.Fprintf(&b, " list %+v next %q total %d begun %d told %d fresh %d asking %v\n", l.Filter, l.Next, l.Total, l.Begun, l.Told, l.Fresh, l.Asking)
			if l.Problem != nil {
				fmt.Fprintf(&b, "  problem %q\n", l.Problem.Sentence)
			}
			for _, t := range l.Tasks {
				fmt.Fprintf(&b, "  listed %s %s %s %q %d %d %d\n", t.ID, t.ContextID, t.StateWord(), t.Title, t.Artifacts, t.History, t.Record)
			}
		}
		for _, c := range a.Conversations {
			st := c.Stats
			fmt.Fprintf(&b, " conversation %d ctx %q title %q streams %d\n", c.ID, c.ContextID, c.Title, c.Streams)
			fmt.Fprintf(&b, "  stats x%d open %v events %d bytes %d %s %s recent %v end %+v\n",
				st.Exchange, st.Open, st.Events, st.Bytes, stamp(st.Start), stamp(st.Last), st.Recent, st.End)
			for _, t := range c.Turns {
				dumpTurn(&b, t)
			}
			for _, t := range c.Tasks {
				dumpTask(&b, t)
			}
		}
	}
	for _, t := range s.Waiting() {
		fmt.Fprintf(&b, "waiting %s\n", t.ID)
	}
	for i := range s.Log.Len() {
		id := a2a.RecordID(i + 1)
		at, ok := s.Anchor(id)
		it := s.Log.At(id)
		fmt.Fprintf(&b, "record %d x%d %s %s %v %v\n", id, it.Record.Exchange, stamp(it.Record.Time), Describe(it), at, ok)
	}
	return b.String()
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// dumpStreams leaves out times, which a journal keeps without the monotonic clock.
func dumpStreams(s *State) string {
	var b strings.Builder
	for _, id := range slices.Sorted(maps.Keys(s.Log.streams.all)) {
		st := s.Log.Stream(id)
		fmt.Fprintf(&b, "stream %d prev %d next %d events %d bytes %d %s end %+v\n", id, st.Prev, st.Next, st.Events, st.Bytes, st.State, st.End)
		for _, step := range st.Steps {
			fmt.Fprintf(&b, "  step %d %d-%d x%d %d B %s %q %d\n",
				step.Kind, step.From, step.To, step.Records, step.Bytes, step.State, step.Word, step.Artifacts)
		}
	}
	return b.String()
}

func dumpTurn(b *strings.Builder, t *Turn) {
	fmt.Fprintf(b, "  turn %d %+v record %d %s pending %v", t.ID, t.Target, t.Record, stamp(t.Time), t.Pending)
	if t.Message != nil {
		fmt.Fprintf(b, " says %q", t.Message.Text())
	}
	fmt.Fprintf(b, " extensions %+v\n", t.Extensions)
	for _, bl := range t.Blocks {
		name := "-"
		if bl.Task != nil {
			name = bl.Task.ID
		}
		fmt.Fprintf(b, "   block %s\n", name)
		for _, e := range bl.Entries {
			fmt.Fprintf(b, "    entry %d record %d %s replaced %v raw %q", e.Kind, e.Record, stamp(e.Time), e.Replaced, e.Raw)
			switch {
			case e.Message != nil:
				fmt.Fprintf(b, " message %s %q", e.Message.ID, e.Message.Text())
			case e.Artifact != nil:
				fmt.Fprintf(b, " artifact %s", e.Artifact.Key)
			case e.Problem != nil:
				fmt.Fprintf(b, " problem %q %q %s %d %v %d", e.Problem.Sentence, e.Problem.Detail, e.Problem.Class, e.Problem.Record, e.Problem.Err, e.Problem.Resumed)
			case e.Gap != nil:
				fmt.Fprintf(b, " gap %+v", *e.Gap)
			}
			fmt.Fprintf(b, " %s\n", e.State.Word)
		}
	}
}

func dumpTask(b *strings.Builder, t *Task) {
	fmt.Fprintf(b, "  task %s ctx %s scattered %d %v %q forgotten %v answered %v metadata %s\n",
		t.ID, t.ContextID, t.Scattered, t.State, t.Word, t.Forgotten, t.Answered, t.Metadata)
	fmt.Fprintf(b, "   asked %s %d open %v", t.Asked.Op, t.Asked.Record, t.Asked.Open)
	if t.Asked.Problem != nil {
		fmt.Fprintf(b, " %q", t.Asked.Problem.Sentence)
	}
	b.WriteByte('\n')
	if t.Prompt != nil {
		fmt.Fprintf(b, "   prompt %q\n", t.Prompt.Text())
	}
	for _, tr := range t.Transitions {
		fmt.Fprintf(b, "   %s %s %d\n", tr.Word, stamp(tr.Time), tr.Record)
	}
	for i := range t.History {
		fmt.Fprintf(b, "   history %s %q\n", t.History[i].ID, t.History[i].Text())
	}
	for _, a := range t.Artifacts {
		fmt.Fprintf(b, "   artifact %s %q %q chunks %d bytes %d sealed %v live %v reset %d revisions %d\n    text %q\n    spans %v\n",
			a.Key, a.Name, a.Description, a.Chunks, a.Bytes, a.Sealed, a.Live, a.Reset, len(a.Revisions), a.Text, a.Spans)
		for _, p := range a.Parts {
			fmt.Fprintf(b, "    part %d %d %v %s\n", p.Offset, p.Record, p.Part.Kind, p.Part.Data)
		}
	}
}

// agent starts a scripted agent; the script is the archive and what all of them
// have in common.
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

// commonFiles is an agent of 1.0 that streams, and what it says.
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
