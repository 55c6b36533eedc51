package serve

import (
	"strings"
	"testing"
)

// atOnce is a message in 0.3 or 1.0 whose client waits for no end.
func atOnce(f *form) string {
	config := `,"configuration":{"returnImmediately":true}}`
	if f.dialect == "v0.3" {
		config = `,"configuration":{"blocking":false}}`
	}
	return f.in("1", f.plain, strings.TrimSuffix(f.message, "}")+config)
}

// A client that does not wait gets the task as it was first sent, and can see it go on with the recorded time:
// by asking, in a list, and by a subscription to the rest.
func TestATaskGoesOnAfterAnAnswerAtOnce(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"0.3", "1.0"} {
		f := forms[name]
		tp, x := f.streams()
		tp.end(x, "ended", "")
		ts := tp.serve(t, Options{Speed: 2})
		get, list, subscribe := "tasks/get", "", "tasks/resubscribe"
		if name == "1.0" {
			get, list, subscribe = "GetTask", "ListTasks", "SubscribeToTask"
		}
		first, err := ts.post(t, atOnce(&f))
		if err != nil || !strings.Contains(strings.ToLower(first), `submitted"`) || strings.Contains(first, "artifacts") {
			t.Errorf("got %s, %v, want the task as it was first sent", first, err)
		}
		if got, _ := ts.post(t, getBody(get, "t")); !strings.Contains(strings.ToLower(got), `submitted"`) {
			t.Errorf("got %s, want the task submitted", got)
		}
		ts.advance(moment / 2) // the time of one event at this speed; the first one came after two
		rest, err := ts.post(t, getBody(subscribe, "t"))
		if events := strings.Split(strings.TrimSpace(rest), "\n\n"); err != nil || len(events) != len(f.events)-1 || !strings.Contains(events[0], `"artifacts"`) || !strings.Contains(strings.ToLower(events[len(events)-1]), `completed"`) {
			t.Errorf("got %s, %v, want the task with its first artifact and the rest", rest, err)
		}
		if got, _ := ts.post(t, getBody(get, "t")); !strings.Contains(strings.ToLower(got), `completed"`) {
			t.Errorf("got %s, want the task completed after the time of its stream", got)
		}
		if got, _ := ts.post(t, getBody(subscribe, "t")); !strings.Contains(got, `"code":-32004`) {
			t.Errorf("got %s, want no subscription to a task that has ended", got)
		}
		if list == "" {
			continue
		}
		for filter, want := range map[string]string{
			`{}`:               `{"tasks":[{"id":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"}}],"nextPageToken":"","pageSize":50,"totalSize":1}`,
			`{"pageSize":-1}`:  `"pageSize":50`,
			`{"pageSize":1e9}`: `"totalSize":1`,
			`{"contextId":"c","status":"TASK_STATE_COMPLETED","includeArtifacts":true}`: `"artifacts":[{"artifactId":"a"`,
			`{"contextId":"other"}`:                             `"tasks":[]`,
			`{"status":"TASK_STATE_WORKING"}`:                   `"tasks":[]`,
			`{"pageToken":"99999999999999999999"}`:              `"totalSize":1`,
			`{"pageToken":"-5","pageSize":9223372036854775807}`: `"tasks":[{"id":"t"`,
		} {
			if got, _ := ts.post(t, f.in("1", list, filter)); !strings.Contains(got, want) {
				t.Errorf("list %s: got %s, want %s", filter, got, want)
			}
		}
	}
}

// A list has pages, with the newest task first.
func TestAListHasPages(t *testing.T) {
	t.Parallel()
	f := forms["1.0"]
	tp, x := f.streams()
	tp.end(x, "ended", "")
	ts := tp.serve(t, Options{})
	for range 3 {
		if _, err := ts.post(t, f.in("1", f.plain, f.message)); err != nil {
			t.Fatal(err)
		}
	}
	first, _ := ts.post(t, f.in("1", "ListTasks", `{"pageSize":2}`))
	if !strings.Contains(first, `"tasks":[{"id":"t-3"`) || !strings.Contains(first, `{"id":"t-2"`) || !strings.Contains(first, `"nextPageToken":"2","pageSize":2,"totalSize":3`) {
		t.Errorf("got %s, want the two newest tasks", first)
	}
	if second, _ := ts.post(t, f.in("1", "ListTasks", `{"pageSize":2,"pageToken":"2"}`)); !strings.Contains(second, `"tasks":[{"id":"t",`) || !strings.Contains(second, `"nextPageToken":""`) {
		t.Errorf("got %s, want the first task", second)
	}
}

// A cancel ends the answers about the task, plain and streamed, each in its form.
func TestACancelEndsWhatIsBeingSent(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][2]string{
		"0.3": {`"status":{"state":"canceled"}`, `"result":{"taskId":"t","contextId":"c","status":{"state":"canceled"},"final":true,"kind":"status-update"}}`},
		"1.0": {`"status":{"state":"TASK_STATE_CANCELED"}`, `"result":{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_CANCELED"}}}}`},
		"0.1": {`"status":{"state":"canceled"}`, `"result":{"id":"t","status":{"state":"canceled"},"final":true}}`},
	} {
		t.Run(name, func(t *testing.T) {
			f := forms[name]
			for _, method := range []string{f.plain, f.stream} {
				tp, x := f.streams()
				tp.end(x, "ended", "")
				ts := tp.serve(t, Options{Speed: 1})
				ts.held = make(chan struct{})
				if method == f.stream {
					ts.after = 2 // when the first event was sent
				}
				answer := make(chan string)
				go func() {
					body, err := ts.post(t, f.in("1", method, f.message))
					if err != nil {
						t.Error(err)
					}
					answer <- body
				}()
				cancel := "tasks/cancel"
				if name == "1.0" {
					cancel = "CancelTask"
				}
				<-ts.held
				ts.advance(2 * moment) // the task is there
				if got, err := ts.post(t, getBody(cancel, "t")); err != nil || !strings.Contains(got, want[0]) {
					t.Errorf("%s: got %s, %v, want %s", method, got, err, want[0])
				}
				got, last := <-answer, want[0]
				if method == f.stream {
					last = want[1] + "\n\n"
				}
				if !strings.Contains(got, last) || method == f.stream && !strings.HasSuffix(got, last) {
					t.Errorf("%s: got %s, want it to end with %s", method, got, last)
				}
				if got, _ := ts.post(t, getBody(cancel, "t")); !strings.Contains(got, `"code":-32002`) {
					t.Errorf("%s: got %s, want the second cancel to be refused", method, got)
				}
			}
		})
	}
}

// What the recording cannot tell is refused with the error of A2A for it.
func TestWhatNobodyKnowsIsRefused(t *testing.T) {
	t.Parallel()
	f := forms["1.0"]
	tp, x := f.streams()
	tp.end(x, "ended", "")
	tp.card(`{"name":"Clerk","capabilities":{"pushNotifications":true},"supportedInterfaces":[{"url":"http://agent.example/a2a","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],"skills":[]}`)
	ts := tp.serve(t, Options{})
	if _, err := ts.post(t, f.in("1", f.plain, f.message)); err != nil {
		t.Fatal(err)
	}
	for request, want := range map[string]string{
		f.in("1", "CreateTaskPushNotificationConfig", `{"taskId":"t","url":"http://127.0.0.1/"}`): `"code":-32003`,
		f.in("1", "GetTaskPushNotificationConfig", `{"taskId":"t","id":"c"}`):                     `"reason":"PUSH_NOTIFICATION_NOT_SUPPORTED"`,
		f.in("1", "CreateTaskPushNotificationConfig", `{"taskId":"other","url":"x"}`):             `"code":-32001`,
		f.in("1", "GetExtendedAgentCard", `{}`):                                                   `"code":-32004`,
		f.in("1", "CancelTask", `{"id":"t"}`):                                                     `"code":-32002`,
	} {
		if got, err := ts.post(t, request); err != nil || !strings.Contains(got, want) {
			t.Errorf("%s: got %s, %v, want %s", request, got, err, want)
		}
	}
}

// The card stands for an extended one that it declares and nobody recorded.
func TestTheCardStandsForTheExtendedOne(t *testing.T) {
	t.Parallel()
	f := forms["1.0"]
	tp, x := f.streams()
	tp.end(x, "ended", "")
	tp.card(`{"name":"Clerk","capabilities":{"extendedAgentCard":true},"supportedInterfaces":[{"url":"http://agent.example/a2a","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],"skills":[]}`)
	ts := tp.serve(t, Options{})
	got, mark, err := ts.ask(t, "/a2a", f.in("1", "GetExtendedAgentCard", `{}`))
	if !strings.Contains(got, `"name":"Clerk"`) || !strings.Contains(got, ts.URL) || mark != "from the card" || err != nil {
		t.Errorf("got %s, mark %q, %v, want the card at this address", got, mark, err)
	}
}
