//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"parley/internal/tmux"
)

// A run with other ports offers the messages of the previous one. A run without a recording
// stores no messages.
func TestWhatWasWrittenIsThereInTheNextRun(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	file := filepath.Join(state, "parley", "history.jsonl")
	env := []string{"XDG_STATE_HOME=" + state}
	run := func(again bool, args ...string) {
		s := parleyWith(t, 120, 40, env, append([]string{"demo"}, args...)...)
		s.WaitFor(`❯ Book me`)
		if again {
			s.Keys("C-r")
			s.Text("umbr")
			s.WaitFor(`history ❯ umbr +1 of 1`)
			s.WaitFor(`❯ Hello, is an umbrella needed\?`)
			s.Keys("Escape")
			s.WaitFor(`❯ Book me`)
		}
		s.Text("Hello, is an umbrella needed?")
		s.WaitFor(`❯ Hello`)
		s.Keys("Enter")
		s.WaitFor(`▌ Hello, is an umbrella needed\?`)
		s.Text("/qu")
		s.WaitFor(`/quit +Quit`)
		s.Keys("Tab")
		s.WaitFor(`❯ /quit`)
		s.Keys("Enter")
		s.WaitFor(`^exit status 0$`)
	}
	run(false, "--no-record")
	if _, err := os.Stat(file); err == nil {
		t.Fatal("got a history file with --no-record")
	}
	run(false)
	data, err := os.ReadFile(file)
	if err != nil || strings.Count(string(data), "umbrella") != 1 {
		t.Fatalf("got history %s, %v, want the message once", data, err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got mode %v, %v, want 0600", info.Mode(), err)
	}
	run(true)
}

// Messages are queued while an agent works, and are sent in order afterwards.
func TestMessagesWaitWhileAnAgentWorks(t *testing.T) {
	t.Parallel()
	s := parley(t, 120, 50, "demo", "--no-record")
	s.WaitFor(`▌Scribe`)
	find(s, "scribe")
	s.WaitFor(`^ Scribe  `)
	s.Keys("Enter") // an essay
	queueMessages(s, "Hello first", "Hello second")
	s.WaitFor(`▌ Hello first`)
	s.WaitFor(`▌ Hello second`)
	s.WaitGone(`○ Hello`)
}

// After a cancelled task, queued messages remain until the user sends or removes them.
func TestMessagesAreHeldBehindATaskThatWasCancelled(t *testing.T) {
	t.Parallel()
	s := parley(t, 120, 50, "demo", "--no-record")
	s.WaitFor(`❯ Book me a flight`)
	s.Text("Watch fares to Tokyo until I say stop")
	s.WaitFor(`❯ Watch fares`)
	s.Keys("Enter")
	queueMessages(s, "weather in Oslo", "weather in Kiel", "never mind")
	s.Keys("Up") // the last one, for editing
	s.WaitFor(`❯ never mind`)
	s.Keys("C-c")
	s.WaitGone(`❯ never mind`)
	s.WaitFor(atWork)
	s.Keys("C-x")
	s.WaitFor(`‖ the task was canceled +enter sends them`)
	s.Keys("Enter")
	s.WaitFor(`▌ weather in Oslo`)
	s.WaitFor(`Kiel: 7 °C`)
	s.WaitGone(`○ weather`)
}

// queueMessages writes messages while an agent works.
func queueMessages(s *tmux.Session, texts ...string) {
	s.WaitFor(`○ queue +sent when the agent is done`)
	for _, text := range texts {
		s.Text(text)
		s.WaitFor(`❯ ` + regexp.QuoteMeta(text))
		s.Keys("Enter")
		s.WaitFor(`○ ` + regexp.QuoteMeta(text))
	}
}

// A message of ten megabytes with control sequences arrives unchanged, except for line ends and
// bytes that are not text.
func TestAPasteOfAnythingArrivesWhole(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := parleyWith(t, 100, 30, []string{"EDITOR=" + copyingEditor(t, dir)}, "demo", "--no-record")
	s.WaitFor(`❯ Book me`)
	text := strings.Repeat("\x00\x01\x1b[2J\x1b[<0;1;1M\x1b]0;t\a\tplain 한국\n", 10<<20/32) + "the end"
	s.Paste(text)
	s.WaitFor(`pasted [\d,]+ lines`)
	s.Text(" after")
	s.WaitFor(` after`)
	s.Keys("M-e")
	if got := waitForEditor(t, dir); got != text+" after" {
		at := 0
		for at < min(len(got), len(text)) && got[at] == text[at] {
			at++
		}
		t.Errorf("got %d bytes, want %d; they differ at %d: %.40q", len(got), len(text), at, got[at:])
	}
}

// copyingEditor returns an editor that copies its file into a directory.
func copyingEditor(t *testing.T, dir string) string {
	t.Helper()
	script := filepath.Join(t.TempDir(), "editor")
	text := "#!/bin/sh\ncp \"$1\" \"" + script + ".copy\" && mv \"" + script + ".copy\" \"" + dir + "\"\n"
	if err := os.WriteFile(script, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	return script
}

func TestAPasteWithoutAnEndLeavesTheKeys(t *testing.T) {
	t.Parallel()
	s := parley(t, 100, 30, "demo", "--no-record")
	s.WaitFor(`❯ Book me`)
	s.Text("\x1b[200~half a paste")
	s.WaitFor(`❯ half a paste`)
	s.Keys("x")
	s.WaitFor(`❯ half a paste.{0,8}x +│`) // the answer to a terminal query may come in between
	s.Keys("C-c")
	s.WaitFor(`cleared`)
	s.WaitGone(`cleared`)
	s.Text("\x1b[200~another one")
	s.WaitFor(`❯ another one`)
	s.Keys("C-c")
	s.WaitGone(`❯ another one`)
	s.Keys("C-c")
	waitForExit(t, s, 0)
}
