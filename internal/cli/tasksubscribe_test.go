package cli

import (
	"net/http"
	"strings"
	"testing"
)

func TestTaskSubscribeFollowsATask(t *testing.T) {
	t.Parallel()
	s := newStub(t, streamCard, func(q *asked, w http.ResponseWriter) {
		if q.Method != "SubscribeToTask" {
			q.fail(w, -32601, "no")
			return
		}
		q.event(w, task(working))
		q.event(w, chunk)
		q.event(w, status("COMPLETED"))
	})
	r := parley(t, "task", "subscribe", "-a", s.URL, "t1", "--stream")
	want := "Task: t1\nContext: c1\nState: working\nArtifact: report\nText:\n  before the cut\n\nTask: t1\nContext: c1\nState: completed\nResume: "
	if r.code != 0 || !strings.HasPrefix(r.out, want) {
		t.Errorf("got exit %d and %q, want %q\n%s", r.code, r.out, want, r.err)
	}
	r = parley(t, "task", "subscribe", "-a", s.URL, "t1", "-o", "json", "--stream")
	if docs := documents(t, r.out); len(docs) != 3 || at(docs[0], "task", "id") != "t1" || at(docs[2], "statusUpdate", "taskId") != "t1" {
		t.Errorf("got other lines than task, artifact and status\n%s", r.out)
	}
	r = parley(t, "task", "subscribe", "-a", s.URL, "t1", "-o", "json")
	if doc := document(t, r.out); r.code != 0 || at(doc, "id") != "t1" || at(doc, "artifacts", 0, "parts", 0, "text") != "before the cut" {
		t.Errorf("got exit %d and another document than the task\n%s%s", r.code, r.out, r.err)
	}
}

// A stream that breaks is resumed: the first event of the next one is the whole task, and no get
// is needed.
func TestTaskSubscribeResumesAStream(t *testing.T) {
	t.Parallel()
	s := newStub(t, streamCard, func(q *asked, w http.ResponseWriter) {
		switch {
		case q.Method != "SubscribeToTask":
			q.result(w, working)
		case q.nth == 1:
			q.event(w, task(working))
			q.event(w, chunk)
			cut(w)
		default:
			q.event(w, task(strings.Replace(completed, "COMPLETED", "WORKING", 1)))
			q.event(w, status("COMPLETED"))
		}
	})
	r := parley(t, "task", "subscribe", "-a", s.URL, "t1", "-o", "json", "--poll-interval", "4ms")
	doc := document(t, r.out)
	if r.code != 0 || at(doc, "status", "state") != "TASK_STATE_COMPLETED" || len(s.asked("SubscribeToTask")) != 2 {
		t.Errorf("got exit %d after %d subscriptions, want the completed task after 2\n%s%s", r.code, len(s.asked("SubscribeToTask")), r.out, r.err)
	}
}

// Without the capability nothing is subscribed to.
func TestTaskSubscribePollsWhereTheCardDeclaresNoStreaming(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) { q.result(w, completed) })
	r := parley(t, "task", "subscribe", "-a", s.URL, "t1", "-o", "json")
	if doc := document(t, r.out); r.code != 0 || at(doc, "id") != "t1" || len(s.asked("SubscribeToTask")) != 0 || !strings.Contains(r.err, "does not declare streaming") {
		t.Errorf("got exit %d and %d subscriptions, want a poll\n%s%s", r.code, len(s.asked("SubscribeToTask")), r.out, r.err)
	}
}
