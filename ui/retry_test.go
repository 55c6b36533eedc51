package ui

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
)

// turnAway fails the last message because its agent cannot be reached.
func (d *desk) turnAway() {
	d.t.Helper()
	e := d.engine
	last := e.Last()
	call := &a2a.Call{Agent: last.To.Agent, Conversation: last.To.Conversation, Turn: e.Turns, Op: a2a.OpSend, Dialect: a2a.V10, TaskID: last.To.TaskID}
	refs, _ := json.Marshal(last.To.References)
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":"1","method":"SendMessage","params":{"message":{"messageId":"m%d","role":"ROLE_USER","parts":[{"text":"again"}],"referenceTaskIds":%s}}}`, len(e.Sent), refs)
	id, now := a2a.RecordID(d.model.state.Log.Len()+1), d.model.opts.Now()
	d.send(batchMsg{Items: []log.Item{
		{Record: a2a.Record{ID: id, Exchange: id, Kind: a2a.KindRequest, Dir: a2a.Out, Call: call, Raw: []byte(body), Time: now}},
		{Record: a2a.Record{ID: id + 1, Exchange: id, Kind: a2a.KindHead, Dir: a2a.In, Time: now, Head: &a2a.Head{Status: 429}}},
		{Record: a2a.Record{ID: id + 2, Exchange: id, Kind: a2a.KindEnd, Time: now, End: &a2a.End{Reason: a2a.Ended, Class: a2a.ClassStatus, Sentence: "It is busy."}}},
	}})
	d.turnOver(call.Turn, "It is busy.")
}

// A message that comes back is sent again to the same target with the same content, whatever
// the target was.
func TestEnterSendsTheSameMessageAgain(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		aim  []string
		refs int
	}{
		{"new task", nil, 0},
		{"refers to a task", []string{"ctrl+t"}, 1},
		{"fork", []string{"ctrl+t", "ctrl+t"}, 1},
		{"new conversation", []string{"ctrl+t", "ctrl+t", "ctrl+t"}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, 160, 40, Options{}, func(d *desk) {
				d.book(allBooked)
				e := d.engine
				e.Conversations, e.Turns, e.Sent = 50, 200, nil
				d.model.sendOptions.Set(model.SendOptions{Config: a2a.SendConfig{AcceptedOutputModes: []string{"text/html"}}, Extensions: []string{"https://x.example/a"}})
				o := d.model.panes.composer.Draft()
				o.Options, o.Metadata = d.model.sendOptions.Of(1), json.RawMessage(`{"k":1}`)
				o.Parts = []a2a.Part{{Kind: a2a.PartURL, URL: "https://x.example/f"}}
				o.Text = "again"
				d.model.panes.composer.SetDraft(o)
				d.model.touch()
				d.draw()
				d.press(c.aim...)
				d.press("enter")
				for range 3 {
					d.turnAway()
					d.sees("the message is restored")
					d.press("enter")
				}
				if len(e.Sent) != 4 || len(e.Sent[0].To.References) != c.refs {
					t.Fatalf("sent %d messages, want 4; the first one is %+v", len(e.Sent), e.Sent[0])
				}
				for _, again := range e.Sent[1:] {
					if first := e.Sent[0]; !reflect.DeepEqual(again.Message, first.Message) || !reflect.DeepEqual(again.Options, first.Options) ||
						!sameTargets(again.To, first.To) {
						t.Errorf("sent again\n%+v\nwant\n%+v", again, first)
					}
				}
			})
		})
	}
}

// sameTargets compares targets; an empty list of references equals none.
func sameTargets(a, b model.Target) bool {
	for _, t := range []*model.Target{&a, &b} {
		if len(t.References) == 0 {
			t.References = nil
		}
	}
	return reflect.DeepEqual(a, b)
}

func TestARetryIsForgottenWithItsText(t *testing.T) {
	t.Parallel()
	bubble(t, 160, 40, Options{}, func(d *desk) {
		d.book(allBooked)
		e := d.engine
		e.Turns, e.Sent = 200, nil
		d.press("ctrl+t")
		d.write("again")
		d.press("enter")
		d.turnAway()
		d.sees("new task that refers to task")
		d.press("ctrl+t") // the user chooses another target
		d.press("enter")
		if got := e.Sent[1].To; sameTargets(got, e.Sent[0].To) {
			t.Errorf("got target %+v, want the one that the user chose", got)
		}
		d.turnAway()
		d.press("ctrl+u")
		d.write("something else")
		d.press("enter")
		if got := e.Sent[2].To; len(got.References) != 0 || got.TaskID != "" {
			t.Errorf("got target %+v of another message, want no task and no references", got)
		}
	})
}
