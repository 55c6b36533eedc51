package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/a2a"
	"parley/internal/history"
	"parley/session"
)

func TestWhatWasWrittenToAnAgentIsFoundInALaterRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.jsonl")
	bubble(t, 120, 40, Options{History: history.Open(path)}, func(d *desk) {
		d.book(allFound)
		d.write("//etc is a slash")
		d.press("enter")
		d.press("ctrl+p")
		d.write("Scribe")
		d.press("enter")
		d.write("to Scribe")
		d.press("enter")
	})
	bubble(t, 120, 40, Options{History: history.Open(path)}, func(d *desk) {
		d.book(allFound)
		d.write("half a thou")
		d.press("ctrl+r", "s", "l", "a")
		d.sees("history ❯ sla", "1 of 1", "//etc is a slash")
		d.press("ctrl+c")
		if got := d.model.panes.composer.Value(); got != "half a thou" {
			t.Errorf("ctrl+c left %q", got)
		}
		d.press("ctrl+r", "s", "c", "r")
		d.sees("nothing has it") // that was another agent
		d.press("esc", "ctrl+c", "/")
		d.write("history slash")
		d.press("enter", "enter", "enter")
		last := d.engine.calls[len(d.engine.calls)-1]
		if !strings.HasPrefix(last, `send "/etc is a slash"`) {
			t.Errorf("the engine was told %s", last)
		}
	})
}

func TestSecretsAreNotKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.jsonl")
	bubble(t, 120, 40, Options{History: history.Open(path)}, func(d *desk) {
		d.book(asksWhere)
		c := d.model.panes.composer
		draft := c.Draft()
		draft.Text, draft.Secret = "hunter2", true
		c.SetDraft(draft)
		d.press("enter")
		d.model.tasks()[0].State = a2a.StateAuthRequired
		d.write("hunter3")
		d.press("enter")
		if len(d.engine.calls) < 3 {
			t.Fatalf("the engine was told %v", d.engine.calls)
		}
	})
	if data, _ := os.ReadFile(path); strings.Contains(string(data), "hunter") {
		t.Errorf("kept: %s", data)
	}
}

func TestAHistoryThatCannotBeKeptIsSaidOnce(t *testing.T) {
	dir := t.TempDir()
	bubble(t, 120, 40, Options{History: history.Open(dir)}, func(d *desk) {
		d.sees("cannot be read")
		d.book(allFound)
		d.write("one")
		d.press("enter")
		d.sees("cannot be kept for later runs: it is no file")
		d.wait(noticeTime * 3)
		d.write("two")
		d.press("enter")
		if strings.Contains(d.text(), "cannot be kept") {
			t.Error("it is said again")
		}
	})
}

func TestAnAgentIsTheSameInLaterRuns(t *testing.T) {
	agent := func(endpoint string) *session.Agent {
		return &session.Agent{Card: &a2a.Card{Name: "Desk"}, Profile: a2a.Profile{Endpoint: endpoint}}
	}
	for endpoint, want := range map[string]string{
		"http://127.0.0.1:40311/rpc": "Desk 127.0.0.1", "http://localhost:8080/": "Desk localhost", "http://[::1]:80": "Desk ::1",
		"https://agents.example:8443/a": "Desk agents.example:8443", "": "Desk", "://": "Desk",
	} {
		if got := writtenTo(agent(endpoint)); got != want {
			t.Errorf("%q: %q, want %q", endpoint, got, want)
		}
	}
}
