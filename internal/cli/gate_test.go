package cli

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/porttest"
)

// file reads a file that a command wrote.
func file(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestTheGateIsOptIn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		state, failOn string
		code          int
	}{
		{"FAILED", "", 0},
		{"FAILED", "failed,rejected", 10},
		{"REJECTED", "failed,rejected", 10},
		{"INPUT_REQUIRED", "input-required", 10},
		{"COMPLETED", "failed,rejected,input-required,auth-required,canceled", 0},
		{"FAILED", "none", 0},
		{"FAILED", "finding:error", 10}, // the artifact below has no id
		{"FAILED", "lost", 2},
	} {
		s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) {
			q.result(w, task(`{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_`+c.state+`","timestamp":"soon"},"artifacts":[{"parts":[{"text":"x"}]}]}`))
		})
		args := []string{"send", "-a", s.URL, "x"}
		if c.failOn != "" {
			args = append(args, "--fail-on", c.failOn)
		}
		r := parley(t, args...)
		if r.code != c.code || (c.code == 10) != strings.Contains(r.err, "Gate: ") {
			t.Errorf("%s with %q: got exit %d, want %d\n%s", c.state, c.failOn, r.code, c.code, r.err)
		}
	}
}

func TestReportsOfTheGate(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) {
		q.result(w, task(`{"id":"t\u001b1","contextId":"c1","status":{"state":"TASK_STATE_FAILED","timestamp":"so\u001bon"},"artifacts":[{"parts":[{"text":"x"}]}]}`))
	})
	junit, sarif := filepath.Join(t.TempDir(), "report.xml"), filepath.Join(t.TempDir(), "findings.sarif")
	r := parley(t, "send", "-a", s.URL, "x", "--fail-on", "failed,finding:error", "--junit", junit, "--sarif", sarif)
	if r.code != 10 {
		t.Fatalf("got exit %d, want 10\n%s", r.code, r.err)
	}
	var report junitReport
	if err := xml.Unmarshal([]byte(file(t, junit)), &report); err != nil {
		t.Fatal(err)
	}
	if suite := report.Suite; suite.Tests != len(suite.Cases) || suite.Failures < 2 || suite.Errors != 0 || !strings.Contains(suite.Name, "parley send") ||
		suite.Cases[1].Failure == nil || suite.Cases[1].Failure.Message != "The task is failed." {
		t.Errorf("got a report without the failed state:\n%s", file(t, junit))
	}
	var log sarifLog
	if err := json.Unmarshal([]byte(file(t, sarif)), &log); err != nil {
		t.Fatal(err)
	}
	levels := ""
	for _, result := range log.Runs[0].Results {
		if result.Rule != log.Runs[0].Tool.Driver.Rules[result.Index].ID || len(result.Locations) != 1 {
			t.Errorf("got result %+v, want its rule and its place", result)
		}
		levels += result.Level + " "
	}
	if log.Version != "2.1.0" || !strings.Contains(levels, "error") {
		t.Errorf("got levels %q, want an error\n%s", levels, file(t, sarif))
	}
	for _, written := range []string{file(t, junit), file(t, sarif)} {
		if strings.Contains(written, "\x1b") {
			t.Errorf("got a control character in a report: %q", written)
		}
	}
}

// A command that fails itself keeps its status, and its report says so.
func TestAFailedCallIsAnErrorOfTheReport(t *testing.T) {
	t.Parallel()
	junit := filepath.Join(t.TempDir(), "report.xml")
	s := newStub(t, plainCard, nil)
	r := parley(t, "task", "get", "-a", s.URL, "t1", "--fail-on", "failed", "--junit", junit)
	var report junitReport
	if err := xml.Unmarshal([]byte(file(t, junit)), &report); err != nil || r.code != 1 || report.Suite.Errors != 1 {
		t.Errorf("got exit %d, %v and %s, want 1 and an error", r.code, err, file(t, junit))
	}
	away := "http://" + porttest.Keep(t).Address
	if r = parley(t, "send", "-a", away, "x", "--junit", junit); r.code != 3 || !strings.Contains(file(t, junit), "A2ACLI_ERR_UNREACHABLE") {
		t.Errorf("got exit %d and %s, want 3 and its code", r.code, file(t, junit))
	}
	if r = parley(t, "send", "-a", away, "x", "--junit", t.TempDir()); r.code != 2 || !strings.Contains(r.err, "--junit cannot be written") {
		t.Errorf("got exit %d and %q, want 2", r.code, r.err)
	}
}

// The command that Parley prints to answer a task is a new process, which saw nothing of the task
// before: it finds no fault with a task of the agent's own.
func TestAPrintedCommandPassesTheGate(t *testing.T) {
	t.Parallel()
	asks := `{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_INPUT_REQUIRED","message":{"messageId":"q","role":"ROLE_AGENT","contextId":"c1","taskId":"t1","parts":[{"text":"When?"}]}}}`
	for _, card := range []string{plainCard, streamCard} {
		s := newStub(t, card, func(q *asked, w http.ResponseWriter) {
			switch answers := strings.Contains(fmt.Sprint(q.Params["message"]), "taskId:t1"); {
			case q.Method == "SendMessage" && !answers:
				q.result(w, task(asks))
			case q.Method == "SendMessage":
				q.result(w, task(completed))
			case !answers && q.Method == "SendStreamingMessage":
				q.event(w, task(asks))
			default:
				q.event(w, task(working))
				q.event(w, `{"artifactUpdate":{"taskId":"t1","contextId":"c1","append":true,"artifact":{"artifactId":"begun","parts":[{"text":"and more"}]}}}`)
				q.event(w, status("COMPLETED"))
			}
		})
		first := parley(t, "send", "-a", s.URL, "x", "--fail-on", "finding:warning")
		_, command, _ := strings.Cut(first.out, "Resume: parley ")
		command, _, _ = strings.Cut(command, " '<reply>'")
		if first.code != 0 || !strings.Contains(command, "--task-id t1") {
			t.Fatalf("got exit %d and %q, want a command that answers the task\n%s", first.code, command, first.err)
		}
		for _, args := range [][]string{
			append(strings.Fields(command), "tomorrow"),
			append(strings.Fields(command), "tomorrow", "--context-id", "c1"),
			append(strings.Fields(command), "tomorrow", "--stream"),
			{"send", "-a", s.URL, "--context-id", "c1", "something else"},
		} {
			if r := parley(t, append(args, "--fail-on", "finding:warning")...); r.code != 0 {
				t.Errorf("parley %s: got exit %d, want 0\n%s", strings.Join(args, " "), r.code, r.err)
			}
		}
	}
}
