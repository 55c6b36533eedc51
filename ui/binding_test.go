package ui

import (
	"slices"
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/log"
	"parley/ui/control"
	"parley/ui/control/answers"
)

// finderCommand returns a finder command by the beginning of its name.
func (d *desk) finderCommand(name string) control.Command {
	d.t.Helper()
	all := d.model.commands()
	i := slices.IndexFunc(all, func(c control.Command) bool { return strings.HasPrefix(c.Name, name) })
	if i < 0 {
		d.t.Fatalf("got no finder command %q", name)
	}
	return all[i]
}

// offer adds interfaces of A2A 1.0 to the card of the agent.
func (d *desk) offer(bindings ...a2a.Binding) {
	card := d.model.agent().Card
	for _, b := range bindings {
		url := "http://127.0.0.1:9/" + strings.ToLower(string(b))
		if b == a2a.BindingGRPC {
			url = "grpc://127.0.0.1:9"
		}
		card.Interfaces = append(card.Interfaces, a2a.Interface{URL: url, DeclaredURL: url, Binding: b, BindingWord: string(b), Version: "1.0"})
	}
}

// A message goes over the other binding of the card as a new conversation, with the options of
// the first one; when the second answer is complete, a sheet compares both.
func TestTheSameIsSentOverAnotherBinding(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allBooked)
		if why := d.finderCommand("Send the same").Why; why != "The agent's card names no other binding that Parley speaks." {
			t.Errorf("got the reason %q for a card with one binding", why)
		}
		if why := d.finderCommand("Compare the answers").Why; why == "" {
			t.Error("got no reason although there is nothing to compare")
		}
		d.offer(a2a.BindingREST)
		before := d.model.agent().Profile
		again := d.finderCommand("Send the same")
		if again.Why != "" || again.Note != "1.0 over HTTP+JSON" {
			t.Fatalf("got the command %+v, want HTTP+JSON to be possible", again)
		}
		first := d.model.conversation().Turns[len(d.model.conversation().Turns)-1]
		d.write("/binding")
		d.press("enter")
		sent := d.engine.Sent[len(d.engine.Sent)-1]
		if sent.Options.Way.Binding != a2a.BindingREST || sent.To.TaskID != "" || sent.To.ContextID != "" || sent.To.Conversation == first.Conversation.ID ||
			sent.Message.ID != "" || sent.Message.Text() != first.Message.Text() {
			t.Errorf("got %+v of %+v", sent, sent.Message)
		}
		if now := d.model.agent().Profile; now.Way() != before.Way() {
			t.Errorf("got the way %+v, want that of the agent to stay", now.Way())
		}
		d.says("sent again as A2A 1.0 over HTTP+JSON")
		d.answersAgain(`"result":{"task":{"id":"other","contextId":"there","status":{"state":"TASK_STATE_FAILED","message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"no \u001b[31mseat"}]}}}}`)
		if d.model.screen.over != answers.SheetName {
			t.Fatalf("got sheet %q, want both answers:\n%s", d.model.screen.over, d.text())
		}
		d.sees("both answers", "- 1.0 over JSON-RPC", "+ 1.0 over HTTP+JSON", "The answers differ in", "+ states: failed")
		d.press("esc")
		if c := d.finderCommand("Compare the answers"); c.Why != "" {
			t.Errorf("got the reason %q, want the answers to be comparable", c.Why)
		} else if d.run(c.Run()); d.model.screen.over != answers.SheetName {
			t.Error("the command did not open the sheet")
		}
	})
}

// Several other bindings are a menu. While the user writes, no sheet comes up.
func TestSeveralBindingsAreAMenu(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allBooked)
		d.offer(a2a.BindingREST, a2a.BindingGRPC)
		d.write("/binding")
		d.press("enter")
		d.sees("send the same over", "HTTP+JSON 1.0", "gRPC 1.0", "127.0.0.1:9")
		d.press("2")
		sent := d.engine.Sent[len(d.engine.Sent)-1]
		if sent.Options.Way.Binding == a2a.BindingJSONRPC || sent.Options.Way.Binding == "" {
			t.Errorf("got the way %+v, want one of the menu", sent.Options.Way)
		}
		d.write("something else")
		d.answersAgain(`"result":{"message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"hi"}]}}`)
		if d.model.screen.over != noOverlay {
			t.Errorf("got sheet %q while the user writes, want none", d.model.screen.over)
		}
		d.says("Both answers are there: /compare shows the differences")
	})
}

// comparesAnswers sends the newest message again over HTTP+JSON. The second answer asks a question
// of its own.
func (d *desk) comparesAnswers(question string) {
	d.t.Helper()
	d.offer(a2a.BindingREST)
	d.run(d.finderCommand("Send the same").Run())
	d.answersAgain(`"result":{"task":{"id":"other","contextId":"there","status":{"state":"TASK_STATE_INPUT_REQUIRED","message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"` + question + `"}]}}}}`)
}

// answersAgain plays the answer to the message that was sent over another binding.
func (d *desk) answersAgain(result string) {
	d.t.Helper()
	sent := d.engine.Sent[len(d.engine.Sent)-1]
	call := a2a.Call{Conversation: sent.To.Conversation, Turn: d.engine.Turns, Op: a2a.OpSend, Binding: sent.Options.Way.Binding, Endpoint: sent.Options.Way.Endpoint}
	d.answered(call, result)
	d.send(batchMsg{Items: []log.Item{{Signal: &log.Signal{Kind: log.SignalTurnOver, Agent: 1, Conversation: call.Conversation, Turn: call.Turn}}}})
}
