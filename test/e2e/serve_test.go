//go:build unix

package e2e

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"parley/a2a/a2atest"
	"parley/a2a/a2atest/demo"
	"parley/internal/tmux"
)

// A user records an agent, serves the recording, talks to it, and ends it with Ctrl+C.
func TestARecordingIsServed(t *testing.T) {
	t.Parallel()
	agents, stop, err := demo.Start(t.Context(), a2atest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	dir := t.TempDir()
	file := filepath.Join(dir, "clerk.jsonl")
	send := func(args ...string) string {
		cmd := exec.Command(program, append([]string{"send"}, args...)...)
		cmd.Dir, cmd.Env = dir, []string{"HOME=" + dir}
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: got %v\n%s", cmd, err, out)
		}
		return string(out)
	}
	for _, a := range agents {
		if a.Name == "Old Clerk" {
			send("--record", file, "-a", a.URL, "Good morning")
		}
	}
	s := tmux.Start(t, tmux.Options{
		Command: []string{"sh", "-c", `trap : INT; "$@"; echo "exit status $?"; exec sleep 1000`, "sh", program, "serve", file, "--fast"},
		Dir:     dir, W: 160, H: 50,
	})
	s.WaitFor(`Agent: Old Clerk +http://127\.0\.0\.1:\d+ +“Good morning”`)
	url := regexp.MustCompile(`http://127\.0\.0\.1:\d+`).FindString(s.Screen())
	if got := send("-a", url, "good morning!"); !regexp.MustCompile(`Good morning\. Room 3`).MatchString(got) {
		t.Errorf("got %s, want the recorded answer", got)
	}
	s.WaitFor(`Old Clerk: tasks/sendSubscribe “good morning!”: record \d+, similar text`)
	s.Keys("C-c")
	s.WaitFor(`exit status 0`)
}
