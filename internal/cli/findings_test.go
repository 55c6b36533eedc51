package cli

import (
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"parley/a2a"
	"parley/a2a/lint"
	"parley/session/journal"
	"parley/session/log"
	"parley/session/model"
)

// flawed answers with a task that breaks rules of every severity.
const flawed = `{"task":{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_COMPLETED"},"artifacts":[{"artifactId":7,"parts":[{"text":"x"}]}]}}`

func TestFindingsAreNamedOnStandardErrorAndWrittenToAFile(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) { q.result(w, flawed) })
	file := filepath.Join(t.TempDir(), "findings.jsonl")
	recording := filepath.Join(t.TempDir(), "session.jsonl")
	r := parley(t, "send", "-a", s.URL, "x", "-o", "json", "--findings", file, "--record", recording)
	if r.code != 0 || at(document(t, r.out), "task", "id") != "t1" {
		t.Fatalf("got exit %d, want 0 and the task\n%s%s", r.code, r.out, r.err)
	}
	if !strings.Contains(r.err, "Finding: error TYPE-001 in record ") || !strings.Contains(r.err, "/result/task/artifacts/0/artifactId") {
		t.Errorf("standard error has no record and pointer:\n%s", r.err)
	}
	got := map[string]bool{}
	for _, f := range documents(t, content(t, mustOpen(t, file))) {
		got[f["severity"].(string)+" "+f["rule"].(string)+" "+strconv.Itoa(int(f["record"].(float64)))] = true
	}
	want := recorded(t, recording)
	if len(want) == 0 || len(want) != len(got) {
		t.Errorf("got findings %v in the file, want %v", got, want)
	}
	for f := range want {
		if !got[f] {
			t.Errorf("got no finding %s live, want the one of the recording", f)
		}
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got mode %v, %v, want 0600", info.Mode(), err)
	}
}

// recorded returns the findings that the workbench shows for a recording.
func recorded(t *testing.T, path string) map[string]bool {
	t.Helper()
	j, err := journal.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	feed, state := log.NewFeed(), model.NewState()
	state.Check(lint.New())
	j.Replay(t.Context(), feed, journal.Unpaced)
	feed.Close()
	found := map[string]bool{}
	for {
		items, err := feed.Next(t.Context(), 0)
		if err != nil {
			break
		}
		for _, it := range items {
			state.Apply(it)
		}
	}
	for id := range state.Log.Len() {
		it := state.Log.At(a2a.RecordID(id + 1))
		for _, f := range it.Findings {
			found[f.Severity.String()+" "+f.Rule+" "+strconv.Itoa(int(it.Record.ID))] = true
		}
	}
	return found
}

func mustOpen(t *testing.T, path string) *os.File {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func TestAWellBehavedAgentHasNoFindingLines(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) { q.result(w, task(completed)) })
	for _, args := range [][]string{{"send", "-a", s.URL, "x"}, {"card", "get", "-a", s.URL}} {
		if r := parley(t, args...); r.code != 0 || strings.Contains(r.err, "Finding") {
			t.Errorf("%v: got exit %d, want 0 without findings: %s", args, r.code, r.err)
		}
	}
}

func TestFindingsThatCannotBeWrittenAreAUsageFault(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) { q.result(w, task(completed)) })
	r := parley(t, "send", "-a", s.URL, "x", "--findings", filepath.Join(t.TempDir(), "no", "such", "folder"))
	if r.code != 2 || !strings.Contains(r.err, "--findings") || len(s.asked("SendMessage")) != 0 {
		t.Errorf("got exit %d and %d messages, want 2 and 0\n%s", r.code, len(s.asked("SendMessage")), r.err)
	}
}

func TestOneRuleIsOneLineHoweverOftenItFires(t *testing.T) {
	t.Parallel()
	parts := strings.TrimSuffix(strings.Repeat(`{"text":5},`, 30), ",")
	s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) {
		q.result(w, `{"task":{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_COMPLETED"},"artifacts":[{"artifactId":"a","parts":[`+parts+`]}]}}`)
	})
	r := parley(t, "send", "-a", s.URL, "x")
	if n := strings.Count(r.err, "TYPE-001"); n != 1 || !strings.Contains(r.err, "(30 times)") {
		t.Errorf("got %d lines about TYPE-001, want 1:\n%s", n, r.err)
	}
}
