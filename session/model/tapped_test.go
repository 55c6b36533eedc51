package model_test

import (
	"testing"

	"parley/a2a"
	"parley/session/log"
	"parley/session/sessiontest"
)

// A conversation behind a tap is that of another client: its name stands at the messages, and a task
// that waits does not wait for the user.
func TestATaskBehindATapWaitsForItsClient(t *testing.T) {
	for _, tap := range []string{"", "planner"} {
		p := sessiontest.NewTape()
		p.Put(a2a.Record{Kind: a2a.KindNote, Note: &a2a.Note{Type: log.NoteOpening, Attrs: map[string]string{log.AttrAgent: "1", log.AttrTap: tap}}})
		call := sessiontest.CallOf(a2a.OpStream, 1)
		if tap != "" {
			call.Tapped = &a2a.Tapped{Tap: tap, Client: "planner/1.0"}
		}
		x := p.Ask(call, "hello")
		p.Event(x, call, `{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_SUBMITTED"}}}`)
		p.Event(x, call, sessiontest.StatusSays("INPUT_REQUIRED", "a", "Where to?"))
		if began := p.Change().Waiting != nil; began != (tap == "") {
			t.Errorf("tap %q: got %v, want that only the user's task is announced", tap, began)
		}
		p.End(x, call, a2a.End{Reason: a2a.Ended})
		client, waiting := "planner/1.0", 0
		if tap == "" {
			client, waiting = "", 1
		}
		a := p.State.Agents[0]
		if turn := a.Conversations[0].Turns[0]; a.Tap != tap || turn.Client != client || turn.Pending {
			t.Errorf("got tap %q, client %q, pending %v; want %q, %q and a turn that is over", a.Tap, turn.Client, turn.Pending, tap, client)
		}
		if n := len(p.State.Waiting()); n != waiting {
			t.Errorf("tap %q: got %d tasks that wait for the user, want %d", tap, n, waiting)
		}
	}
}
