package cli

import (
	"net/http"
	"strings"
	"testing"
)

const asksWhen = `{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_INPUT_REQUIRED","message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"When?"}]}}}`

// Context and task go from one message to the next, and the chat ends with its input.
func TestChatCarriesContextAndTask(t *testing.T) {
	t.Parallel()
	s := newStub(t, streamCard, func(q *asked, w http.ResponseWriter) {
		switch {
		case q.Method == "CancelTask":
			q.result(w, strings.Replace(working, "WORKING", "CANCELED", 1))
		case q.nth == 1, q.nth == 5: // the last one is canceled
			q.event(w, task(asksWhen))
		default:
			q.event(w, task(working))
			q.event(w, growth("a", false, `{"text":"one "}`))
			q.event(w, growth("a", true, `{"text":"two"}`))
			q.event(w, status("COMPLETED"))
		}
	})
	r := commandLine{args: []string{"chat", s.URL}, stdin: "book\n\ntomorrow\n/ids\nmore\n//slash\n/reset\nagain\n/history\n/cancel\n/odd\n/help\n/card\n/quit\nnever sent\n"}.run(t)
	if r.code != 0 || strings.Contains(r.out, "\x1b") || strings.Contains(r.out, "> ") {
		t.Fatalf("got exit %d and %q, want 0 and plain lines without prompts\n%s", r.code, r.out, r.err)
	}
	for _, want := range []string{"Text:\n  When?\n", "Text:\n  one two\n\nTask: t1\nContext: c1\nState: completed\n", "Context: c1\nTask: t1\n", "You: tomorrow\n", "State: canceled\n", "/help        lists", "Name: Stub\n"} {
		if !strings.Contains(r.out, want) {
			t.Errorf("got %q, want %q in it", r.out, want)
		}
	}
	if !strings.Contains(r.err, "the task is input-required") || !strings.Contains(r.err, "there is no command /odd") {
		t.Errorf("got standard error %q, want what to do", r.err)
	}
	sent := s.asked("SendStreamingMessage")
	if len(sent) != 5 {
		t.Fatalf("got %d messages, want 5", len(sent))
	}
	for i, want := range []struct{ text, task, context any }{
		{"book", nil, nil}, {"tomorrow", "t1", "c1"}, {"more", nil, "c1"}, {"/slash", nil, "c1"}, {"again", nil, nil},
	} {
		m := at(sent[i].Params, "message")
		if at(m, "parts", 0, "text") != want.text || at(m, "taskId") != want.task || at(m, "contextId") != want.context {
			t.Errorf("message %d: got %v, want %v", i+1, m, want)
		}
	}
}

// A message that fails does not end the chat.
func TestChatGoesOnAfterAFailure(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) {
		if q.nth == 1 {
			q.fail(w, -32603, "out of order")
			return
		}
		q.result(w, task(completed))
	})
	r := commandLine{args: []string{"chat", "-a", s.URL}, stdin: "one\ntwo"}.run(t)
	if r.code != 0 || !strings.Contains(r.err, "Error: ") || !strings.Contains(r.out, "State: completed") {
		t.Errorf("got exit %d, want 0 with an error and an answer\n%s\n%s", r.code, r.out, r.err)
	}
}

// A message that the agent may have taken is told as such before the next line is sent, with what shows whether it
// did. One that was refused is not.
func TestChatTellsAMessageInDoubt(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fails func(*asked, http.ResponseWriter)
		doubt bool
	}{
		"cut":     {func(_ *asked, w http.ResponseWriter) { cut(w) }, true},
		"503":     {func(_ *asked, w http.ResponseWriter) { w.WriteHeader(http.StatusServiceUnavailable) }, true},
		"refused": {func(q *asked, w http.ResponseWriter) { q.fail(w, -32602, "bad") }, false},
	} {
		s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) {
			if q.nth == 1 {
				c.fails(q, w)
				return
			}
			q.result(w, task(completed))
		})
		r := commandLine{args: []string{"chat", "-a", s.URL}, stdin: "one\ntwo"}.run(t)
		told := strings.Contains(r.err, "Note: the agent may have taken the message; the next line is a message of its own.")
		if hint := strings.Contains(r.err, "Hint: Sending it again may start a second task: parley task list"); told != c.doubt || hint != c.doubt {
			t.Errorf("%s: got standard error %q, want the doubt told with its hint %v", name, r.err, c.doubt)
		}
	}
}

// The commands about tasks work in a chat, and words that are none are named.
func TestChatHasCommandsForTasks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) {
		if q.Method == "GetTask" {
			q.result(w, `{"id":"t9","contextId":"c9","status":{"state":"TASK_STATE_INPUT_REQUIRED"}}`)
			return
		}
		q.result(w, savedTask)
	})
	r := commandLine{args: []string{"chat", s.URL}, stdin: "/task\n/save\none\n/save " + dir + "\n/task t9\nanswer\n/nonsense\n/new now\n/quit\nnever\n"}.run(t)
	for _, want := range []string{"Note: there is no task yet.", "Saved: ", "the task is input-required", "there is no command /nonsense", "/new takes nothing"} {
		if !strings.Contains(r.err, want) {
			t.Errorf("got no %q, want it\n%s%s", want, r.out, r.err)
		}
	}
	wantFiles(t, dir, savedFiles)
	sent := s.asked("SendMessage")
	if r.code != 0 || len(sent) != 2 || at(sent[1].Params, "message", "taskId") != "t9" {
		t.Errorf("got exit %d and %d messages, want 0 and two, the second to t9", r.code, len(sent))
	}
}
