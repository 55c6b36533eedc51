package ui

import (
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/ui/control"
	"parley/ui/looks"
)

// refers plays the booking to its end.
func (d *desk) refers() *fakeEngine {
	d.t.Helper()
	d.book(allBooked)
	d.send(nil)
	return d.engine
}

func TestTheTargetKeyGoesRoundAllThatIsLegal(t *testing.T) {
	t.Parallel()
	bubble(t, 200, 40, Options{}, func(d *desk) {
		e := d.refers()
		task := d.task()
		short := looks.ShortID(task.ID)
		d.sees("→ new task in ctx")
		var shorts []string
		for _, c := range d.model.outbox.Targets() {
			shorts = append(shorts, c.Short)
		}
		if got := strings.Join(shorts, ", "); got != "new task, refer to "+short+", fork "+short+", new conversation" {
			t.Errorf("got targets %s, want a new task, both references and a new conversation", got)
		}
		d.press("ctrl+t")
		d.sees("new task that refers to task " + short)
		d.write("and back")
		d.press("enter")
		if e.Last().To.ContextID == "" || e.Last().To.TaskID != "" || len(e.Last().To.References) != 1 || e.Last().To.References[0] != task.ID {
			t.Errorf("sent to %+v, want a new task that refers to the old one", e.Last().To)
		}
		d.turnOver(e.Turns, "")
		d.model.goTo(control.Place{Agent: 1, Conversation: 1})
		d.send(nil)
		d.press("ctrl+t", "ctrl+t")
		d.sees("⑂ fork: new conversation that refers to task " + short)
		d.write("elsewhere")
		d.press("enter")
		if e.Last().To.ContextID != "" || e.Last().To.TaskID != "" || e.Last().To.Conversation == 1 || len(e.Last().To.References) != 1 {
			t.Errorf("forked to %+v, want another conversation that refers to the task", e.Last().To)
		}
	})
}

func TestWhatIsNoTargetSaysWhy(t *testing.T) {
	t.Parallel()
	bubble(t, 160, 40, Options{}, func(d *desk) {
		d.refers()
		d.tells(control.Place{Agent: 1, Conversation: 50}, "far-away", "INPUT_REQUIRED", "?")
		d.model.goTo(control.Place{Agent: 1, Conversation: 1})
		d.send(nil)
		d.model.panes.composer.SetValue("/target")
		d.press("enter")
		d.sees("target", "in use", "restart task", "does not allow more messages to such a task", "reply to task far-away", "belongs to another context")
		d.press("5")
		d.sees("✕ It is over (completed), and A2A 1.0")
		d.press("3")
		d.sees("⑂ fork")
	})
}

func TestATurnIsQuotedEditedAndForked(t *testing.T) {
	t.Parallel()
	bubble(t, 160, 40, Options{}, func(d *desk) {
		e := d.refers()
		task := d.task()
		first := d.model.conversation().Turns[0]
		d.press("tab") // to the conversation
		d.model.panes.chat.SelectRecord(model.Anchor{Agent: 1, Conversation: 1, Turn: first.ID, Block: -1, Entry: -1})
		d.press("Q")
		if got := d.model.panes.composer.Value(); got != "> "+first.Message.Text()+"\n\n" {
			t.Errorf("quoted %q, want the first message", got)
		}
		d.press("tab", "E")
		d.says("enter sends it as a new message; the earlier text is in the history")
		if got := d.model.panes.composer.Value(); got != first.Message.Text() {
			t.Errorf("composer holds %q, want the first message", got)
		}
		d.sees("→ new task in ctx")
		d.press("tab", "B")
		d.says("A2A carries only this reference, and")
		d.sees("⑂ fork: new conversation that refers to task " + looks.ShortID(task.ID))
		d.write("other dates")
		d.press("enter")
		if len(e.Last().To.References) != 1 || e.Last().To.References[0] != task.ID || e.Last().To.Conversation == 1 {
			t.Errorf("forked to %+v, want another conversation that refers to the task", e.Last().To)
		}
		d.press("ctrl+n")
		if strings.Contains(d.text(), "⑂ fork") {
			t.Error("a new conversation is still shown as a fork")
		}
	})
}

func TestAnEditedMessageGoesBackToATaskThatStillWaits(t *testing.T) {
	t.Parallel()
	bubble(t, 160, 40, Options{}, func(d *desk) {
		d.book(asksDates)
		turn := d.model.conversation().Turns[1]
		d.press("tab")
		d.model.panes.chat.SelectRecord(model.Anchor{Agent: 1, Conversation: 1, Turn: turn.ID, Block: -1, Entry: -1})
		d.press("E")
		d.sees("↩ reply to task", "❯ London")
		d.write("derry")
		d.press("enter")
		if got := d.engine.Calls[len(d.engine.Calls)-1]; !strings.HasPrefix(got, `send "Londonderry"`) || !strings.Contains(got, turn.Target.TaskID) {
			t.Errorf("got last engine call %s, want the edited answer to the same task", got)
		}
	})
}

func TestWhatCannotBeDoneWithATurnSaysWhy(t *testing.T) {
	t.Parallel()
	bubble(t, 160, 40, Options{}, func(d *desk) {
		d.book(allFound)
		d.press("tab", "Q")
		d.sees("There is no turn here yet.")
	})
	bubble(t, 160, 40, Options{}, func(d *desk) {
		d.book(allBooked)
		d.model.agent().Profile.Dialect = a2a.V01
		d.press("tab")
		d.model.setFocus(control.OnChat)
		d.press("B")
		d.sees("In A2A 0.1 a message cannot refer to another task")
	})
	bubble(t, 160, 40, Options{Name: "booking.jsonl"}, func(d *desk) {
		d.book(allBooked)
		d.press("E")
		d.sees("This is a recording; nothing can be sent.")
	})
}

// A message that was sent with a credential can be sent again.
func TestOnlyASecretInTheMessageForbidsToEditIt(t *testing.T) {
	t.Parallel()
	const text = "my key is •••"
	body := `{"jsonrpc":"2.0","id":"1","method":"SendMessage","params":{"message":{"messageId":"m-7","role":"ROLE_USER","parts":[{"text":"` + text +
		`"}]},"configuration":{"taskPushNotificationConfig":{"url":"http://h/","token":"•••"}}}}`
	tests := []struct {
		name   string
		gone   a2a.Redaction
		edited bool
	}{
		{"in a header", a2a.Redaction{Name: "header Authorization", Size: 6}, true},
		{"in the configuration", a2a.Redaction{Name: "push token", Size: 6, Offset: strings.LastIndex(body, "•••"), Length: len("•••")}, true},
		{"in the message", a2a.Redaction{Name: "API key", Size: 6, Offset: strings.Index(body, "•••"), Length: len("•••")}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, 120, 40, Options{}, func(d *desk) {
				d.book(allBooked)
				d.send(batchMsg{Items: []log.Item{{Record: a2a.Record{
					ID: allBooked + 1, Exchange: allBooked + 1, Kind: a2a.KindRequest, Dir: a2a.Out, Time: d.clock, Raw: []byte(body),
					Call: &a2a.Call{Agent: 1, Conversation: 1, Turn: 1_000, Op: a2a.OpSend, Dialect: a2a.V10, Binding: a2a.BindingJSONRPC},
					Head: &a2a.Head{Method: "POST", URL: "http://h/"}, Redactions: []a2a.Redaction{tt.gone},
				}}}})
				d.press("tab")
				d.model.panes.chat.SelectRecord(model.Anchor{Agent: 1, Conversation: 1, Turn: 1_000, Block: -1, Entry: -1})
				d.press("E")
				if got := d.model.panes.composer.Value() == text; got != tt.edited {
					t.Errorf("edited %t, want %t: %q\n%s", got, tt.edited, d.model.panes.composer.Value(), d.text())
				}
			})
		})
	}
}
