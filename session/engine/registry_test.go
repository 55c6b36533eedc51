package engine

import (
	"slices"
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
)

func TestWhatIsKnownOfWebhooksFollowsFromTheAnswers(t *testing.T) {
	t.Parallel()
	d := newHarness(t, nil)
	a := agent(t, pusher)
	turn, _ := d.sendText(model.Target{Agent: d.openAgent(a.URL)}, "work", model.SendOptions{Async: true})
	task := turn.Blocks[0].Task
	id := turn.Conversation.Agent.ID
	if _, err := d.PushListen(id, task.ID); err != nil {
		t.Fatal(err)
	}
	d.until("the request", func(it log.Item) bool { return it.Record.Kind == a2a.KindRequest })
	if task.Push.Pending != a2a.OpPushSet {
		t.Errorf("got push %+v, want the set operation in progress", task.Push)
	}
	d.waitForTurnEnd(turn.ID)
	if h := webhookOf(t, a, "CreateTaskPushNotificationConfig"); !strings.HasPrefix(h.URL, d.Webhooks()+"/") || h.Token == "" {
		t.Errorf("got webhook %+v, want one of Parley's with a token", h)
	}
	has := func(what string, ids ...string) {
		t.Helper()
		var got []string
		for _, h := range task.Push.Hooks {
			got = append(got, h.ID)
		}
		if !slices.Equal(got, ids) || task.Push.Pending != "" {
			t.Errorf("after %s: got webhooks %q, asking %q; want %q, none", what, got, task.Push.Pending, ids)
		}
	}
	has("one was set", "h1")
	d.waitForTurnEnd(d.PushList(id, task.ID, a2a.ListFilter{}))
	has("the list", "h1", "h2")
	d.waitForTurnEnd(d.PushDelete(id, task.ID, "h1"))
	has("one was deleted", "h2")
	d.waitForTurnEnd(d.PushGet(id, task.ID, "h2"))
	has("a refusal", "h2")
	if pr := task.Push.Problem; pr == nil || !strings.Contains(pr.Sentence, "PushNotificationNotSupported") {
		t.Errorf("got problem %+v, want PushNotificationNotSupported", pr)
	}
	d.waitForTurnEnd(d.PushList(id, task.ID, a2a.ListFilter{}))
	if task.Push.Problem != nil {
		t.Errorf("got problem %+v, want none", task.Push.Problem)
	}
	d.finish()
}

func TestATaskHasOneWebhookOfOurs(t *testing.T) {
	t.Parallel()
	d := newHarness(t, nil)
	a := agent(t, pusher)
	task, first := d.startWithWebhook(a)
	for range 2 {
		if _, err := d.PushListen(task.Conversation.Agent.ID, task.ID); err != nil {
			t.Fatal(err)
		}
		d.until("the answer", func(it log.Item) bool { return it.Record.Kind == a2a.KindEnd && it.Record.Call.Op == a2a.OpPushSet })
		if again := webhookOf(t, a, "CreateTaskPushNotificationConfig"); again != first {
			t.Errorf("got webhook %+v for the second registration, want %+v", again, first)
		}
	}
	d.sendText(model.Target{Agent: task.Conversation.Agent.ID}, "work", model.SendOptions{Webhook: true, Async: true})
	if other := webhookOf(t, a, "SendMessage"); other.URL == first.URL || other.Token == first.Token {
		t.Error("got the same webhook for two tasks, want different ones")
	}
	d.finish()
}

func TestNullClearsTheWebhookOf01(t *testing.T) {
	t.Parallel()
	d := newHarness(t, nil)
	a := agent(t, `
-- agent --
name Old
dialect 0.1
endpoint /rpc
serve /.well-known/agent.json card application/json
-- card --
{"name":"Old","version":"1","url":"{{origin}}/rpc","authentication":{"schemes":[]},"capabilities":{"streaming":false,"pushNotifications":true},"skills":[{"id":"a","name":"A"}]}
-- scene work --
on tasks/send
goto working
send old
-- scene set --
on tasks/pushNotification/set
send cleared
-- old --
{"jsonrpc":"2.0","id":{{id}},"result":{"id":"{{task}}","status":{"state":"working"}}}
-- cleared --
{"jsonrpc":"2.0","id":{{id}},"result":{"id":"{{task}}","pushNotificationConfig":null}}
`)
	turn, _ := d.sendText(model.Target{Agent: d.openAgent(a.URL)}, "work", model.SendOptions{Async: true, Webhook: true})
	task := turn.Blocks[0].Task
	id := turn.Conversation.Agent.ID
	if sent := a.Requests(); !strings.Contains(string(sent[len(sent)-1].Body), `"authentication":{"schemes":["Bearer"]}`) {
		t.Errorf("got request %s, want one with the scheme Bearer", sent[len(sent)-1].Body)
	}
	task.Push.Hooks = []model.Webhook{{PushConfig: a2a.PushConfig{URL: "https://x.example"}}}
	d.waitForTurnEnd(d.PushDelete(id, task.ID, ""))
	requests := a.Requests()
	if last := requests[len(requests)-1]; last.RPC != "tasks/pushNotification/set" || !strings.Contains(string(last.Body), `"pushNotificationConfig":null`) {
		t.Errorf("got request %s: %s, want the webhook set to null", last.RPC, last.Body)
	}
	if len(task.Push.Hooks) != 0 || task.Push.Problem != nil {
		t.Errorf("got push %+v, problem %v; want no webhooks, no problem", task.Push, task.Push.Problem)
	}
	for i := range d.state.Log.Len() {
		for _, f := range d.state.Log.At(a2a.RecordID(i + 1)).Update.Findings {
			t.Errorf("record %d has finding %+v, want none", i+1, f)
		}
	}
}

func TestAReceiverThatCannotListenSaysWhy(t *testing.T) {
	t.Parallel()
	d := newHarness(t, func(o *options) { o.Webhook.Listen = "no address" })
	a := agent(t, pusher)
	turn, _ := d.sendText(model.Target{Agent: d.openAgent(a.URL)}, "work", model.SendOptions{Async: true})
	if _, err := d.PushListen(turn.Conversation.Agent.ID, turn.Blocks[0].Task.ID); err == nil || !strings.Contains(err.Error(), "--push-listen") {
		t.Errorf("got error %v, want one that names --push-listen", err)
	}
	_, sig := d.sendText(model.Target{Agent: turn.Conversation.Agent.ID}, "work", model.SendOptions{Async: true, Webhook: true})
	if !strings.Contains(sig.Sentence, "--push-listen") {
		t.Errorf("got turn end %q, want one that names --push-listen", sig.Sentence)
	}
	if _, err := d.PushListen(99, "t"); err == nil {
		t.Error("got no error for an unknown agent")
	}
	d.finish()
}
