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
