package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/a2a"
	"parley/internal/history"
	"parley/session/model"
	"parley/ui/composer"
)

func TestWhatWasWrittenToAnAgentIsFoundInALaterRun(t *testing.T) {
	t.Parallel()
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
			t.Errorf("ctrl+c left %q, want the text from before the search", got)
		}
		d.press("ctrl+r", "s", "c", "r")
		d.sees("no match") // that was another agent
		d.press("esc", "ctrl+c", "/")
		d.write("history slash")
		d.press("enter", "enter", "enter")
		last := d.engine.Calls[len(d.engine.Calls)-1]
		if !strings.HasPrefix(last, `send "/etc is a slash"`) {
			t.Errorf("got last engine call %s, want the message that begins with a slash", last)
		}
	})
}

func TestSecretsAreNotKept(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "history.jsonl")
	bubble(t, 120, 40, Options{History: history.Open(path)}, func(d *desk) {
		d.book(asksWhere)
		c := d.model.panes.composer
		draft := c.Draft()
		draft.Text, draft.Secret = "hunter2", true
		c.SetDraft(draft)
		d.press("enter")
		task := d.task()
		task.State = a2a.StateAuthRequired
		task.Conversation.Version++
		d.send(batchMsg{})
		d.sees("secret, alt+s shows it")
		d.write("hunter3")
		d.press("enter")
		if len(d.engine.Calls) < 3 {
			t.Fatalf("got engine calls %v, want at least 3", d.engine.Calls)
		}
	})
	if data, _ := os.ReadFile(path); strings.Contains(string(data), "hunter") {
		t.Errorf("the history file has a secret: %s", data)
	}
}

func TestAHistoryThatCannotBeKeptIsSaidOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	bubble(t, 120, 40, Options{History: history.Open(dir)}, func(d *desk) {
		d.says("cannot be read")
		d.book(allFound)
		d.write("one")
		d.press("enter")
		d.says("cannot be saved for later runs: it is not a regular file")
		d.wait(noticeTime * 3)
		d.write("two")
		d.press("enter")
		if strings.Contains(d.text(), "cannot be saved") {
			t.Error("got the same notice twice, want it once")
		}
	})
}

func TestASecretAnswerStandsNowhere(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "history.jsonl")
	bubble(t, 120, 40, Options{History: history.Open(path)}, func(d *desk) {
		d.book(asksWhere)
		task := d.task()
		task.State = a2a.StateAuthRequired
		task.Conversation.Version++
		d.model.touch()
		d.settle()
		d.write("hun2ter")
		d.sees("secret, alt+s shows it", "•••••••", "alt+s show")
		if strings.Contains(d.text(), "hun2") {
			t.Fatalf("frame shows the secret:\n%s", d.text())
		}
		d.press("alt+e")
		d.says("would write the secret to a file")
		d.press("alt+s")
		d.sees("❯ hun2ter", "no longer a secret")
		d.press("alt+s", "ctrl+c")
		d.sees("cleared, and not saved")
		d.press("up")
		if got := d.model.panes.composer.Value(); strings.Contains(got, "hun2") {
			t.Errorf("up restored the secret %q", got)
		}
		d.press("ctrl+c")
		d.write("hun3ter")
		d.press("enter")
		if last := d.engine.Calls[len(d.engine.Calls)-1]; !strings.HasPrefix(last, `send "hun3ter" secretly`) {
			t.Errorf("got last engine call %s, want a secret message", last)
		}
		d.write("/secret")
		d.press("enter")
		d.sees("no longer a secret")
		d.write("hun4ter")
		d.sees("❯ hun4ter")
		d.press("alt+s")
		if strings.Contains(d.text(), "hun4") {
			t.Errorf("frame shows the secret:\n%s", d.text())
		}
	})
	if data, _ := os.ReadFile(path); strings.Contains(string(data), "hun") {
		t.Errorf("the history file has a secret: %s", data)
	}
}

func TestATokenInATextIsKeptAsAMask(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "history.jsonl")
	bubble(t, 120, 40, Options{History: history.Open(path)}, func(d *desk) {
		d.book(allFound)
		d.write("clone it with ghp_0123456789abcdefghijABCDEFGHIJ456789, please")
		d.press("enter")
		last := d.engine.Calls[len(d.engine.Calls)-1]
		if !strings.Contains(last, "ghp_0123456789abcdefghijABCDEFGHIJ456789, please") {
			t.Errorf("got last engine call %s, want the token unmasked for the agent", last)
		}
	})
	if data, _ := os.ReadFile(path); strings.Contains(string(data), "ghp_") || !strings.Contains(string(data), "clone it with •••, please") {
		t.Errorf("got history file %s, want the token masked", data)
	}
}

// The composer remembers what it sends; other messages are remembered by their sender.
func TestWhatIsSentStandsInTheHistoryOnce(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allFound)
		h := d.model.history.Of(1)
		before := h.Len()
		d.write("//etc is a slash")
		d.press("enter")
		if got := h.Len() - before; got != 1 {
			t.Errorf("history has the message %d times, want once", got)
		}
		d.model.outbox.Send(composer.Draft{Text: "/etc of a card"}, model.Target{Agent: 1})
		if got := h.Len() - before; got != 2 {
			t.Errorf("with an example there are %d, want 2", got)
		}
		d.settle()
		for _, want := range []string{"//etc of a card", "//etc is a slash"} {
			if d.press("up"); d.model.panes.composer.Value() != want {
				t.Errorf("up restored %q, want %q", d.model.panes.composer.Value(), want)
			}
		}
	})
}
