//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What was written is there in the next run, where the agents have other ports, and a
// run that records nothing keeps nothing.
func TestWhatWasWrittenIsThereInTheNextRun(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	file := filepath.Join(state, "parley", "history.jsonl")
	env := []string{"XDG_STATE_HOME=" + state}
	run := func(args ...string) {
		s := parleyWith(t, 120, 40, env, append([]string{"demo"}, args...)...)
		s.WaitFor(`❯ Book me`)
		if _, err := os.Stat(file); err == nil {
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
	run("--no-record")
	if _, err := os.Stat(file); err == nil {
		t.Fatal("--no-record keeps what was written")
	}
	run()
	data, err := os.ReadFile(file)
	if err != nil || strings.Count(string(data), "umbrella") != 1 {
		t.Fatalf("kept: %s, %v", data, err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	run()
}
