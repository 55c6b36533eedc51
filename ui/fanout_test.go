package ui

import (
	"fmt"
	"testing"

	"parley/a2a"
	"parley/session/log"
	"parley/ui/control/answers"
	"parley/ui/control/fanout"
)

// fansOut sends a message to two of the agents, which answer.
func (d *desk) fansOut() {
	d.t.Helper()
	d.write("/fanout Which tide is it?")
	d.press("enter")
	d.press("3", "4", "s")
	sent := d.engine.Sent
	for i, text := range []string{"The tide is in. It was higher **yesterday**.", "The tide is out."} {
		m := sent[len(sent)-2+i]
		d.begins(m.To.Agent, m.To.Conversation, d.engine.Turns-1+a2a.TurnID(i), m.Text(),
			fmt.Sprintf(`"result":{"task":{"id":"tide-%d","contextId":"sea-%d","status":{"state":"TASK_STATE_COMPLETED"},"artifacts":[{"artifactId":"a","name":"tide.md","parts":[{"text":%q}]}]}}`, i, i, text))
	}
}

// begins plays a message to an agent and its answer.
func (d *desk) begins(agent a2a.AgentID, conv a2a.ConversationID, turn a2a.TurnID, text, result string) {
	d.t.Helper()
	id, now := a2a.RecordID(d.model.state.Log.Len()+1), d.model.opts.Now()
	call := a2a.Call{Agent: agent, Conversation: conv, Turn: turn, Op: a2a.OpSend, Dialect: a2a.V10}
	body := []byte(`{"jsonrpc":"2.0","id":"1",` + result + `}`)
	ask := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":"1","method":"SendMessage","params":{"message":{"messageId":"m-%d","role":"ROLE_USER","parts":[{"text":%q}]}}}`, turn, text)
	d.send(batchMsg{Items: []log.Item{
		{Record: a2a.Record{ID: id, Exchange: id, Kind: a2a.KindRequest, Dir: a2a.Out, Call: &call, Time: now, Raw: ask}},
		{Record: a2a.Record{ID: id + 1, Exchange: id, Kind: a2a.KindBody, Dir: a2a.In, Call: &call, Time: now, Raw: body}, Update: a2a.Decode(&call, a2a.Input{Body: body, Status: 200})},
		{Record: a2a.Record{ID: id + 2, Exchange: id, Kind: a2a.KindEnd, Time: now, End: &a2a.End{Reason: a2a.Ended}}},
		{Signal: &log.Signal{Kind: log.SignalTurnOver, Agent: agent, Conversation: conv, Turn: turn}},
	}})
}

// A message goes to several agents, their answers stand side by side, and d compares them.
func TestAMessageGoesToSeveralAgents(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allFound)
		before := len(d.engine.Sent)
		d.fansOut()
		if sent := d.engine.Sent[before:]; len(sent) != 2 || sent[0].To.Agent == sent[1].To.Agent || sent[0].Message.Text() != "Which tide is it?" || sent[0].To.ContextID != "" {
			t.Errorf("got %+v sent", sent)
		}
		d.sees("answers side by side", "> Which tide is it?", "Travel Desk", "Scribe", "The tide is in", "The tide is out", "completed")
		d.press("d")
		if d.model.screen.over != answers.SheetName {
			t.Fatalf("got sheet %q, want the differences", d.model.screen.over)
		}
		d.sees("- Travel Desk", "+ Scribe", "-   The tide is in. It was higher **yesterday**.", "+   The tide is out.")
		d.press("esc")
		if d.model.screen.over != fanout.SheetName {
			t.Fatalf("got sheet %q, want the answers side by side again", d.model.screen.over)
		}
		d.press("right", "enter")
		if d.model.cur.Agent != 2 || d.model.screen.over != noOverlay {
			t.Errorf("got agent %d and sheet %q, want the second agent's conversation", d.model.cur.Agent, d.model.screen.over)
		}
		d.sees("The tide is out")
		d.write("/answers")
		d.press("enter")
		d.sees("answers side by side", "The tide is in")
	})
}

// A draft is kept until it is sent, and a secret does not go to several agents.
func TestADraftGoesToSeveralAgents(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allFound)
		d.write("the draft")
		d.run(d.finderCommand("Send one message").Run())
		d.press("esc")
		d.sees("the draft")
		d.run(d.finderCommand("Send one message").Run())
		d.press("s")
		if got := d.engine.Last().Text(); got != "the draft" || !d.model.panes.composer.Empty() {
			t.Errorf("got %q sent and %q left", got, d.model.panes.composer.Value())
		}
		d.press("esc")
		d.write("a secret")
		d.model.panes.composer.Hide(true)
		before := len(d.engine.Sent)
		d.run(d.finderCommand("Send one message").Run())
		d.says("a secret goes to one agent only")
		if len(d.engine.Sent) != before {
			t.Error("the secret was sent")
		}
	})
}
