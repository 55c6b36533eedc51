package engine

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/a2a/a2atest"
	"parley/session/journal"
	"parley/session/log"
	"parley/session/model"
)

// pusher is an agent that starts tasks and stores webhooks; the tests post the deliveries.
const pusher = `
-- streaming --
false
-- scene work --
is work
answer -
goto working
send task state=TASK_STATE_WORKING
-- scene get --
on GetTask
state working
set artifacts whole
send bare state=TASK_STATE_COMPLETED
-- whole --
{"artifactId":"a","name":"a","parts":[{"text":"all of it"}]}
-- scene streams --
is stream
goto streaming
send etask state=TASK_STATE_WORKING
hang gate
send estatus state=TASK_STATE_COMPLETED
-- scene set --
on CreateTaskPushNotificationConfig
answer -
send config
-- scene list --
on ListTaskPushNotificationConfigs
answer -
send configs
-- scene delete --
on DeleteTaskPushNotificationConfig
answer -
send deleted
-- scene one --
on GetTaskPushNotificationConfig
answer -
send forbidden
-- config --
{"jsonrpc":"2.0","id":{{id}},"result":{"taskId":"{{task}}","id":"h1","url":"https://hooks.example.com/a"}}
-- configs --
{"jsonrpc":"2.0","id":{{id}},"result":{"configs":[{"taskId":"{{task}}","id":"h1","url":"https://hooks.example.com/a"},{"taskId":"{{task}}","id":"h2","url":"https://hooks.example.com/b"}]}}
-- deleted --
{"jsonrpc":"2.0","id":{{id}}}
-- forbidden --
{"jsonrpc":"2.0","id":{{id}},"error":{"code":-32003,"message":"no webhooks here"}}
`

// hook is a webhook as a request registers it.
type hook struct {
	URL, Token     string
	Authentication struct{ Scheme, Credentials string }
}

// webhookOf returns the webhook of the newest request of a method.
func webhookOf(t *testing.T, a *a2atest.Agent, method string) hook {
	t.Helper()
	var body struct {
		Params struct {
			hook
			Configuration struct{ TaskPushNotificationConfig hook }
		}
	}
	for _, r := range slices.Backward(a.Requests()) {
		if r.RPC != method {
			continue
		}
		if err := json.Unmarshal(r.Body, &body); err != nil {
			t.Fatal(err)
		}
		if body.Params.URL == "" {
			return body.Params.Configuration.TaskPushNotificationConfig
		}
		return body.Params.hook
	}
	t.Fatalf("the agent got no request %s", method)
	return hook{}
}

// deliver posts a delivery and returns the status of the answer.
func (h hook) deliver(t *testing.T, body string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.URL, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	if h.Token != "" {
		req.Header.Set("X-A2A-Notification-Token", h.Token)
	}
	if h.Authentication.Credentials != "" {
		req.Header.Set("Authorization", h.Authentication.Scheme+" "+h.Authentication.Credentials)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	return resp.StatusCode
}

// waitForDelivery waits for a delivery and its end, and returns it as the log has it.
func (d *harness) waitForDelivery() *log.Item {
	d.t.Helper()
	it := d.until("a delivery", func(it log.Item) bool { return it.Record.Kind == a2a.KindDelivery })
	d.until("the end of the delivery", func(e log.Item) bool {
		return e.Record.Kind == a2a.KindEnd && e.Record.Exchange == it.Record.ID
	})
	return d.state.Log.At(it.Record.ID)
}

func statusDelivery(task, state, stamp string) string {
	return fmt.Sprintf(`{"statusUpdate":{"taskId":%q,"contextId":"c","status":{"state":%q,"timestamp":%q}}}`, task, state, stamp)
}

func taskDelivery(task, state, text string) string {
	return fmt.Sprintf(`{"task":{"id":%q,"contextId":"c","status":{"state":%q},"artifacts":[{"artifactId":"a","parts":[{"text":%q}]}]}}`, task, state, text)
}

// startWithWebhook sends "work" with a webhook and returns the task and the webhook.
func (d *harness) startWithWebhook(a *a2atest.Agent) (*model.Task, hook) {
	d.t.Helper()
	turn, _ := d.sendText(model.Target{Agent: d.openAgent(a.URL)}, "work", model.SendOptions{Webhook: true, Async: true})
	if len(turn.Blocks) == 0 || turn.Blocks[0].Task == nil {
		d.t.Fatalf("got a turn without a task, want one\n%s", d.log())
	}
	h := webhookOf(d.t, a, "SendMessage")
	if h.URL == "" || h.Token == "" || h.Authentication.Scheme != "Bearer" {
		d.t.Fatalf("got webhook %+v, want a URL, a token and the scheme Bearer", h)
	}
	return turn.Blocks[0].Task, h
}

// journalText returns the whole journal.
func (d *harness) journalText() string {
	d.t.Helper()
	path := filepath.Join(d.t.TempDir(), "logged.jsonl")
	j, err := journal.Create(path, journal.Options{Now: time.Now})
	if err != nil {
		d.t.Fatal(err)
	}
	r := journal.NewRecorder(log.NewFeed(), j)
	for i := range d.state.Log.Len() {
		r.Put(d.state.Log.At(a2a.RecordID(i+1)).Record, a2a.Update{})
	}
	if err := j.Close(); err != nil {
		d.t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		d.t.Fatal(err)
	}
	return string(text)
}
