package cli

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// pages answers a list in pages of one task, and knows every task.
func pages(q *asked, w http.ResponseWriter) {
	n := 1
	if token, _ := q.Params["pageToken"].(string); token != "" {
		_, _ = fmt.Sscanf(token, "page %d", &n)
	}
	next := ""
	if n < 3 {
		next = fmt.Sprintf("page %d", n+1)
	}
	q.result(w, fmt.Sprintf(`{"tasks":[{"id":"t%d","contextId":"c1","status":{"state":"TASK_STATE_WORKING"}}],"nextPageToken":%q,"pageSize":1,"totalSize":3}`, n, next))
}

func TestTaskListPrintsAPage(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, pages)
	r := parley(t, "task", "list", "-a", s.URL, "--context-id", "c1", "--status", "WORKING", "--page-size", "1")
	want := "Task: t1\nContext: c1\nState: working\n\nTasks: 1 of 3\nNext page: parley task list --agent-card " + s.URL + " --"
	if r.code != 0 || !strings.HasPrefix(r.out, want) || !strings.HasSuffix(r.out, "--page-size 1 --page-token 'page 2'\n") {
		t.Errorf("got exit %d and %q, want it to begin %q\n%s", r.code, r.out, want, r.err)
	}
	if p := s.only(t, "ListTasks").Params; p["contextId"] != "c1" || p["status"] != "TASK_STATE_WORKING" || p["pageSize"] != 1.0 {
		t.Errorf("got parameters %v, want the filter", p)
	}
}

func TestTaskListPrintsEveryPage(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, pages)
	r := parley(t, "task", "list", "-a", s.URL, "--every-page", "-o", "json")
	if doc := document(t, r.out); r.code != 0 || at(doc, "tasks", 2, "id") != "t3" || at(doc, "nextPageToken") != "" || at(doc, "totalSize") != 3.0 {
		t.Errorf("got exit %d, want 0 and three tasks\n%s%s", r.code, r.out, r.err)
	}
	r = parley(t, "task", "list", "-a", s.URL, "--every-page", "-o", "json", "--stream")
	if docs := documents(t, r.out); len(docs) != 3 || at(docs[1], "id") != "t2" {
		t.Errorf("got %d documents, want a task on each line\n%s", len(docs), r.out)
	}
}

func TestTaskListOfAnAgentThatTurnsInCirclesEnds(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) {
		q.result(w, `{"tasks":[`+working+`],"nextPageToken":"again","pageSize":1,"totalSize":1}`)
	})
	r := parley(t, "task", "list", "-a", s.URL, "--every-page", "-o", "json")
	if n := len(s.asked("ListTasks")); r.code != 0 || n != 2 || !strings.Contains(r.err, "names a page twice") {
		t.Errorf("got exit %d after %d requests, want 0 after 2\n%s", r.code, n, r.err)
	}
}

func TestTaskListFails(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, nil)
	r := parley(t, "task", "list", "-a", s.URL, "-o", "json")
	if doc := document(t, r.out); r.code != 1 || at(doc, "error", "code") != "MethodNotFoundError" {
		t.Errorf("got exit %d and %s, want 1 and the agent's error", r.code, r.out)
	}
	for _, args := range [][]string{{"--status", "odd"}, {"--page-size", "-1"}, {"x"}} {
		if r := parley(t, append([]string{"task", "list", "-a", s.URL}, args...)...); r.code != 2 {
			t.Errorf("%v: got exit %d, want 2", args, r.code)
		}
	}
}

// An empty line separates the tasks of a list.
func TestListedTasksAreSeparated(t *testing.T) {
	t.Parallel()
	s := newStub(t, streamCard, func(q *asked, w http.ResponseWriter) {
		q.result(w, `{"tasks":[`+working+`,`+strings.Replace(working, `"t1"`, `"t2"`, 1)+`],"nextPageToken":"","pageSize":2,"totalSize":2}`)
	})
	r := parley(t, "task", "list", "-a", s.URL)
	if want := "State: working\n\nTask: t2\n"; r.code != 0 || !strings.Contains(r.out, want) || !strings.HasSuffix(r.out, "State: working\n\nTasks: 2 of 2\n") {
		t.Errorf("got exit %d and %q, want 0 and an empty line before each task and the count\n%s", r.code, r.out, r.err)
	}
}

// The document has what the agent says of the size of its page.
func TestAListKeepsTheSizeOfThePage(t *testing.T) {
	t.Parallel()
	for size, want := range map[string]float64{`7`: 7, `0`: 1, `-3`: 1, `"7"`: 1, `1e99`: 1} {
		s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) {
			q.result(w, `{"tasks":[{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_WORKING"}}],"nextPageToken":"","pageSize":`+size+`,"totalSize":1}`)
		})
		if r := parley(t, "task", "list", "-a", s.URL, "-o", "json"); at(document(t, r.out), "pageSize") != want {
			t.Errorf("%s: got\n%s%s, want the page size %v", size, r.out, r.err, want)
		}
	}
}

func TestTheTaskOfAnotherRequestIsNamed(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) {
		q.result(w, `{"id":"t2\u001b[2J","contextId":"c1","status":{"state":"TASK_STATE_WORKING"}}`)
	})
	r := parley(t, "task", "get", "-a", s.URL, "t1")
	if r.code != 1 || !strings.Contains(r.err, "The agent answered with task t2") || !strings.Contains(r.err, ", not with task t1.") || strings.Contains(r.err, "\x1b") {
		t.Errorf("got exit %d\n%s%s", r.code, r.out, r.err)
	}
}
