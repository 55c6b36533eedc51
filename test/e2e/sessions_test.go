//go:build unix

package e2e

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A session whose records the user marks and comments on is killed in mid-stream, found again on
// the start screen, opened from there, annotated, searched and deleted.
func TestASessionIsFoundAgainAfterAKill(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	env := []string{"XDG_STATE_HOME=" + state}
	agent := startPausingAgent(t)
	s := parleyWith(t, 120, 40, env, agent.URL)
	s.WaitFor(`❯ Write to me`)
	s.Keys("Enter")
	s.WaitFor(`← 200 text/event-stream`)
	s.WaitFor(`\blive\b`)
	s.WaitFor(` · late\.⏎`) // the last one before the pause, so that the cursor stays on it
	s.Keys("Tab", "Tab", "m")
	s.WaitFor(`◆\d+`)
	s.Keys(`\;`) // for tmux a semicolon ends a command
	s.WaitFor(`comment on record`)
	s.Text("why so slow")
	s.Keys("Enter")
	s.WaitFor(`✎ why so slow`)
	pid := s.Display("#{pane_pid}")
	for range 2 { // the terminal's shell, and that of the test
		out, err := exec.Command("pgrep", "-P", strings.TrimSpace(pid)).Output()
		if err != nil {
			t.Fatal(err)
		}
		pid = strings.Fields(string(out))[0]
	}
	if out, err := exec.Command("kill", "-KILL", pid).CombinedOutput(); err != nil {
		t.Fatalf("kill: %v\n%s", err, out)
	}
	// The cursor stays where the program drew last, so that the words may begin at the end of a row.
	s.WaitFor(strings.ReplaceAll(strings.Join(strings.Split("exit status 137", ""), `\s?`), " ", `\s`))
	agent.Release("gate")
	files, err := filepath.Glob(filepath.Join(state, "parley", "sessions", "*.jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatalf("got recordings %q (%v), want one", files, err)
	}
	s = parleyWith(t, 120, 40, env)
	s.WaitFor(`(?s)Go on.*was still working · resume · Write to me.*Browse 1 recorded session`)
	s.Keys("Escape")
	s.WaitFor(`No agent is open`)
	s.Text("/sessions")
	s.Keys("Enter")
	s.WaitFor(`The session was interrupted`)
	s.Keys("Enter") // a second Parley shows it
	s.WaitFor(`the recording ends here`)
	s.WaitFor(`◆\d+.*✎`)
	s.WaitFor(`q back to session`)
	s.Keys("P") // a replay leads back too
	s.WaitFor(`#\d+ of \d+`)
	s.WaitFor(`q back to session`)
	s.Keys("q")
	s.WaitFor(`2 sessions`) // this one too
	s.Keys("R")
	s.Text("Lost in Lisbon")
	s.Keys("Enter")
	s.WaitFor(`Lost in Lisbon`)
	s.Keys("s")
	s.Text("WRITE to")
	s.Keys("Enter")
	s.WaitFor(`1 of 2 sessions`)
	s.WaitFor(`record \d+ `)
	s.Keys("d")
	s.WaitFor(`Delete this session for ever\?`)
	s.Keys("d")
	s.WaitFor(`The session was deleted`)
	if left, _ := filepath.Glob(strings.TrimSuffix(files[0], ".jsonl") + "*"); len(left) > 0 {
		t.Errorf("got %q left, want the recording deleted with its annotations", left)
	}
	s.Keys("C-c", "C-c", "C-c") // closes the sheet, then quits
	waitForExit(t, s, 0)
}
