package cli

import (
	"net/http"
	"strings"
	"testing"
)

func TestTaskGetPrintsTheTask(t *testing.T) {
	t.Parallel()
	withHistory := strings.Replace(completed, `"artifacts"`, `"history":[{"messageId":"m","role":"ROLE_USER","parts":[{"text":"please"}]}],"odd":7,"artifacts"`, 1)
	s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) { q.result(w, withHistory) })
	r := parley(t, "task", "get", "-a", s.URL, "t1")
	if r.code != 0 || !strings.HasPrefix(r.out, "History: user\nText:\n  please\n\nArtifact: report\n") ||
		!strings.Contains(r.out, "\nTask: t1\nContext: c1\nState: completed\nResume: ") {
		t.Errorf("got exit %d, want 0 and the task\n%s%s", r.code, r.out, r.err)
	}
	if at(s.only(t, "GetTask").Params, "historyLength") != nil {
		t.Error("got a history length that was never given")
	}
	r = parley(t, "task", "get", "-a", s.URL, "--task-id", "t1", "--history", "3", "-o", "json")
	if doc := document(t, r.out); at(doc, "id") != "t1" || at(doc, "odd") != 7.0 {
		t.Errorf("got another document than the task as it came:\n%s", r.out)
	}
	if q := s.asked("GetTask")[1]; at(q.Params, "historyLength") != 3.0 || at(q.Params, "id") != "t1" {
		t.Errorf("got params %v, want a history length of 3", q.Params)
	}
	if r = parley(t, "task", "get", "-a", s.URL, "t1", "-o", "json", "--stream"); len(documents(t, r.out)) != 1 {
		t.Errorf("got more than one line:\n%s", r.out)
	}
}

func TestTaskGetWaits(t *testing.T) {
	t.Parallel()
	for flag, gets := range map[string]int{"--wait": 3, "--watch": 3, "--verbose": 1} {
		for _, end := range []string{"COMPLETED", "INPUT_REQUIRED", "AUTH_REQUIRED"} {
			s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) {
				if q.nth < 3 {
					q.result(w, working)
					return
				}
				q.result(w, strings.Replace(working, "WORKING", end, 1))
			})
			r := parley(t, "task", "get", "-a", s.URL, "t1", flag, "--poll-interval", "4ms", "-o", "json", "--history", "2")
			all := s.asked("GetTask")
			if r.code != 0 || len(all) != gets || at(all[gets-1].Params, "historyLength") != 2.0 {
				t.Errorf("%s %s: got exit %d after %d gets\n%s%s", flag, end, r.code, len(all), r.out, r.err)
			}
			if gets == 3 && at(document(t, r.out), "status", "state") != "TASK_STATE_"+end {
				t.Errorf("got another state than %s: %s", end, r.out)
			}
		}
	}
}

func TestTaskCancelReportsTheState(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) {
		if q.nth == 1 {
			q.result(w, strings.Replace(working, "WORKING", "CANCELED", 1))
			return
		}
		q.fail(w, -32002, "it is over")
	})
	if r := parley(t, "task", "cancel", "-a", s.URL, "t1"); r.code != 0 || !strings.Contains(r.out, "State: canceled\n") || r.err != "" {
		t.Errorf("got exit %d, want 0 and state canceled\n%s%s", r.code, r.out, r.err)
	}
	r := parley(t, "task", "cancel", "-a", s.URL, "t1", "-o", "json")
	if e := at(document(t, r.out), "error"); r.code != 1 || at(e, "code") != "TaskNotCancelableError" || at(e, "a2aCode") != -32002.0 {
		t.Errorf("got exit %d, want 1 and TaskNotCancelableError\n%s", r.code, r.out)
	}
}

func TestSomethingThatIsNoTask(t *testing.T) {
	t.Parallel()
	for _, result := range []string{`{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"hi"}]}`, `{}`, `null`, `[]`, `"x"`} {
		s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) { q.result(w, result) })
		r := parley(t, "task", "get", "-a", s.URL, "t1", "-o", "json")
		if e := at(document(t, r.out), "error"); r.code != 1 || at(e, "code") != "A2ACLI_ERR_INTERNAL" {
			t.Errorf("%s: got exit %d, want 1 and INTERNAL\n%s%s", result, r.code, r.out, r.err)
		}
	}
}

func TestEveryDialectOfTheDemo(t *testing.T) {
	t.Parallel()
	d := demos(t)
	for name, text := range map[string]string{"Travel Desk": "Book me a flight", "Scribe": "hello", "Old Clerk": "I have lost my umbrella"} {
		r := parley(t, "send", "-a", d[name], text, "-o", "json")
		doc := document(t, r.out)
		if r.code != 0 || doc["task"] == nil && doc["message"] == nil {
			t.Fatalf("%s: got exit %d, want 0 and a task or message\n%s%s", name, r.code, r.out, r.err)
		}
		if name == "Travel Desk" == strings.Contains(r.err, "in the shape of A2A 1.0") {
			t.Errorf("%s: got a wrong note about the shape of 1.0: %q", name, r.err)
		}
		if doc["task"] == nil {
			continue
		}
		if at(doc, "task", "contextId") == nil {
			t.Errorf("%s: got no context\n%s", name, r.out)
		}
		id := at(doc, "task", "id").(string)
		r = parley(t, "task", "get", "-a", d[name], id, "-o", "json")
		if got := document(t, r.out); at(got, "id") != id || at(got, "status", "state") != "TASK_STATE_INPUT_REQUIRED" {
			t.Errorf("%s: get: got exit %d, want state input-required\n%s%s", name, r.code, r.out, r.err)
		}
		if r = parley(t, "task", "cancel", "-a", d[name], id); r.code != 0 || !strings.Contains(r.out, "State: canceled") {
			t.Errorf("%s: cancel: got exit %d, want 0 and state canceled\n%s%s", name, r.code, r.out, r.err)
		}
	}
}
