package cli

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

func TestCheckAndConformanceOfTheDemosAgents(t *testing.T) {
	t.Parallel()
	for name, url := range demos(t) {
		for _, command := range []string{"check", "conformance"} {
			r := parley(t, command, url)
			if r.code != 0 {
				t.Errorf("%s %s: got exit %d, want 0\n%s%s", command, name, r.code, r.out, r.err)
			}
			if !strings.Contains(r.out, "a task that does not exist is refused: TaskNotFoundError\n") {
				t.Errorf("%s %s: got no probe\n%s%s", command, name, r.out, r.err)
			}
			if sent := strings.Contains(r.out, "a message is answered"); sent != (command == "conformance") {
				t.Errorf("%s %s: got a message: %t", command, name, sent)
			}
		}
	}
}

func TestCheckFailsForAWrongAnswer(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) { q.result(w, completed) }) // whatever is asked
	r := parley(t, "check", s.URL, "-o", "json")
	doc := document(t, r.out)
	if r.code != 10 || at(doc, "checks", 1, "result") != "failed" || !strings.Contains(r.err, "Gate: ") {
		t.Errorf("got exit %d, want 10 and a failed check\n%s%s", r.code, r.out, r.err)
	}
	if n := len(s.asked("SendMessage")) + len(s.asked("SendStreamingMessage")); n != 0 {
		t.Errorf("got %d messages, want none: a check changes nothing", n)
	}
	if r = parley(t, "check", s.URL, "--fail-on", "none"); r.code != 0 || !strings.Contains(r.out, "Failed: ") {
		t.Errorf("got exit %d, want 0 without a gate\n%s%s", r.code, r.out, r.err)
	}
	if r = parley(t, "check"); r.code != 2 || !strings.Contains(r.err, "needs a session, a card file or an agent") {
		t.Errorf("got exit %d and %q, want 2", r.code, r.err)
	}
}

// What a server on the way answers once, or nobody answers, says nothing about the rule that is checked. What the
// agent says does.
func TestCheckJudgesNoAnswerOfAGateway(t *testing.T) {
	t.Parallel()
	page := func(status int) func(*asked, http.ResponseWriter) {
		return func(_ *asked, w http.ResponseWriter) {
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(status)
			_, _ = w.Write([]byte("<html><title>Failed: \x1b[2J</title></html>"))
		}
	}
	for name, c := range map[string]struct {
		answer  func(*asked, http.ResponseWriter)
		skipped bool
	}{
		"502":                 {page(502), true},
		"503":                 {page(503), true},
		"504":                 {page(504), true},
		"500":                 {page(500), true},
		"429":                 {page(429), true},
		"a cut":               {func(_ *asked, w http.ResponseWriter) { cut(w) }, true},
		"busy":                {func(q *asked, w http.ResponseWriter) { q.fail(w, -32010, "too fast") }, true},
		"404":                 {page(404), true},
		"200":                 {page(200), true},
		"an error of its own": {func(q *asked, w http.ResponseWriter) { q.fail(w, -32603, "boom") }, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) {
				if q.Method == "GetTask" {
					c.answer(q, w)
					return
				}
				q.fail(w, -32001, "Task not found")
			})
			r := parley(t, "check", s.URL, "-o", "json")
			want := map[bool]string{true: "skipped", false: "failed"}[c.skipped]
			if got := at(document(t, r.out), "checks", 1, "result"); got != want {
				t.Errorf("got the result %v, want %s\n%s%s", got, want, r.out, r.err)
			}
			if r = parley(t, "check", s.URL); strings.Contains(r.out, "Failed: a task that does not exist is refused") == c.skipped ||
				strings.Contains(r.out, "Skipped: a task that does not exist is refused: ") != c.skipped || strings.Contains(r.out, "\x1b") {
				t.Errorf("got\n%s%s", r.out, r.err)
			}
		})
	}
}

func TestCheckReadsASession(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) {
		q.result(w, task(`{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_COMPLETED","timestamp":"soon"},"artifacts":[{"parts":[{"text":"x"}]}]}`))
	})
	dir := t.TempDir()
	session, live, again := filepath.Join(dir, "s.jsonl"), filepath.Join(dir, "live"), filepath.Join(dir, "again")
	parley(t, "send", "-a", s.URL, "x", "--record", session, "--findings", live)
	r := parley(t, "check", session, "--findings", again, "--sarif", filepath.Join(dir, "sarif"))
	if r.code != 10 || file(t, live) != file(t, again) || !strings.Contains(r.out, "Finding: error ") {
		t.Errorf("got exit %d, want 10 and the findings of the live session\n%s%s\n%s\nwant\n%s", r.code, r.out, r.err, file(t, again), file(t, live))
	}
	if !strings.Contains(file(t, filepath.Join(dir, "sarif")), session) {
		t.Error("got no name of the session in the SARIF file")
	}
}
