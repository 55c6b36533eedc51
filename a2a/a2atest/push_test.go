package a2atest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A told is a delivery that a webhook received.
type told struct {
	header http.Header
	body   string
}

func TestWebhooksAreKeptAndTold(t *testing.T) {
	for _, c := range []struct {
		dialect, send, params, set, config, get, list, remove, one string
	}{
		{
			"1.0", "SendMessage", `{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"go"}]}}`, "CreateTaskPushNotificationConfig",
			`{"taskId":%[1]q,"id":"h","url":%[2]q,"token":"tok","authentication":{"scheme":"Bearer","credentials":"cred"}}`,
			"GetTaskPushNotificationConfig", "ListTaskPushNotificationConfigs", "DeleteTaskPushNotificationConfig", `{"taskId":%q,"id":"h"}`,
		},
		{
			"0.3", "message/send", `{"message":{"messageId":"m","role":"user","parts":[{"text":"go"}]}}`, "tasks/pushNotificationConfig/set",
			`{"taskId":%[1]q,"pushNotificationConfig":{"id":"h","url":%[2]q,"token":"tok","authentication":{"schemes":["Bearer"],"credentials":"cred"}}}`,
			"tasks/pushNotificationConfig/get", "tasks/pushNotificationConfig/list", "tasks/pushNotificationConfig/delete", `{"id":%q,"pushNotificationConfigId":"h"}`,
		},
		{
			"0.1", "tasks/send", `{"id":"mine","message":{"role":"user","parts":[{"text":"go"}]}}`, "tasks/pushNotification/set",
			`{"id":%[1]q,"pushNotificationConfig":{"url":%[2]q,"token":"tok","authentication":{"schemes":["Bearer"],"credentials":"cred"}}}`,
			"tasks/pushNotification/get", "", "", `{"id":%q}`,
		},
	} {
		t.Run(c.dialect, func(t *testing.T) {
			got := make(chan told, 10)
			hook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				got <- told{r.Header, string(body)}
			}))
			t.Cleanup(hook.Close)
			s, err := Parse("pusher", []byte("-- agent --\ndialect "+c.dialect+"\nendpoint /rpc\nwebhooks\n-- scene go --\ngoto busy\nhead 200 application/json\nsend ok\nleave\nwebhook\nnotify body\nhang gate\nnotify body\n-- ok --\n{\"task\":\"{{task}}\"}\n-- body --\n{\"id\":\"{{task}}\"}\n"))
			if err != nil {
				t.Fatal(err)
			}
			a, err := Start(context.Background(), s, Options{})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(a.Close)
			var answer struct{ Task string }
			if err := json.Unmarshal([]byte(all(t, post(t, a, c.send, c.params))), &answer); err != nil || answer.Task == "" {
				t.Fatalf("got no task: %v", err)
			}
			has := func(method, params, want string) {
				t.Helper()
				if body := all(t, post(t, a, method, params)); !strings.Contains(body, want) {
					t.Errorf("%s: got answer %s, want %s", method, body, want)
				}
			}
			one := fmt.Sprintf(c.one, answer.Task)
			has(c.set, fmt.Sprintf(c.config, answer.Task, hook.URL), hook.URL)
			if g := <-got; g.header.Get("X-A2A-Notification-Token") != "tok" || g.header.Get("Authorization") != "Bearer cred" || !strings.Contains(g.body, answer.Task) {
				t.Errorf("got delivery %+v, want one with token, credentials and task", g)
			}
			has(c.get, one, hook.URL)
			if c.list != "" {
				list := strings.ReplaceAll(one, `"id":"h"`, `"pageSize":9`)
				has(c.list, list, hook.URL)
				has(c.remove, one, "result")
				has(c.get, one, "-32001")
			} else {
				has(c.set, fmt.Sprintf(`{"id":%q,"pushNotificationConfig":null}`, answer.Task), `"pushNotificationConfig":null`)
				has(c.get, one, `"pushNotificationConfig":null`)
			}
			has(c.get, strings.ReplaceAll(one, answer.Task, "nobody"), "-32001")
			a.Release("gate")
			a.Close()
			select {
			case g := <-got:
				t.Errorf("got delivery %+v to a deleted webhook", g)
			default:
			}
		})
	}
}
