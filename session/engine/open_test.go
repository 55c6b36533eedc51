package engine

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/session/journal"
	"parley/session/log"
	"parley/session/model"
	"parley/session/sessiontest"
)

func TestARefusedConnectionGivesTheDraftBackAndTheAgentIsWatched(t *testing.T) {
	t.Parallel()
	d := newHarness(t, nil)
	a := agent(t, asker)
	id := d.openAgent(a.URL)
	first, _ := d.sendText(model.Target{Agent: id}, "book", model.SendOptions{})
	task := first.Blocks[0].Task
	back := a.Leave()
	var turn *model.Turn
	var sig log.Signal
	for range 5 { // a pooled connection may have to break first
		turn, sig = d.sendText(model.Target{Agent: id, Conversation: first.Conversation.ID}, "book", model.SendOptions{})
		if sig.Class == a2a.ClassRefused {
			break
		}
	}
	if sig.Class != a2a.ClassRefused || len(sessiontest.Problems(turn)) != 1 || sessiontest.Problems(turn)[0].Class != a2a.ClassRefused {
		t.Fatalf("got turn end %+v, problems %+v; want one of class refused\n%s", sig, sessiontest.Problems(turn), d.log())
	}
	if !slices.ContainsFunc(d.changes, func(c model.Change) bool { return givenBack(c) == turn }) {
		t.Error("got no change that returns the draft, want one")
	}
	if got := d.state.Agent(id); got.Phase != model.Unreachable || got.Problem == "" {
		t.Errorf("got agent phase %v, problem %q; want unreachable with a sentence", got.Phase, got.Problem)
	}
	back()
	returned := d.waitForSignal(log.SignalBack)
	if len(returned.Changes) != 1 || !strings.Contains(returned.Changes[0].Sentence, `version is now "1.1"`) {
		t.Errorf("got changes %+v, want the new version alone", returned.Changes)
	}
	if got := d.state.Agent(id); got.Phase != model.Ready || got.Problem != "" || len(got.CardChanges) != 1 || got.Card.Version != "1.1" {
		t.Errorf("got agent %+v, want ready with card version 1.1 and one change", got)
	}
	// The agent was restarted and has forgotten the task, which Parley notices at once.
	forgotten := d.waitForSignal(log.SignalTaskForgotten)
	if forgotten.TaskID != task.ID || !task.Forgotten || len(d.state.Waiting()) != 0 {
		t.Errorf("got signal %+v, task %+v; want the task forgotten and not waiting", forgotten, task)
	}
	answer, _ := d.sendText(model.Target{Agent: id, Conversation: first.Conversation.ID, TaskID: task.ID}, "in May", model.SendOptions{})
	if !slices.ContainsFunc(d.changes, func(c model.Change) bool { return givenBack(c) == answer }) || len(task.Conversation.Tasks) != 1 {
		t.Error("got an answer to a forgotten task that was lost or started a task, want the draft back")
	}
	d.finish()
}

func TestAnAgentThatIsNotThereYetIsOpenedWhenItComes(t *testing.T) {
	t.Parallel()
	address := reservePort(t)
	d := newHarness(t, nil)
	id := d.Open("http://" + address)
	if sig := d.waitForSignal(log.SignalOpened); sig.Class != a2a.ClassRefused || sig.Sentence == "" || len(sig.Attempts) == 0 {
		t.Fatalf("got signal %+v, want class refused with a sentence and attempts", sig)
	}
	if a := d.state.Agent(id); a.Phase != model.Unreachable || a.Problem == "" || len(a.Attempts) == 0 {
		t.Errorf("got agent %+v, want unreachable with a problem and attempts", a)
	}
	d.waitForSignal(log.SignalWatch)
	l := listenAt(t, address)
	card := strings.NewReplacer("{{origin}}", "http://"+address).Replace(
		`{"name":"Late","description":"d","version":"1","supportedInterfaces":[{"url":"{{origin}}/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],"capabilities":{},"skills":[]}`)
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, card) }), ReadHeaderTimeout: time.Second}
	go srv.Serve(l)
	t.Cleanup(func() { srv.Close() })
	d.waitForSignal(log.SignalBack)
	if a := d.state.Agent(id); a.Phase != model.Ready || a.Name() != "Late" {
		t.Errorf("got agent %+v, want Late, ready", a)
	}
	d.finish()
}

func TestAnAgentWithoutACardSaysWhy(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(srv.Close)
	d := newHarness(t, nil)
	id := d.Open(srv.URL)
	sig := d.waitForSignal(log.SignalOpened)
	if a := d.state.Agent(id); a.Phase != model.Failed || a.Problem != sig.Sentence || sig.Sentence == "" || len(a.Attempts) < 2 {
		t.Errorf("got agent %+v, signal %+v; want failed with the signal's sentence and several attempts", a, sig)
	}
	turn, over := d.sendText(model.Target{Agent: id}, "hello?", model.SendOptions{})
	if over.Sentence == "" || len(sessiontest.Problems(turn)) != 1 || turn.Message.Text() != "hello?" {
		t.Errorf("got turn end %+v, turn %+v; want a failure, one problem and the message", over, turn)
	}
	if last := d.changes[len(d.changes)-2]; givenBack(last) != turn {
		t.Errorf("got change %+v, want one that returns the draft", last)
	}
	d.finish()
}

func TestACardArrayOpensAnAgentForEach(t *testing.T) {
	t.Parallel()
	card := `{"name":"%s","description":"d","version":"1","url":"http://x.invalid/","protocolVersion":"0.3.0","capabilities":{},"skills":[]}`
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/.well-known/agent-card.json" {
			http.NotFound(w, r)
			return
		}
		fmt.Fprintf(w, "["+card+","+card+"]", "One", "Two")
	}))
	t.Cleanup(srv.Close)
	d := newHarness(t, nil)
	d.Open(srv.URL + "/agents/one")
	d.waitForSignal(log.SignalOpened)
	d.waitForSignal(log.SignalOpened)
	var names []string
	for _, a := range d.state.Agents {
		names = append(names, a.Name())
		if w := strings.Join(a.Profile.Warnings, "\n"); !strings.Contains(w, "not below the given address") {
			t.Errorf("agent %s: got warnings %q, want one about where its card was found", a.Name(), w)
		}
	}
	if !slices.Equal(names, []string{"One", "Two"}) {
		t.Errorf("got agents %q, want One and Two", names)
	}
	d.Reopen(1)
	d.waitForSignal(log.SignalOpened)
	if len(d.state.Agents) != 2 {
		t.Errorf("after discovery: got %d agents, want 2", len(d.state.Agents))
	}
	d.finish()
}

func TestNothingRunsAfterClose(t *testing.T) {
	before := runtime.NumGoroutine()
	a := agent(t, worker)
	for range 5 {
		d := newHarness(t, nil)
		d.startTask(d.openAgent(a.URL), "work")
		d.Open("http://127.0.0.1:1")
		d.waitForSignal(log.SignalOpened)
		d.finish()
	}
	a.Close()
	// The transport's own goroutines end soon after their connections.
	for deadline := time.Now().Add(time.Minute); runtime.NumGoroutine() > before+1; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			buf := make([]byte, 1<<20)
			t.Fatalf("got %[2]d goroutines, want at most %[1]d\n%[3]s", before, runtime.NumGoroutine(), buf[:runtime.Stack(buf, true)])
		}
	}
}

func TestEveryOpeningIsNotedOnceAndBeforeAnythingElse(t *testing.T) {
	t.Parallel()
	d := newHarness(t, nil)
	a, b := agent(t, asker), agent(t, asker)
	d.openAgent(a.URL)
	d.openAgent(b.URL)
	var refs []string
	for i := 1; i <= d.state.Log.Len(); i++ {
		if n := d.state.Log.At(a2a.RecordID(i)).Record.Note; n != nil && n.Type == log.NoteOpening {
			refs = append(refs, n.Attrs[log.AttrRef])
		}
	}
	if !slices.Equal(refs, []string{a.URL, b.URL}) || d.state.Log.At(1).Record.Note == nil {
		t.Errorf("got openings %q, want %q\n%s", refs, []string{a.URL, b.URL}, d.log())
	}
	d.finish()
}

func TestANoteOfAnOpeningSaysNothingThatIsNotSo(t *testing.T) {
	t.Parallel()
	d := newHarness(t, nil)
	ready, gone := d.openAgent(agent(t, asker).URL), d.Open("http://"+closedPort(t))
	d.waitForSignal(log.SignalOpened)
	var olds []*a2a.Note // as a journal of another version has them
	for i := 1; i <= d.state.Log.Len(); i++ {
		n := d.state.Log.At(a2a.RecordID(i)).Record.Note
		if n == nil || n.Type != log.NoteOpened {
			continue
		}
		names := slices.Sorted(maps.Keys(n.Attrs))
		want := []string{log.AttrAgent, log.AttrAttempts, log.AttrRecord, log.AttrRef}
		if n.Attrs[log.AttrAgent] == strconv.Itoa(int(gone)) {
			want = []string{log.AttrAgent, log.AttrAttempts, log.AttrClass, log.AttrRef, log.AttrSentence}
		}
		if !slices.Equal(names, want) {
			t.Errorf("got attributes %q, want %q", names, want)
		}
		if n.Attrs[log.AttrAgent] != strconv.Itoa(int(ready)) {
			continue
		}
		// A journal of another version also has attributes for what does not apply.
		old := *n
		old.Attrs = maps.Clone(n.Attrs)
		old.Attrs[log.AttrIndex], old.Attrs[log.AttrWarnings], old.Attrs[log.AttrSentence] = "0", "null", ""
		olds = append(olds, &old)
	}
	d.finish()
	recording, err := journal.Open(d.journal.Path())
	if err != nil {
		t.Fatal(err)
	}
	s := sessiontest.ReplayState(t, recording, nil)
	for _, n := range olds {
		before := *s.Agent(ready)
		s.Apply(log.Item{Record: a2a.Record{ID: a2a.RecordID(s.Log.Len() + 1), Kind: a2a.KindNote, Note: n}})
		if got := *s.Agent(ready); !reflect.DeepEqual(got, before) {
			t.Errorf("got replayed agent %+v, want %+v", got, before)
		}
	}
}
