package ui

import (
	"errors"
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/session/problem"
	"parley/ui/control"
	"parley/ui/looks"
)

// hooked plays the booking to its end; the agent has reported two webhooks of its task.
func (d *desk) hooked() *fakeEngine {
	d.t.Helper()
	d.book(allBooked)
	e := d.engine
	e.WebhookURL, e.Sent = "http://127.0.0.1:4712/push", nil
	p := &d.task().Push
	p.Listed, p.Deliveries = allBooked, 3
	p.Hooks = []model.Webhook{
		{PushConfig: a2a.PushConfig{ID: "parley-2f0c61", URL: e.WebhookURL + "/2f0c61", Token: "•••", Schemes: []string{"Bearer"}}, Record: allBooked},
		{PushConfig: a2a.PushConfig{ID: "cfg-2", URL: "https://hooks.example.com/a\x1b[2J"}, Record: allBooked},
	}
	return e
}

// task returns the newest task of the conversation.
func (d *desk) task() *model.Task {
	d.t.Helper()
	conv := d.model.conversation()
	if conv == nil || len(conv.Tasks) == 0 {
		d.t.Fatal("the conversation has no task")
	}
	return conv.Tasks[len(conv.Tasks)-1]
}

func TestTheSheetOfWebhooksAsksTheAgent(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		e := d.hooked()
		d.engine.Calls = nil
		d.press("f4")
		d.sees("webhooks of task 34d8", "here", "parley-2f0c61", "away", "https://hooks.example.com/a", "Received at http://127.0.0.1:4712/push", "3 deliveries about this task")
		d.press("n", "l", "enter", "j", "d", "a")
		d.write("https://other.example/x")
		d.press("tab")
		d.write("s3cret")
		if strings.Contains(d.text(), "s3cret") || d.model.View().Cursor == nil {
			t.Errorf("frame shows the secret or has no cursor:\n%s", d.text())
		}
		d.press("tab")
		d.write("Bearer")
		d.press("tab")
		d.write("cred")
		d.press("enter")
		id := looks.ShortID(d.task().ID)
		want := []string{"listen for " + id, "list " + id, "get " + id + " parley-2f0c61", "delete " + id + " cfg-2", "set " + id + ` https://other.example/x token "s3cret" [Bearer] "cred"`}
		if got := strings.Join(d.engine.Calls, "\n"); got != strings.Join(want, "\n") {
			t.Errorf("asked\n%s\nwant\n%s", got, strings.Join(want, "\n"))
		}
		e.ListenErr = errors.New("another program listens there; choose another address with --push-listen")
		d.press("n")
		d.says("Webhooks cannot be received: another program listens there")
		d.press("f")
		d.sees("kind:delivery task:")
	})
}

func TestWhatCannotBeAskedOfWebhooksSaysWhy(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.press("f4")
		d.sees("No agent is open")
		d.book(allFound)
		d.press("f4")
		d.sees("There is no task here yet", "The receiver is not running")
		d.press("n")
		d.sees("A webhook belongs to a task, and there is no task here yet.")
		d.press("esc")
		d.hooked()
		agent := d.model.agent()
		agent.Profile.Dialect, agent.Profile.Binding = a2a.V01, a2a.BindingJSONRPC
		d.press("f4", "l")
		d.sees("A2A 0.1 cannot list webhooks")
		agent.Profile.Dialect = a2a.SAMDoc
		d.press("n")
		d.sees("has no webhooks")
		agent.Profile.Dialect = a2a.V01
		d.task().Push.Hooks = nil
		d.engine.Calls = nil
		d.press("d")
		if got := strings.Join(d.engine.Calls, "\n"); got != "delete "+looks.ShortID(d.task().ID)+" " {
			t.Errorf("got engine calls %q, want delete without an id, because in 0.1 null clears", got)
		}
		d.press("a", "tab")
		d.write("x")
		d.press("enter")
		d.sees("A webhook must be an http or https URL.")
		d.press("esc", "esc")
		if d.model.screen.over != noOverlay {
			t.Errorf("got overlay %q after esc, want none", d.model.screen.over)
		}
	})
}

func TestARefusalStandsInTheSheet(t *testing.T) {
	t.Parallel()
	bubble(t, 100, 30, Options{}, func(d *desk) {
		d.hooked()
		p := &d.task().Push
		p.Problem = &problem.Problem{Sentence: "The agent answered PushNotificationNotSupported: no \x1b[31mwebhooks."}
		d.press("f4")
		d.sees("PushNotificationNotSupported")
		p.Problem, p.Pending = nil, a2a.OpPushList
		d.press("j")
		d.sees("Listing the webhooks of the task")
	})
}

func TestEachMessageBringsAWebhook(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allFound)
		d.press("f4", "i", "esc")
		d.write("hello")
		d.press("enter")
		if !d.engine.Last().Options.Webhook {
			t.Error("the message registered no webhook")
		}
		attached := func(at control.Place) bool { return d.model.webhooks.Attached(at, at) }
		if here, next := attached(d.model.cur), attached(control.Place{Agent: d.model.cur.Agent}); !here || next {
			t.Errorf("webhooks in the new conversation: %v, in the next one: %v; want true, false", here, next)
		}
	})
	bubble(t, 120, 40, Options{}, func(d *desk) {
		e := d.hooked()
		say := func(text string, want bool) {
			t.Helper()
			e.Sent = nil
			d.write(text)
			d.press("enter")
			if len(e.Sent) != 1 || e.Sent[0].Options.Webhook != want {
				t.Errorf("%q: sent %+v, want a webhook: %v", text, e.Sent, want)
			}
			d.turnOver(e.Turns, "")
		}
		booked := d.model.cur
		say("without", false)
		d.model.goTo(booked)
		d.press("f4", "i", "esc")
		say("with", true)
		d.model.goTo(booked)
		say("still", true)
		d.press("ctrl+n")
		say("elsewhere", false)
		d.model.goTo(booked)
		d.press("f4", "i", "esc")
		say("no more", false)
	})
}

func TestARecordingShowsItsWebhooks(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{Name: "b"}, func(d *desk) {
		d.replay("booking.jsonl")
		d.upTo(allBooked)
		d.press("f4", "n")
		d.sees("This is a recording")
	})
}

// delivered plays the booking and a delivery after it, and selects the delivery.
func (d *desk) delivered(facts a2a.DeliveryFacts, body string) {
	d.t.Helper()
	d.book(allBooked)
	task := d.task()
	call := &a2a.Call{Agent: task.Conversation.Agent.ID, Op: a2a.OpDelivery, Dialect: a2a.V10, TaskID: task.ID, PushID: "parley-2f0c61", Delivery: &facts}
	head := &a2a.Head{Method: "POST", URL: "http://127.0.0.1:4712/push/2f0c61", Proto: "HTTP/1.1", Header: map[string][]string{"Authorization": {a2a.Mask}}}
	r := a2a.Record{ID: allBooked + 1, Exchange: allBooked + 1, Kind: a2a.KindDelivery, Dir: a2a.In, Time: d.clock, Call: call, Head: head, Raw: []byte(body)}
	u := a2a.DecodeDelivery(&r)
	d.send(batchMsg{Items: []log.Item{{Record: r, Update: u}, {Record: a2a.Record{
		ID: allBooked + 2, Exchange: allBooked + 1, Kind: a2a.KindEnd, Dir: a2a.Out, Time: d.clock, Call: call,
		Head: &a2a.Head{Status: 200, Proto: "HTTP/1.1"}, End: &a2a.End{Reason: a2a.Ended, Class: facts.RefusalReason},
	}}}})
	d.press("tab", "tab", "a") // a delivery about another task stands in the agent's scope
}

func TestADeliveryIsARecordAmongOthers(t *testing.T) {
	t.Parallel()
	late := `{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}`
	for _, c := range []struct {
		facts a2a.DeliveryFacts
		body  string
		sees  string
	}{
		{a2a.DeliveryFacts{Remote: "127.0.0.1:50000", Signed: "RS256, key \x1b[2Jk1"}, late, "another task"},
		{a2a.DeliveryFacts{RefusalReason: "token"}, late, "rejected"},
		{a2a.DeliveryFacts{Validation: true}, "", "delivery · validation"},
		{a2a.DeliveryFacts{Repeats: 1 << 40}, "\x00\xff", "not A2A"},
	} {
		bubble(t, 160, 40, Options{}, func(d *desk) {
			d.delivered(c.facts, c.body)
			d.sees(c.sees)
			for _, keys := range []string{"c", "e", "!", "s", "d", "x", "v", "u", "y", "w", "n", "m", "space", "1", "2", "3", "4", "5", "j", "k", "enter", "t", "-", "+"} {
				d.press(keys)
				if len(d.rows()) != 40 {
					t.Fatalf("%s on a delivery left %d rows, want 40", keys, len(d.rows()))
				}
				d.press("esc", "esc")
				d.press("tab") // whatever that opened
				for range 4 {
					if d.model.screen.at != control.OnWire {
						d.press("tab")
					}
				}
			}
		})
	}
}
