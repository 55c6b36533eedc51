package engine

import (
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
)

const registrar = `
-- scene work --
is work
goto working
send etask state=TASK_STATE_WORKING
send estray key=k0 bit='The ' more=false
send estray key=k1 bit='tide ' more=true
send estray key=k2 bit='comes ' more=true
send estray key=k3 bit='in.' more=true
hang gate
goto over
send estatus state=TASK_STATE_COMPLETED
-- scene list --
on ListTasks
answer -
head 200 application/json
send tasks
-- scene set --
on CreateTaskPushNotificationConfig
answer -
head 200 application/json
send config
-- scene get --
on GetTaskPushNotificationConfig
answer -
head 200 application/json
send config
-- scene configs --
on ListTaskPushNotificationConfigs
answer -
head 200 application/json
send configs
-- scene delete --
on DeleteTaskPushNotificationConfig
answer -
head 200 application/json
send deleted
-- estray --
data: {"jsonrpc":"2.0","id":{{id}},"result":{"artifactUpdate":{"taskId":"{{task}}","contextId":"{{context}}","append":{{more}},"artifact":{"artifactId":"{{key}}","parts":[{"text":"{{bit}}"}]}}}}

-- tasks --
{"jsonrpc":"2.0","id":{{id}},"result":{"tasks":[{"id":"t7","contextId":"c7","status":{"state":"TASK_STATE_COMPLETED"}}],"nextPageToken":"p2","pageSize":1,"totalSize":2}}
-- config --
{"jsonrpc":"2.0","id":{{id}},"result":{"taskId":"t","id":"hook","url":"https://hooks.example.com/a"}}
-- configs --
{"jsonrpc":"2.0","id":{{id}},"result":{"configs":[{"taskId":"t","id":"hook","url":"https://hooks.example.com/a"}]}}
-- deleted --
{"jsonrpc":"2.0","id":{{id}}}
`

func TestListsAndWebhooksAreOperationsOfATurn(t *testing.T) {
	t.Parallel()
	d := newHarness(t, nil)
	a := agent(t, registrar)
	id := d.openAgent(a.URL)
	turn, task := d.startTask(id, "work")
	entries := len(d.state.Turn(turn).Blocks[0].Entries)
	hook := a2a.PushConfig{ID: "hook", URL: "https://hooks.example.com/a", Token: "s3cret"}
	for _, op := range []struct {
		name, method, has string
		begin             func() a2a.TurnID
		kind              a2a.EventKind
	}{
		{"list", "ListTasks", `"pageSize":1`, func() a2a.TurnID { return d.List(id, a2a.ListFilter{PageSize: 1}, nil) }, a2a.EventTaskList},
		{"set", "CreateTaskPushNotificationConfig", `hooks.example.com`, func() a2a.TurnID { return d.PushSet(id, task.ID, hook) }, a2a.EventPushConfig},
		{"get", "GetTaskPushNotificationConfig", `"id":"hook"`, func() a2a.TurnID { return d.PushGet(id, task.ID, "hook") }, a2a.EventPushConfig},
		{"list of webhooks", "ListTaskPushNotificationConfigs", task.ID, func() a2a.TurnID { return d.PushList(id, task.ID, a2a.ListFilter{}) }, a2a.EventPushConfig},
		{"delete", "DeleteTaskPushNotificationConfig", `"id":"hook"`, func() a2a.TurnID { return d.PushDelete(id, task.ID, "hook") }, a2a.EventEmpty},
	} {
		n := op.begin()
		it := d.until(op.name, func(it log.Item) bool { return it.Record.Kind == a2a.KindBody })
		if it.Record.Call.Turn != n || len(it.Update.Events) != 1 || it.Update.Events[0].Kind != op.kind {
			t.Errorf("%s: got turn %d, update %+v; want turn %d and one event of kind %v", op.name, it.Record.Call.Turn, it.Update, n, op.kind)
		}
		d.until("the end", func(it log.Item) bool { return it.Record.Kind == a2a.KindEnd })
		sent := a.Requests()[len(a.Requests())-1]
		if body := string(sent.Body); !strings.Contains(body, op.method) || !strings.Contains(body, op.has) {
			t.Errorf("%s: got request %s, want one with %s and %s", op.name, body, op.method, op.has)
		}
	}
	for len(d.state.Turn(turn).Blocks[0].Entries) < entries+4 { // the artifacts may arrive later
		d.until("another artifact", func(log.Item) bool { return true })
	}
	if got := len(d.state.Turn(turn).Blocks[0].Entries); got != entries+4 {
		t.Errorf("got %d entries in the conversation, want %d", got, entries+4)
	}
	for id := range d.state.Log.Len() {
		if r := d.state.Log.At(a2a.RecordID(id + 1)).Record; strings.Contains(string(r.Raw), "s3cret") {
			t.Errorf("record %d contains the token", r.ID)
		}
	}
	if sig := d.waitForTurnEnd(d.List(id, a2a.ListFilter{}, nil)); sig.Sentence != "" || sig.Conversation != 0 {
		t.Errorf("got turn end %+v of the list, want no failure and no conversation", sig)
	}
	if n := len(d.state.Agent(id).Conversations); n != 1 {
		t.Errorf("got %d conversations, want 1", n)
	}
	d.finish()
}

func TestScatteredArtifactsAreMergedAndReplaySeesIt(t *testing.T) {
	t.Parallel()
	d := newHarness(t, nil)
	a := agent(t, registrar)
	id := d.openAgent(a.URL)
	turn, task := d.startTask(id, "work")
	d.until("the last chunk", func(log.Item) bool { return len(task.Artifacts) == 4 })
	if task.Scattered != 4 {
		t.Fatalf("got %d scattered artifacts, want 4\n%s", task.Scattered, d.log())
	}
	d.MergeArtifacts(id, task.ID)
	d.until("the note", func(it log.Item) bool { return it.Record.Kind == a2a.KindNote })
	a.Release("gate")
	d.waitForTurnEnd(turn)
	if len(task.Artifacts) != 1 || task.Scattered != 0 {
		t.Fatalf("got %d artifacts, %d scattered; want 1, 0", len(task.Artifacts), task.Scattered)
	}
	all := task.Artifacts[0]
	if string(all.Text) != "The tide comes in." || all.Chunks != 4 || all.Live {
		t.Errorf("got artifact %q of %d chunks, live %v; want the whole text, 4, not live", all.Text, all.Chunks, all.Live)
	}
	for _, sp := range all.Spans {
		at, ok := d.state.Anchor(sp.Record)
		if e := d.state.Turn(turn).Blocks[at.Block].Entries[at.Entry]; !ok || e.Artifact != all || at.Offset != sp.Offset {
			t.Errorf("record %d: got anchor %+v, want the merged artifact at the span's offset", sp.Record, at)
		}
	}
	shown := 0
	for _, e := range d.state.Turn(turn).Blocks[0].Entries {
		if e.Kind == model.EntryArtifact && !e.Replaced {
			shown++
		}
	}
	if shown != 1 {
		t.Errorf("got %d visible artifacts, want 1", shown)
	}
	if got := d.state.Assembled(id, task.ID); len(got.Artifacts) != 1 {
		t.Errorf("got assembled artifacts %+v, want 1", got.Artifacts)
	}
	d.finish()
}
