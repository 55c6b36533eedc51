package engine

import (
	"slices"
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/session/sessiontest"
)

// A witness is a checker that records what it is given about checks.
type witness struct {
	known, answered []string
}

func (w *witness) Check(r *a2a.Record, u *a2a.Update, known *a2a.Fold) []a2a.Finding {
	if r.Call == nil || !r.Call.Check || r.Kind != a2a.KindBody {
		return nil
	}
	for i := range u.Events {
		if t := u.Events[i].Task; t != nil {
			w.known = append(w.known, known.Task(t.ID).Status.State.String())
			w.answered = append(w.answered, t.Status.State.String())
		}
	}
	return []a2a.Finding{{Rule: "TASK-010", Offset: -1}}
}

func TestATaskIsComparedOnceAfterItsStream(t *testing.T) {
	t.Parallel()
	h := newHub(t, &hub{})
	d := newHarness(t, func(o *options) { o.CheckStreams = true })
	var rules witness
	d.setRules(&rules)
	agent, turn, _ := d.startStream(h)
	await(t, h.joined, "a stream of the agent")
	h.chunk()
	h.status("COMPLETED")
	h.mu.Lock()
	h.state = "FAILED" // a get returns another state
	h.mu.Unlock()
	h.end()
	over, checked := false, log.Item{}
	before := ""
	d.until("the check", func(it log.Item) bool {
		if over = over || it.Signal != nil && it.Signal.Kind == log.SignalTurnOver; over && before == "" {
			before = conversations(d.state)
		}
		if it.Record.Call != nil && it.Record.Call.Check {
			if it.Record.Kind == a2a.KindRequest {
				checked = it
			}
			return it.Record.Kind == a2a.KindEnd
		}
		return false
	})
	if !over {
		t.Error("got the answer to the check before the end of the turn, want it after")
	}
	if got := log.Describe(&checked); got != "GetTask · check" || !strings.Contains(string(checked.Record.Raw), `"historyLength":0`) {
		t.Errorf("got row %s, body %s; want GetTask · check without history", got, checked.Record.Raw)
	}
	if !slices.Equal(rules.known, []string{"completed"}) || !slices.Equal(rules.answered, []string{"failed"}) {
		t.Errorf("rules know states %q and were told %q; want completed, failed", rules.known, rules.answered)
	}
	if after := conversations(d.state); after != before || d.state.Turn(turn).Pending {
		t.Errorf("the check changed the conversation:\n%s", sessiontest.Difference(before, after))
	}
	if n := len(d.state.Agent(agent).Conversations[0].Turns); n != 1 {
		t.Errorf("got %d turns, want 1", n)
	}
	end := d.state.Log.At(a2a.RecordID(d.state.Log.Len()))
	if _, anchored := d.state.Anchor(end.Record.ID); anchored {
		t.Error("got an anchor of the check in the conversation, want none")
	}
	d.setRules(nil) // the replay has no rules either
	d.finish()
	if want := []string{"SendStreamingMessage", "GetTask"}; !slices.Equal(h.methods, want) {
		t.Errorf("got requests %q, want %q", h.methods, want)
	}
}

// conversations is the part of a dumped state about conversations.
func conversations(s *model.State) string {
	whole, _, _ := strings.Cut(sessiontest.Dump(s), "\nrecord ")
	whole, _, _ = strings.Cut(whole, "\nstream ")
	return whole
}

func TestAStreamThatSaysNothingSoundIsNotChecked(t *testing.T) {
	t.Parallel()
	a := agent(t, `
-- scene asks --
is asks
goto asks
send easks
-- scene torn --
is torn
goto over
send etask state=TASK_STATE_COMPLETED
send etorn
cut
-- scene plain --
is plain
answer task
goto over
let state=TASK_STATE_COMPLETED
send etask state=TASK_STATE_COMPLETED
`)
	d := newHarness(t, func(o *options) { o.CheckStreams = true })
	id := d.openAgent(a.URL)
	for _, text := range []string{"asks", "torn"} {
		d.sendText(model.Target{Agent: id}, text, model.SendOptions{})
	}
	d.sendText(model.Target{Agent: id}, "plain", model.SendOptions{Stream: a2a.False})
	d.finish()
	for _, it := range d.items {
		if c := it.Record.Call; c != nil && c.Check {
			t.Fatalf("got a check of the stream, want none:\n%s", d.log())
		}
	}
}
