package engine

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/session/sessiontest"
	"parley/session/tracker"
)

func TestACapturedRequestIsEditedAndSentAgain(t *testing.T) {
	t.Parallel()
	d := newHarness(t, func(o *options) {
		o.Client = func(ref string) a2a.Options {
			return a2a.Options{Bearer: "hush-hush-hush", UserAddresses: []string{ref}}
		}
	})
	a := agent(t, strings.Replace(streamer, "is poem", "text poem", 1))
	id := d.openAgent(a.URL)
	turn, _ := d.sendText(model.Target{Agent: id}, "poem", model.SendOptions{})
	r, missing := a2a.Unmask(&d.state.Log.At(turn.Record).Record)
	if len(missing) != 0 || r.Header.Get("Authorization") != "Bearer hush-hush-hush" {
		t.Fatalf("got %d missing secrets, headers %v; want none and the token", len(missing), r.Header)
	}
	if nothing, _ := a2a.Unmask(&d.state.Log.At(turn.Record + 1).Record); nothing.URL != "" {
		t.Errorf("got request %+v made of a response, want none", nothing)
	}
	r.Body = bytes.Replace(r.Body, []byte(`"poem"`), []byte(`"a poem by hand"`), 1)
	r.Body = bytes.Replace(r.Body, []byte(`"id-2"`), []byte(`17`), 1)
	again := d.SendRaw(id, turn.Conversation.ID, r)
	if sig := d.waitForTurnEnd(again); sig.Sentence != "" {
		t.Fatalf("got turn end %+v, want no failure\n%s", sig, d.log())
	}
	second := d.state.Turn(again)
	if second.Conversation != turn.Conversation || second == turn || second.Message.Text() != "a poem by hand" {
		t.Errorf("got turn %+v with message %+v, want a turn of its own in the same conversation", second, second.Message)
	}
	rec := d.state.Log.At(second.Record).Record
	if !bytes.Equal(rec.Raw, r.Body) || !rec.Call.Raw || rec.Call.Op != a2a.OpStream || strings.Contains(fmt.Sprint(rec.Head), "hush") {
		t.Errorf("got body %s, head %v, call %+v; want the request unchanged and masked", rec.Raw, rec.Head, rec.Call)
	}
	kept, _ := a2a.Unmask(&d.state.Log.At(turn.Record).Record)
	kept.From, kept.Body = turn.Record, bytes.Replace(kept.Body, []byte(`"poem"`), []byte(`"another text"`), 1)
	d.waitForTurnEnd(d.SendRaw(id, turn.Conversation.ID, kept))
	third := turn.Conversation.Turns[2]
	it := d.state.Log.At(third.Record)
	want := fmt.Sprintf("SendStreamingMessage · edited from #%d", turn.Record)
	if third.Written != want || log.Describe(it) != want || it.Record.Call.EditedFrom != turn.Record {
		t.Errorf("got turn name %q, row %q; want %q", third.Written, log.Describe(it), want)
	}
	for _, f := range it.Findings { // the user repeats the ids on purpose
		if f.Rule == "ENV-011" || f.Rule == "MSG-003" {
			t.Errorf("got finding %+v about ids that the user repeated", f)
		}
	}
	d.finish()
}

func TestWhatIsWrittenByHandIsNotFollowedUp(t *testing.T) {
	t.Parallel()
	h := newHub(t, &hub{})
	d := newHarness(t, nil)
	id := d.openAgent(h.URL)
	r := a2a.RawRequest{URL: h.URL, Body: []byte(`{"jsonrpc":"2.0","id":1,"method":"SubscribeToTask","params":{"id":"t1"}}`)}
	turn := d.SendRaw(id, 0, r)
	await(t, h.joined, "a stream of the agent")
	h.status("WORKING")
	h.end()
	d.waitForTurnEnd(turn)
	task := d.state.Turn(turn).Blocks[0].Task
	if task == nil || task.State != a2a.StateWorking || task.Poll != nil {
		t.Errorf("got task %+v, want working and no poll", task)
	}
	// A fault that requires a follow-up is an exception.
	turn = d.SendRaw(id, d.state.Turn(turn).Conversation.ID, r)
	await(t, h.joined, "a stream of the agent")
	h.chunk()
	d.mustInjectFault(d.waitForEvent().Record.Exchange, Fault{Kind: FaultResubscribe})
	await(t, h.joined, "a stream of the agent")
	h.status("COMPLETED")
	h.end()
	checkVerdict(t, d.waitForVerdictAndTurnEnd(turn), "Cut after 1 event. Resubscribing worked, continuing without a snapshot. Its task is now completed.")
	turn = d.SendRaw(id, 0, a2a.RawRequest{URL: h.URL, Body: []byte(`{"jsonrpc":"2.0","id":1,"method":"SubscribeToTask","params":{"id":"t1"}}`)})
	await(t, h.joined, "a stream of the agent")
	h.status("WORKING")
	d.mustInjectFault(d.waitForEvent().Record.Exchange, Fault{Kind: FaultCut})
	// The task was over before: a working state contradicts that and changes nothing.
	checkVerdict(t, d.waitForVerdictAndTurnEnd(turn), "Cut after 1 event. Its task was already completed, so nothing was lost.")
	d.finish()
}

func TestNonsenseIsSentAndItsAnswerShown(t *testing.T) {
	t.Parallel()
	d := newHarness(t, nil)
	id := d.openAgent(agent(t, streamer).URL)
	for _, tt := range []struct {
		request a2a.RawRequest
		want    string // of the turn's entries
	}{
		{a2a.RawRequest{Body: []byte(`{"method":"message/send","params":`)}, "problem"},
		{a2a.RawRequest{Body: []byte("\x00\xff")}, "problem"},
		{a2a.RawRequest{Method: "DELETE"}, "problem"},
		{a2a.RawRequest{Body: []byte(`{"jsonrpc":"2.0","id":1,"method":"tasks/eat","params":{}}`)}, "problem"},
		{a2a.RawRequest{Body: []byte(`[]`), Header: http.Header{"X": {"a\nb"}}}, "cannot be sent"},
		{a2a.RawRequest{Body: []byte(`{}`), Header: http.Header{"Authorization": {a2a.Mask}}}, "the header Authorization contains"},
	} {
		tt.request.URL = d.state.Agent(id).Profile.Endpoint
		turn := d.SendRaw(id, 0, tt.request)
		sig := d.waitForTurnEnd(turn)
		got := dumpOf(d.state.Turn(turn))
		if !strings.Contains(got, tt.want) {
			t.Errorf("%q: got turn end %+v, want %q in\n%s", tt.request.Body, sig, tt.want, got)
		}
	}
	if sig := d.waitForTurnEnd(d.SendRaw(99, 0, a2a.RawRequest{URL: "http://127.0.0.1:1"})); !strings.Contains(sig.Sentence, "no such agent") {
		t.Errorf("got turn end %+v, want a sentence with \"no such agent\"", sig)
	}
	d.finish()
}

func dumpOf(t *model.Turn) string {
	var b strings.Builder
	sessiontest.DumpTurn(&b, t)
	return b.String()
}

func TestAnAgentWithoutADialectCanBeSpokenToByHand(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/odd" {
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"kind":"message","messageId":"m","role":"agent","parts":[{"kind":"text","text":"Hello"}]}}`)
			return
		}
		http.NotFound(w, r)
	}))
	t.Cleanup(s.Close)
	d := newHarness(t, nil)
	id := d.Open(s.URL)
	d.waitForSignal(log.SignalOpened)
	if a := d.state.Agent(id); a.Phase != model.Failed || a.Profile.Dialect != a2a.Unknown {
		t.Fatalf("got agent %+v, want failed with an unknown dialect", a)
	}
	list := d.Presets(id)
	dialects := map[string]bool{}
	for _, p := range list {
		number, _, _ := strings.Cut(p.Name, " ")
		dialects[number] = true
		if !strings.HasPrefix(p.Request.URL, s.URL) {
			t.Errorf("preset %s: got URL %s, want one at %s", p.Name, p.Request.URL, s.URL)
		}
	}
	if len(dialects) != 4 {
		t.Errorf("got presets of dialects %v, want 4", dialects)
	}
	turn := d.SendRaw(id, 0, a2a.RawRequest{URL: s.URL + "/odd", Body: []byte(`{"jsonrpc":"2.0","id":1,"method":"message/send","params":{}}`)})
	if sig := d.waitForTurnEnd(turn); sig.Sentence != "" {
		t.Fatalf("got turn end %+v, want no failure", sig)
	}
	if m := d.state.Turn(turn).Blocks[0].Entries[0].Message; m == nil || m.Text() != "Hello" {
		t.Errorf("got turn %s, want the answer \"Hello\"", dumpOf(d.state.Turn(turn)))
	}
	d.finish()
}

func TestAPresetHasTheContextOfItsOwnTask(t *testing.T) {
	t.Parallel()
	e := &Engine{o: options{Base: Base{NewID: func() string { return "id" }}}, convs: map[a2a.ConversationID]*thread{1: {contextID: "old"}}}
	a := &remote{tasks: map[string]*knownTask{"first": {conv: 1, turn: 1}, "second": {turn: 2}, "third": {turn: 3}}}
	for range 20 { // in the order of a map
		if req := e.example(a); req.TaskID != "third" || req.ContextID != "" {
			t.Fatalf("got task %q in context %q, want \"third\" without a context", req.TaskID, req.ContextID)
		}
	}
}

func TestPresetsAreOfTheDialectAndAboutTheNewestTask(t *testing.T) {
	t.Parallel()
	d := newHarness(t, nil)
	id := d.openAgent(agent(t, streamer).URL)
	if before := d.Presets(id); !strings.Contains(string(preset(t, before, a2a.OpGet).Request.Body), "TASK-ID") {
		t.Error("got a preset that names a task, want none as there is no task")
	}
	d.sendText(model.Target{Agent: id}, "poem", model.SendOptions{})
	turn, _ := d.sendText(model.Target{Agent: id}, "poem", model.SendOptions{})
	task := turn.Blocks[0].Task.ID
	list := d.Presets(id)
	if len(list) != len(presetOps) {
		t.Errorf("got %d presets, want %d: %+v", len(list), len(presetOps), list)
	}
	for _, p := range list {
		body := string(p.Request.Body)
		about := p.Op != a2a.OpSend && p.Op != a2a.OpStream && p.Op != a2a.OpList && p.Op != a2a.OpExtendedCard
		if strings.Contains(body, task) != about || strings.Contains(body, "TASK-ID") {
			t.Errorf("preset %s: got body %s, want the task's id in it: %v", p.Name, body, about)
		}
		call := p.Request.Call(a2a.Call{Dialect: a2a.V10})
		if call.Op != p.Op || !strings.Contains(body, p.Name) {
			t.Errorf("preset of %s, %s: got call %s with body %s", p.Op, p.Name, call.Op, body)
		}
		conversation := turn.Conversation.ID
		if !tracker.InConversation(p.Op) {
			conversation = 0
		}
		before := len(d.state.Agent(id).Conversations)
		d.waitForTurnEnd(d.SendRaw(id, conversation, p.Request))
		if n := len(d.state.Agent(id).Conversations); n != before {
			t.Errorf("preset %s created a conversation, want none", p.Name)
		}
	}
	if d.Presets(99) != nil {
		t.Error("got presets of an unknown agent, want none")
	}
	d.finish()
}

func preset(t *testing.T, list []model.Preset, op a2a.Op) model.Preset {
	t.Helper()
	for _, p := range list {
		if p.Op == op {
			return p
		}
	}
	t.Fatalf("got no preset of %s, want one", op)
	return model.Preset{}
}
