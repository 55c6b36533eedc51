package engine

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/a2a"
	"parley/a2a/grpc"
	"parley/session/journal"
	"parley/session/log"
	"parley/session/model"
)

// stopRecording ends the session as a kill does: the journal has no end of what is open.
func (d *harness) stopRecording() string {
	d.t.Helper()
	if err := d.journal.Close(); err != nil {
		d.t.Fatal(err)
	}
	d.Close()
	return d.journal.Path()
}

func asRecorded(_, ref string) (Saved, string) { return Saved{Ref: ref}, "" }

// replayState replays a file into a new harness, which has no engine yet.
func replayState(t *testing.T, path string) (*harness, *journal.Recording) {
	t.Helper()
	recording, err := journal.OpenToContinue(path)
	if err != nil {
		t.Fatal(err)
	}
	recording.Render(map[a2a.Binding]a2a.Format{a2a.BindingGRPC: grpc.NewFormat()})
	d := &harness{t: t, feed: log.NewFeed(), state: model.NewState()}
	recording.Replay(context.Background(), d.feed, journal.Unpaced)
	for d.feed.Len() > 0 {
		items, err := d.feed.Next(context.Background(), 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, it := range items {
			d.state.Apply(it)
		}
	}
	return d, recording
}

// goOn goes on with the session of a file.
func goOn(t *testing.T, path string, resolve Resolver, change func(*options)) *harness {
	t.Helper()
	d := restored(t, path, resolve, change)
	d.GoOn()
	return d
}

// restored returns a session of a file that may go on: nobody has been contacted.
func restored(t *testing.T, path string, resolve Resolver, change func(*options)) *harness {
	t.Helper()
	d, recording := replayState(t, path)
	start, err := NewStart(filepath.Base(path), d.state, resolve)
	if err != nil {
		t.Fatal(err)
	}
	d.journal, err = journal.CreateAfter(filepath.Join(t.TempDir(), "after.jsonl"), journal.Options{Now: time.Now}, recording.Predecessor())
	if err != nil {
		t.Fatal(err)
	}
	recorder := journal.NewRecorder(d.feed, d.journal)
	recorder.GoOn(recording.Predecessor().Last)
	return d.start(options{Base: Base{Recorder: recorder}, Use: Use{Start: start}, Resubscribe: 5}, "new-id", change)
}

// A session that is killed in mid-stream goes on: the same numbers, conversation, context and task.
func TestAKilledSessionGoesOn(t *testing.T) {
	t.Parallel()
	for _, dialect := range []a2a.DialectName{a2a.V10, a2a.V03, a2a.V01} {
		m := newMortal(t, dialect, true)
		w := newSurvivor(t, m)
		task := w.sendUntilState("stream", a2a.StateWorking, model.SendOptions{})
		turns, contextID := w.state.Last().Turn, task.Conversation.ContextID
		path := w.stopRecording()
		m.kill()
		m.start()

		d := goOn(t, path, asRecorded, func(o *options) {
			o.Client = func(string) a2a.Options { return a2a.Options{Pins: a2a.Pins{Dialect: m.dialect}} }
		})
		d.until("a stream of the task", func(log.Item) bool {
			return slices.ContainsFunc(m.requests(), func(method string) bool { return strings.Contains(strings.ToLower(method), "subscribe") })
		})
		now := d.state.Task(w.agent, task.ID)
		if now == nil || now.Turn() != task.Turn() || now.Conversation.ID != w.conv {
			t.Fatalf("%s: got task %+v, want it where it was", dialect, now)
		}
		id := d.Send(model.Target{Agent: w.agent, Conversation: w.conv}, &a2a.Message{Parts: []a2a.Part{a2a.TextPart("done")}}, model.SendOptions{})
		if id <= turns {
			t.Errorf("%s: got turn %d after %d, want a new one", dialect, id, turns)
		}
		it := d.until("the next message", func(it log.Item) bool {
			return it.Signal == nil && it.Record.Kind == a2a.KindRequest && it.Record.Call.Turn == id
		})
		if got := it.Record.Call.ContextID; got == "" || got != contextID {
			t.Errorf("%s: got context %q, want %q", dialect, got, contextID)
		}
		d.Close()
		d.journal.Close()
		again, _ := replayState(t, d.journal.Path())
		if got := again.state.Task(w.agent, task.ID); got == nil || again.state.Log.Len() < d.state.Log.Len() {
			t.Errorf("%s: got %d records in the new file and task %+v, want all %d", dialect, again.state.Log.Len(), got, d.state.Log.Len())
		}
	}
}

func TestATaskThatWasForgottenMeanwhileIsSaidOnce(t *testing.T) {
	t.Parallel()
	m := newMortal(t, a2a.V10, false)
	w := newSurvivor(t, m)
	task := w.sendUntilState("stream", a2a.StateWorking, model.SendOptions{})
	path := w.stopRecording()
	m.kill()
	m.start()
	d := goOn(t, path, asRecorded, nil)
	d.waitForSignal(log.SignalTaskForgotten)
	d.until("the end of the turn", func(it log.Item) bool { return it.Signal != nil && it.Signal.Kind == log.SignalTurnOver })
	if !d.state.Task(w.agent, task.ID).Forgotten {
		t.Error("got a known task, want it forgotten")
	}
	if n := countSignals(d, log.SignalTaskForgotten); n != 1 {
		t.Errorf("got %d signals that the task is forgotten, want 1", n)
	}
}

func countSignals(d *harness, kind log.SignalKind) (n int) {
	for _, it := range d.items {
		if it.Signal != nil && it.Signal.Kind == kind {
			n++
		}
	}
	return n
}

// An agent that is away is watched, and its tasks are followed when it is back.
func TestAnAgentThatIsAwayGoesOnLater(t *testing.T) {
	t.Parallel()
	m := newMortal(t, a2a.V10, true)
	w := newSurvivor(t, m)
	w.sendUntilState("stream", a2a.StateWorking, model.SendOptions{})
	path := w.stopRecording()
	m.kill()
	d := goOn(t, path, asRecorded, nil)
	d.waitForSignal(log.SignalWatch)
	m.start()
	d.waitForSignal(log.SignalBack)
	d.until("a stream of the task", func(log.Item) bool { return slices.Contains(m.requests(), "SubscribeToTask") })
}

// Nothing is sent to an origin that the user has not confirmed, and no credentials go there.
func TestACardThatNamesAnotherOriginIsNotFollowed(t *testing.T) {
	t.Parallel()
	m := newMortal(t, a2a.V10, true)
	w := newSurvivor(t, m)
	w.sendUntilState("stream", a2a.StateWorking, model.SendOptions{})
	path := w.stopRecording()
	m.kill()

	var mu sync.Mutex
	var got []string
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		got = append(got, r.URL.Path+" "+r.Header.Get("Authorization"))
	}))
	defer other.Close()
	l := listenAt(t, m.address)
	card := strings.ReplaceAll(m.card(), "http://"+m.address+"/rpc", other.URL+"/rpc")
	card = strings.Replace(card, `"streaming":true`, `"streaming":true,"extendedAgentCard":true`, 1)
	front := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, card) })}
	go front.Serve(l)
	defer front.Close()

	d := goOn(t, path, asRecorded, func(o *options) {
		o.Client = func(ref string) a2a.Options { return a2a.Options{Bearer: "s3cret", UserAddresses: []string{ref}} }
		o.Extended = true
	})
	sig := d.waitForSignal(log.SignalOpened)
	if len(sig.Changes) == 0 || !sig.Changes[0].Security || !strings.Contains(sig.Changes[0].Sentence, other.URL) {
		t.Errorf("got changes %+v, want first that the card names %s", sig.Changes, other.URL)
	}
	d.Close()
	mu.Lock()
	defer mu.Unlock()
	if len(got) > 0 {
		t.Errorf("got requests %q at the other origin, want none", got)
	}
	if a := d.state.Agent(w.agent); len(a.Profile.Cautions) == 0 {
		t.Error("got no caution, want one about the origin")
	}
}

func TestAnAgentWithoutSettingsIsNotContacted(t *testing.T) {
	t.Parallel()
	m := newMortal(t, a2a.V10, true)
	w := newSurvivor(t, m)
	w.sendUntilState("poll", a2a.StateWorking, model.SendOptions{})
	path := w.stopRecording()
	before := len(m.requests())
	d := goOn(t, path, func(string, string) (Saved, string) {
		return Saved{Ref: "http://x/?key=" + a2a.Mask}, "Its address had a secret."
	}, nil)
	d.until("the reason", func(it log.Item) bool {
		return it.Signal == nil && it.Record.Note != nil && it.Record.Note.Type == log.NoteOpened && it.Record.Note.Attrs[log.AttrSentence] != ""
	})
	d.Reopen(w.agent)
	turn, sig := d.sendText(model.Target{Agent: w.agent, Conversation: w.conv}, "hello", model.SendOptions{})
	if sig.Sentence == "" || turn == nil || len(m.requests()) != before {
		t.Errorf("got end %q and %d requests after %d, want a message that is not sent", sig.Sentence, len(m.requests()), before)
	}
}

func TestAStartHasWhatTheRecordingSays(t *testing.T) {
	t.Parallel()
	s := model.NewState()
	put := func(r a2a.Record, u a2a.Update) {
		r.ID = a2a.RecordID(s.Log.Len() + 1)
		if r.Kind == a2a.KindRequest {
			r.Exchange = r.ID
		}
		s.Apply(log.Item{Record: r, Update: u})
	}
	note := func(kind string, attrs map[string]string) {
		put(a2a.Record{Kind: a2a.KindNote, Note: &a2a.Note{Type: kind, Attrs: attrs}}, a2a.Update{})
	}
	note(log.NoteOpening, map[string]string{"agent": "2", "ref": "https://desk.example", "name": "desk"})
	note(log.NoteProfile, map[string]string{"agent": "2", "profile": `{"Dialect":"v0.3","Binding":"JSONRPC","Endpoint":"http://other.example/rpc","Evidence":[
		{"Field":"dialect","Value":"v0.3","Confidence":3},{"Field":"endpoint","Value":"http://other.example/•••","Confidence":3}]}`})
	note(log.NoteExtensions, map[string]string{"agent": "2", "extensions": `["urn:x","urn:•••"]`})
	put(a2a.Record{Kind: a2a.KindRequest, Call: &a2a.Call{Agent: 2, Conversation: 7, Turn: 9, Op: a2a.OpSend, ContextID: "c"}}, a2a.Update{})
	start, err := NewStart("s.jsonl", s, asRecorded)
	if err != nil || len(start.Agents) != 1 {
		t.Fatalf("got %+v and error %v, want one agent", start, err)
	}
	a := start.Agents[0]
	if start.Last != (model.Numbers{Agent: 2, Conversation: 7, Turn: 9}) || a.Saved.Ref != "https://desk.example" || !slices.Equal(a.Extensions, []string{"urn:x"}) || a.Pins.Endpoint != "" {
		t.Errorf("got %+v, want the numbers, the reference, one extension and no masked endpoint", start)
	}
	want := []Contact{{"https://desk.example", "https://desk.example", true}, {"http://other.example", "http://other.example", false}}
	if !slices.Equal(a.Contacts, want) {
		t.Errorf("got contacts %+v, want %+v", a.Contacts, want)
	}
	note(log.NoteOpening, map[string]string{"agent": "4294967295", "ref": "http://x"})
	if _, err := NewStart("s.jsonl", s, asRecorded); err == nil {
		t.Error("got no error for an agent of the largest number, want one")
	}
}

func TestTenThousandAgentsGoOnAFewAtATime(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	open, most := 0, 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		open++
		most = max(most, open)
		mu.Unlock()
		w.WriteHeader(http.StatusNotFound)
		mu.Lock()
		open--
		mu.Unlock()
	}))
	defer server.Close()
	start := &Start{Name: "many.jsonl"}
	const agents = 300
	for i := range agents {
		start.Agents = append(start.Agents, StartAgent{ID: a2a.AgentID(i + 1), Saved: Saved{Ref: server.URL + "/../" + fmt.Sprint(i) + "/card.json"}, Contacts: []Contact{newContact(server.URL)}})
	}
	start.Last.Agent = agents
	d := newHarness(t, func(o *options) { o.Start = start })
	d.GoOn()
	opened := 0
	d.until("all agents", func(it log.Item) bool {
		if it.Signal != nil && it.Signal.Kind == log.SignalOpened {
			opened++
		}
		return opened == agents
	})
	if most > maxGoOn {
		t.Errorf("got %d requests at the same time, want at most %d", most, maxGoOn)
	}
	if id := d.Open(server.URL); id != agents+1 {
		t.Errorf("got agent %d, want %d", id, agents+1)
	}
}
