package ui

import (
	"fmt"
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/ui/looks"
)

// answered plays the answer to an operation on a task of the conversation.
func (d *desk) answered(call a2a.Call, result string) {
	d.t.Helper()
	id, now := a2a.RecordID(d.model.state.Log.Len()+1), d.model.opts.Now()
	body := []byte(`{"jsonrpc":"2.0","id":"1",` + result + `}`)
	call.Agent, call.Dialect = 1, a2a.V10
	d.send(batchMsg{Items: []log.Item{
		{Record: a2a.Record{ID: id, Exchange: id, Kind: a2a.KindRequest, Dir: a2a.Out, Call: &call, Time: now, Raw: []byte(`{"jsonrpc":"2.0","id":"1","method":"GetTask"}`)}},
		{Record: a2a.Record{ID: id + 1, Exchange: id, Kind: a2a.KindBody, Dir: a2a.In, Call: &call, Time: now, Raw: body}, Update: a2a.Decode(&call, a2a.Input{Body: body, Status: 200})},
		{Record: a2a.Record{ID: id + 2, Exchange: id, Kind: a2a.KindEnd, Time: now, End: &a2a.End{Reason: a2a.Ended}}},
	}})
}

// An agent forgot the question that is being answered: the target line says so before enter,
// which then sends a new task in the same context.
func TestAForgottenTaskIsOutOfTheTargetBeforeEnter(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(asksWhere)
		task := d.task()
		d.write("London")
		d.sees("reply to task " + looks.ShortID(task.ID))
		d.forgets(task, a2a.OpGet)
		d.sees("→ new task in ctx "+looks.ShortID(task.ContextID)+", "+looks.ShortID(task.ID)+" forgotten", "The agent knew task "+looks.ShortID(task.ID), "asked twice", "◌ forgotten")
		if strings.Contains(d.text(), "waits for you") || strings.Contains(d.text(), "1 waiting") {
			t.Errorf("a forgotten task waits for the user:\n%s", d.text())
		}
		d.press("enter")
		want := fmt.Sprintf("send %q to agent 1 conversation 1 task %q context %q", "London", "", task.ContextID)
		if got := d.engine.Calls[len(d.engine.Calls)-1]; got != want {
			t.Errorf("enter means\n%s\nwant\n%s", got, want)
		}
	})
}

// An agent died during a stream: nothing says that it is working, or that the queue is sent
// when it is done.
func TestAnAgentThatIsAwayIsNotAtWork(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(midStream)
		d.sees(" working ", "sent when the agent is done")
		d.send(batchMsg{Items: []log.Item{{Signal: &log.Signal{
			Kind: log.SignalWatch, Agent: 1, Sentence: "Start Travel Desk, or wait: it is not reachable at 127.0.0.1:1.",
		}}}})
		d.sees("was working", "queued; the agent is not reachable")
		if !strings.Contains(d.top(), "◌ was working") || strings.Contains(d.text(), "sent when the agent is done") {
			t.Errorf("the task is shown as working although its agent is away:\n%s", d.text())
		}
	})
}

// A sentence about a forgotten task fits a narrow terminal, whatever the task's id.
func TestARefusalIsShort(t *testing.T) {
	t.Parallel()
	bubble(t, 80, 24, Options{}, func(d *desk) {
		d.book(asksWhere)
		task := d.task()
		d.forgets(task, a2a.OpGet)
		for _, turn := range task.Conversation.Turns {
			for _, b := range turn.Blocks {
				for _, e := range b.Entries {
					if e.Problem != nil && len(e.Problem.Sentence) > 78 {
						t.Errorf("the sentence has %d characters, want at most 78: %s", len(e.Problem.Sentence), e.Problem.Sentence)
					}
				}
			}
		}
		d.sees("→ new task in ctx " + looks.ShortID(task.ContextID) + ", " + looks.ShortID(task.ID) + " forgotten")
	})
}

// Messages queued behind a turn whose task the agent forgot are sent as a new task in the same
// context: after the turn failed, and when the turn ends with that.
func TestWhatIsQueuedBehindAForgottenTaskGoes(t *testing.T) {
	t.Parallel()
	for _, failed := range []bool{false, true} {
		bubble(t, 120, 40, Options{}, func(d *desk) {
			d.queueUp("a hotel", "the weather")
			task := d.model.tasks.All()[0]
			turn := d.model.state.Conversation(1).Turns[len(d.model.state.Conversation(1).Turns)-1].ID
			if failed {
				d.turnOver(turn, "It broke.")
				d.says("2 queued messages wait: the task has not ended")
				d.turnOver(turn+7, "") // another one
			}
			if got := d.told(); got != "" {
				t.Fatalf("sent %s, want nothing yet", got)
			}
			d.forgets(task, a2a.OpGet)
			d.turnOver(turn, "The agent no longer knows the task.")
			if got := d.told(); got != "a hotel" {
				t.Fatalf("failed %t: sent %q, want a hotel", failed, got)
			}
			if last := d.engine.Calls[len(d.engine.Calls)-1]; !strings.Contains(last, `task ""`) || !strings.Contains(last, fmt.Sprintf("context %q", task.ContextID)) {
				t.Errorf("got call %s, want the queued message as a new task in the same context", last)
			}
			d.sees("○ the weather")
		})
	}
}

// After a cancel the user decides what happens to the queue.
func TestWhatIsQueuedStaysAfterACancel(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.queueUp("a hotel")
		d.forgets(d.model.tasks.All()[0], a2a.OpCancel)
		d.turnOver(3, "The agent no longer knows the task.")
		if got := d.told(); got != "" {
			t.Errorf("sent %s, want nothing", got)
		}
	})
}

// forgets answers an operation on a task, and its repetition, with the error that the task is unknown.
func (d *desk) forgets(task *model.Task, op a2a.Op) {
	d.t.Helper()
	turns := task.Conversation.Turns
	for attempt, why := range []a2a.Why{a2a.WhyFirst, a2a.WhyAskedAgain} {
		call := a2a.Call{Op: op, TaskID: task.ID, Conversation: 1, Turn: turns[len(turns)-1].ID, Attempt: attempt + 1, Why: why}
		d.answered(call, `"error":{"code":-32001,"message":"Task not found"}`)
	}
}
