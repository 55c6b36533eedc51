package engine

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/session/task"
)

func TestADeliveryMovesTheTask(t *testing.T) {
	t.Parallel()
	d := newHarness(t, nil)
	a := agent(t, pusher)
	if d.Webhooks() != "" {
		t.Error("got a webhook URL before any registration, want none")
	}
	task, h := d.startWithWebhook(a)
	if status := h.deliver(t, taskDelivery(task.ID, "TASK_STATE_INPUT_REQUIRED", "a page")); status != 200 {
		t.Errorf("got status %d, want 200", status)
	}
	it := d.waitForDelivery()
	if it.Fate != log.FateTaken || task.State != a2a.StateInputRequired || len(task.Artifacts) != 1 || string(task.Artifacts[0].Text) != "a page" {
		t.Errorf("got fate %q, task %s with %d artifacts; want taken, input-required, 1 artifact", it.Fate, task.State, len(task.Artifacts))
	}
	if got := d.state.Waiting(); len(got) != 1 || got[0] != task {
		t.Errorf("got waiting tasks %v, want the delivered one", got)
	}
	if at, ok := d.state.Anchor(it.Record.ID); !ok || at.Conversation != task.Conversation.ID {
		t.Errorf("got anchor %+v, want one in the task's conversation", at)
	}
	if r := &it.Record; r.Dir != a2a.In || r.Call.TaskID != task.ID || log.Describe(it) != "delivery task input-required" ||
		r.Head.Header.Get("Authorization") != "Bearer "+a2a.Mask && r.Head.Header.Get("Authorization") != a2a.Mask || task.Push.Deliveries != 1 {
		t.Errorf("got row %q, record %+v, head %+v; want the delivery about the task with a masked token", log.Describe(it), it.Record, it.Record.Head)
	}
	if strings.Contains(d.journalText(), h.Token) || strings.Contains(d.journalText(), h.Authentication.Credentials) {
		t.Error("the journal contains a secret of the webhook")
	}
	d.finish()
}

func TestADeliveryThatDoesNotTellAllIsFollowedByOneGet(t *testing.T) {
	t.Parallel()
	d := newHarness(t, nil)
	a := agent(t, pusher)
	task, h := d.startWithWebhook(a)
	h.deliver(t, statusDelivery(task.ID, "TASK_STATE_COMPLETED", "2026-03-01T12:00:00Z"))
	d.until("the get", func(it log.Item) bool { return it.Record.Kind == a2a.KindRequest && it.Record.Call.Op == a2a.OpGet })
	d.waitForSignal(log.SignalTurnOver)
	if task.State != a2a.StateCompleted || len(task.Artifacts) != 1 || string(task.Artifacts[0].Text) != "all of it" {
		t.Errorf("got task %s with %d artifacts; want completed with the whole artifact\n%s", task.State, len(task.Artifacts), d.log())
	}
	for range 3 { // late deliveries cause no get
		h.deliver(t, fmt.Sprintf(`{"artifactUpdate":{"taskId":%q,"contextId":"c","append":true,"artifact":{"artifactId":"a","parts":[{"text":"more"}]},"metadata":{"n":%d}}}`, task.ID, d.state.Log.Len()))
		if it := d.waitForDelivery(); it.Fate != log.FateLate {
			t.Errorf("got row %q, want fate late", log.Describe(it))
		}
	}
	d.finish()
	gets := 0
	for _, r := range a.Requests() {
		if r.RPC == "GetTask" {
			gets++
		}
	}
	if gets != 1 || string(task.Artifacts[0].Text) != "all of it" {
		t.Errorf("got %d gets, artifact %q; want 1 get, \"all of it\"", gets, task.Artifacts[0].Text)
	}
}

func TestDeliveriesThatMustChangeNothingDoNot(t *testing.T) {
	t.Parallel()
	d := newHarness(t, nil)
	a := agent(t, pusher)
	task, h := d.startWithWebhook(a)
	first := taskDelivery(task.ID, "TASK_STATE_WORKING", "one two")
	h.deliver(t, first)
	if it := d.waitForDelivery(); it.Fate != log.FateTaken {
		t.Fatalf("first delivery: got row %q, want fate taken", log.Describe(it))
	}
	h.deliver(t, fmt.Sprintf(`{"task":{"id":%q,"contextId":"c","status":{"state":"TASK_STATE_WORKING","timestamp":"2026-03-01T12:00:00Z"}}}`, task.ID))
	d.waitForDelivery()
	wrong := h
	wrong.Token = "guess"
	stranger := h
	stranger.URL = strings.TrimSuffix(h.URL, "/") + "x"
	for _, c := range []struct {
		name, body string
		by         hook
		status     int
		fate       log.Fate
		row        string
	}{
		{"a wrong token", taskDelivery(task.ID, "TASK_STATE_FAILED", "x"), wrong, 401, log.FateRefused, "delivery · rejected"},
		{"another address", taskDelivery(task.ID, "TASK_STATE_FAILED", "x"), stranger, 404, log.FateRefused, "delivery · rejected"},
		{"another task", taskDelivery("other", "TASK_STATE_FAILED", "x"), h, 200, log.FateForeign, "delivery task failed · another task"},
		{"no A2A", `{"hello":"world"}`, h, 200, log.FateUnread, "delivery unknown event · not A2A"},
		{"no JSON", `<html>`, h, 200, log.FateUnread, ""},
		{"nothing", ``, h, 400, log.FateRefused, "delivery · rejected"},
		{"an error", `{"jsonrpc":"2.0","error":{"code":-32603,"message":"x"}}`, h, 200, log.FateUnread, ""},
		{"a duplicate", first, h, 200, log.FateTwice, "delivery task working · duplicate"},
		{"something older", statusDelivery(task.ID, "TASK_STATE_SUBMITTED", "2026-03-01T11:00:00Z"), h, 200, log.FateStale, "delivery status submitted · out of order"},
		{"a shorter one", taskDelivery(task.ID, "TASK_STATE_WORKING", "one"), h, 200, log.FateStale, "delivery task working · out of order"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if status := c.by.deliver(t, c.body); status != c.status {
				t.Errorf("got status %d, want %d", status, c.status)
			}
			it := d.waitForDelivery()
			if it.Fate != c.fate || c.row != "" && log.Describe(it) != c.row || it.Fate.Sentence() == "" {
				t.Errorf("got row %q (fate %d), want %q (fate %d)", log.Describe(it), it.Fate, c.row, c.fate)
			}
			if task.State != a2a.StateWorking || len(task.Artifacts) != 1 || string(task.Artifacts[0].Text) != "one two" || len(task.Artifacts[0].Revisions) != 0 {
				t.Errorf("got task %s, artifact %q; want working, \"one two\"", task.State, task.Artifacts[0].Text)
			}
		})
	}
	if len(task.Conversation.Tasks) != 1 {
		t.Errorf("got %d tasks, want 1", len(task.Conversation.Tasks))
	}
	d.finish()
}

func TestWhileAStreamTellsOfATaskDeliveriesDoNot(t *testing.T) {
	t.Parallel()
	d := newHarness(t, nil)
	a := agent(t, strings.NewReplacer("-- streaming --\nfalse", "-- streaming --\ntrue", "hang gate\n", "hang gate\nstream poem.md with echunk\n").Replace(pusher))
	id := d.openAgent(a.URL)
	turn := d.Send(model.Target{Agent: id}, &a2a.Message{Parts: []a2a.Part{a2a.TextPart("stream")}}, model.SendOptions{Webhook: true})
	d.until("a task", func(it log.Item) bool { return it.Record.Kind == a2a.KindEvent })
	task := d.state.Turn(turn).Blocks[0].Task
	h := webhookOf(t, a, "SendStreamingMessage")
	for _, body := range []string{
		taskDelivery(task.ID, "TASK_STATE_FAILED", "x"),
		fmt.Sprintf(`{"artifactUpdate":{"taskId":%q,"contextId":"c","append":true,"artifact":{"artifactId":"a","parts":[{"text":"x"}]}}}`, task.ID),
	} {
		h.deliver(t, body)
		if it := d.waitForDelivery(); it.Fate != log.FateStreamed || task.State != a2a.StateWorking || len(task.Artifacts) > 0 {
			t.Errorf("got row %q, task %s; want fate streamed, working", log.Describe(it), task.State)
		}
	}
	a.Release("gate")
	d.waitForTurnEnd(turn)
	d.finish()
	for _, r := range a.Requests() {
		if r.RPC == "GetTask" {
			t.Error("got GetTask, want no get while a stream reports the task")
		}
	}
}

func TestADeliveryMayComeBeforeTheAnswer(t *testing.T) {
	t.Parallel()
	d := newHarness(t, nil)
	a := agent(t, strings.Replace(pusher, "goto working\n", "goto working\nhang gate\n", 1))
	id := d.openAgent(a.URL)
	turn := d.Send(model.Target{Agent: id}, &a2a.Message{Parts: []a2a.Part{a2a.TextPart("work")}}, model.SendOptions{Webhook: true, Async: true})
	d.until("the message", func(it log.Item) bool { return it.Record.Kind == a2a.KindRequest && it.Record.Call.Op == a2a.OpSend })
	for len(a.Requests()) < 2 { // requests for the card and the message
		runtime.Gosched()
	}
	h := webhookOf(t, a, "SendMessage")
	h.deliver(t, taskDelivery("early", "TASK_STATE_WORKING", "x"))
	if it := d.waitForDelivery(); it.Fate != log.FateTaken {
		t.Errorf("got row %q, want fate taken", log.Describe(it))
	}
	task := d.state.Task(id, "early")
	if task == nil || task.Conversation != d.state.Turn(turn).Conversation {
		t.Fatalf("got task %+v, want one in the turn's conversation", task)
	}
	h.deliver(t, taskDelivery("second", "TASK_STATE_WORKING", "x"))
	if it := d.waitForDelivery(); it.Fate != log.FateForeign || it.Record.Call.TaskID != "early" {
		t.Errorf("got row %q about task %q, want fate foreign about \"early\"", log.Describe(it), it.Record.Call.TaskID)
	}
	a.Release("gate")
	d.waitForTurnEnd(turn)
	d.finish()
}

func TestADeliveryEndsTheWaitForTheNextGet(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]func(string) string{
		"with all of it": func(task string) string { return taskDelivery(task, "TASK_STATE_COMPLETED", "pushed") },
		"without":        func(task string) string { return statusDelivery(task, "TASK_STATE_COMPLETED", "2026-03-01T12:00:00Z") },
	} {
		t.Run(name, func(t *testing.T) {
			d := newHarness(t, func(o *options) { o.PollMin, o.PollMax = never, never })
			a := agent(t, pusher)
			id := d.openAgent(a.URL)
			turn := d.Send(model.Target{Agent: id}, &a2a.Message{Parts: []a2a.Part{a2a.TextPart("work")}}, model.SendOptions{Webhook: true})
			sig := d.waitForSignal(log.SignalPoll)
			webhookOf(t, a, "SendMessage").deliver(t, body(sig.TaskID))
			d.waitForTurnEnd(turn)
			task := d.state.Task(id, sig.TaskID)
			want := map[bool]string{true: "pushed", false: "all of it"}[name == "with all of it"]
			if task.State != a2a.StateCompleted || len(task.Artifacts) != 1 || string(task.Artifacts[0].Text) != want {
				t.Errorf("got task %s with %d artifacts; want completed with the result\n%s", task.State, len(task.Artifacts), d.log())
			}
			d.finish()
		})
	}
}

// A wait is not begun for a delivery that came after the wait was announced and before it
// began.
func TestADeliveryMayComeBeforeTheWaitThatItEnds(t *testing.T) {
	t.Parallel()
	d := newHarness(t, nil)
	a := &remote{id: 1, tasks: map[string]*knownTask{"t": {restRequested: true, Lifecycle: task.Lifecycle{State: a2a.StateCompleted}}}}
	d.agents[a.id] = a
	fw := d.follow(a, &a2a.Call{Op: a2a.OpGet, TaskID: "t"})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	if !d.waitForRetry(ctx, fw, nil) {
		t.Error("waitForRetry waits for a delivery that came before, want true at once")
	}
	cancel()
	if d.waitForRetry(ctx, fw, nil) {
		t.Error("waitForRetry returned true for an ended context, want false")
	}
}

func TestAnAnswerThatAnotherOneOvertookChangesNothing(t *testing.T) {
	t.Parallel()
	for name, stamps := range map[string][2]string{"with timestamps": {`,"timestamp":"2026-03-01T11:00:00Z"`, `,"timestamp":"2026-03-01T12:00:00Z"`}, "without": {}} {
		t.Run(name, func(t *testing.T) {
			d := newHarness(t, nil)
			whole := func(name, state, stamp string) string {
				return "-- " + name + " --\n" + `{"jsonrpc":"2.0","id":{{id}},"result":{"id":"{{task}}","contextId":"{{context}}","status":{"state":"TASK_STATE_` + state + `"` + stamp + `}}}` + "\n"
			}
			a := agent(t, "-- scene work --\nis work\nanswer -\nhead 200 application/json\ngoto working\nsend task state=TASK_STATE_WORKING\n"+
				"-- scene late --\non GetTask\nstate working\ngoto asked\nhead 200 application/json\nsend begun\nhang late\nsend older\n-- scene soon --\non GetTask\nstate asked\nsend newer\n"+
				"-- begun --\n\n"+whole("older", "WORKING", stamps[0])+whole("newer", "COMPLETED", stamps[1]))
			turn, _ := d.sendText(model.Target{Agent: d.openAgent(a.URL)}, "work", model.SendOptions{Stream: a2a.False, Async: true})
			task, id := turn.Blocks[0].Task, turn.Conversation.Agent.ID
			d.Get(id, task.ID, 0, nil)
			d.until("the beginning of an answer", func(it log.Item) bool { return it.Record.Kind == a2a.KindHead && it.Record.Exchange > turn.Record })
			d.Get(id, task.ID, 0, nil)
			d.until("the answer to the second question", func(it log.Item) bool { return task.State == a2a.StateCompleted })
			a.Release("late")
			d.waitForTurnEnd(turn.ID)
			if task.State != a2a.StateCompleted {
				t.Errorf("got task %s, want completed\n%s", task.State, d.log())
			}
			d.finish()
		})
	}
}

func TestAnAnswerThatADeliveryOvertookChangesNothing(t *testing.T) {
	t.Parallel()
	for name, stamps := range map[string][2]string{"with timestamps": {`,"timestamp":"2026-03-01T11:00:00Z"`, `,"timestamp":"2026-03-01T12:00:00Z"`}, "without": {}} {
		t.Run(name, func(t *testing.T) {
			d := newHarness(t, nil)
			slow := strings.Replace(pusher, "set artifacts whole\nsend bare state=TASK_STATE_COMPLETED", "hang late\nsend older", 1) +
				"-- older --\n" + `{"jsonrpc":"2.0","id":{{id}},"result":{"id":"{{task}}","contextId":"{{context}}","status":{"state":"TASK_STATE_WORKING"` + stamps[0] + `}}}` + "\n"
			a := agent(t, slow)
			task, h := d.startWithWebhook(a)
			turn := d.Get(task.Conversation.Agent.ID, task.ID, 0, nil)
			d.until("the question", func(it log.Item) bool { return it.Record.Kind == a2a.KindRequest && it.Record.Call.Op == a2a.OpGet })
			h.deliver(t, fmt.Sprintf(`{"task":{"id":%q,"contextId":"c","status":{"state":"TASK_STATE_COMPLETED"%s}}}`, task.ID, stamps[1]))
			if it := d.waitForDelivery(); it.Fate != log.FateTaken || task.State != a2a.StateCompleted {
				t.Errorf("got row %q, task %s; want fate taken, completed", log.Describe(it), task.State)
			}
			a.Release("late")
			d.waitForTurnEnd(turn)
			if task.State != a2a.StateCompleted {
				t.Errorf("got task %s, want completed\n%s", task.State, d.log())
			}
			d.finish()
		})
	}
}
