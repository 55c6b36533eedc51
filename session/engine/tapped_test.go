package engine

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
)

// An agent behind a tap is watched: whatever is asked of the engine, it sends nothing to it.
func TestATappedAgentIsSentNothing(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	agent := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	t.Cleanup(agent.Close)
	d := newHarness(t, func(*options) {})
	n := d.Numbers()
	id := n.NextAgent()
	conv := n.NextConversation(id)
	first := n.NextTurn()
	if next := n.NextTurn(); next != first+1 {
		t.Errorf("got turn %d after %d, want the next number", next, first)
	}
	refused := func(turn a2a.TurnID) {
		t.Helper()
		if sig := d.waitForTurnEnd(turn); sig.Sentence != tappedSentence {
			t.Errorf("got %q, want %q", sig.Sentence, tappedSentence)
		}
	}
	refused(d.Send(model.Target{Agent: id, Conversation: conv}, &a2a.Message{Parts: []a2a.Part{a2a.TextPart("hello")}}, model.SendOptions{}))
	refused(d.Get(id, "t1", conv, nil))
	refused(d.Cancel(id, "t1", conv))
	refused(d.Subscribe(id, "t1", conv, true))
	refused(d.ExtendedCard(id))
	refused(d.SendRaw(id, conv, a2a.RawRequest{Method: "POST", URL: agent.URL, Body: []byte(`{}`)}))
	d.Reopen(id)
	d.SearchCard(id)
	d.ProbeDialect(id)
	d.Pin(id, a2a.Pins{Endpoint: agent.URL})
	d.SetTaskMetadata(id, json.RawMessage(`{}`))
	d.SetShownAgent(id)
	d.Dismiss(id)
	d.Restore(id)
	d.finish()
	if n := asked.Load(); n != 0 {
		t.Errorf("got %d requests at the agent, want none", n)
	}
}

// When a recorded session with a tap goes on, nobody contacts the agent behind the tap, and the tasks
// of other clients are not followed.
func TestATapOfARecordedSessionIsNotContacted(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	agent := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	t.Cleanup(agent.Close)
	s := model.NewState()
	put := func(r a2a.Record) {
		r.ID = a2a.RecordID(s.Log.Len() + 1)
		var u a2a.Update
		if r.Kind == a2a.KindRequest {
			r.Exchange = r.ID
		} else if r.Kind == a2a.KindEvent {
			r.Exchange = r.ID - 1
			u = a2a.Decode(r.Call, a2a.Input{Body: r.Raw, Stream: true, Status: 200})
		}
		s.Apply(log.Item{Record: r, Update: u})
	}
	call := &a2a.Call{Agent: 1, Conversation: 1, Turn: 1, Op: a2a.OpStream, Dialect: a2a.V10, Binding: a2a.BindingJSONRPC, Endpoint: agent.URL, Tapped: &a2a.Tapped{Tap: "desk"}}
	put(a2a.Record{Kind: a2a.KindNote, Note: &a2a.Note{Type: log.NoteOpening, Attrs: map[string]string{log.AttrAgent: "1", log.AttrRef: agent.URL, log.AttrTap: "desk"}}})
	put(a2a.Record{Kind: a2a.KindRequest, Call: call, Raw: []byte(`{"jsonrpc":"2.0","id":1,"method":"SendStreamingMessage","params":{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"hi"}]}}}`)})
	put(a2a.Record{Kind: a2a.KindEvent, Call: call, Raw: []byte(`{"jsonrpc":"2.0","id":1,"result":{"task":{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_WORKING"}}}}`)})
	if s.Task(1, "t1") == nil {
		t.Fatal("got no task in the recording, want one that works")
	}
	start, err := NewStart("tapped.jsonl", s, asRecorded)
	if err != nil {
		t.Fatal(err)
	}
	if a := start.Agents[0]; !a.Tapped || a.Withheld == "" || len(a.Contacts)+len(a.Tasks) > 0 {
		t.Errorf("got %+v, want an agent that is not contacted, without tasks", a)
	}
	d := newHarness(t, func(o *options) { o.Start = start })
	d.GoOn()
	d.Reopen(1)
	d.Restore(1)
	if sig := d.waitForTurnEnd(d.Send(model.Target{Agent: 1, Conversation: 1}, &a2a.Message{Parts: []a2a.Part{a2a.TextPart("hello")}}, model.SendOptions{})); sig.Sentence != tappedSentence {
		t.Errorf("got %q, want %q", sig.Sentence, tappedSentence)
	}
	d.finish()
	if n := asked.Load(); n != 0 {
		t.Errorf("got %d requests at the agent, want none", n)
	}
}
