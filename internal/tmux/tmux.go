// Package tmux runs a built program in a private tmux server, for tests of whole
// programs.
//
// The program gets its own terminal and an environment without anything of the user's: a new
// home, no trace of a surrounding tmux (otherwise tmux would report its colours and the program
// would use 256). Tests press keys and wait for what the screen should show; no test waits for
// time to pass. When a wait fails, the test fails with the screen as it was.
package tmux

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Options say how to run a program.
type Options struct {
	Command []string      // program and arguments
	Env     []string      // NAME=VALUE, on top of a clean environment
	Dir     string        // working directory; empty for the test's
	W, H    int           // size of the terminal; 0 for 80×24
	Timeout time.Duration // of every wait; 0 for a minute
}

// A Session is a program running in its own terminal. Its methods fail the test when tmux
// fails, so they belong in the test's goroutine.
type Session struct {
	t       testing.TB
	dir     string // socket, configuration and the exit status
	alive   *lifeline
	control *control
	timeout time.Duration
}

// config keeps tmux itself off the screen and away from keys. Only resize-window sets the
// window size; "window-size manual" crashes tmux 3.3a.
const config = `set -g status off
set -g remain-on-exit on
set -g default-terminal xterm-256color
set -sg escape-time 0
set -g history-limit 5000
set -g mouse off
set -g set-clipboard on
`

// Start runs a program and ends it with the test. Without tmux the test is
// skipped, or fails when CI is set.
func Start(t testing.TB, o Options) *Session {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("tmux is not installed, which is a failure under CI")
		}
		t.Skip("tmux is not installed")
	}
	// Not t.TempDir: the path of a socket may have about a hundred bytes.
	dir, err := os.MkdirTemp("", "parley-tmux-")
	if err != nil {
		t.Fatal(err)
	}
	s := &Session{t: t, dir: dir, timeout: o.Timeout}
	if s.timeout == 0 {
		s.timeout = time.Minute
	}
	if s.alive, err = newLifeline(s.path("alive")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.close)
	s.write("conf", config)
	s.write("run", script(dir, o))
	if err := os.Mkdir(s.path("home"), 0o700); err != nil {
		t.Fatal(err)
	}
	if o.W == 0 || o.H == 0 {
		o.W, o.H = 80, 24
	}
	if out, err := s.command("new-session", "-d", "-s", "s", "-x", fmt.Sprint(o.W), "-y", fmt.Sprint(o.H), "sh "+quote(s.path("run"))).CombinedOutput(); err != nil {
		t.Fatalf("tmux new-session: %v: %s", err, out)
	}
	if s.control, err = attach(s.command("-C", "attach-session", "-f", "no-output,ignore-size", "-t", "s")); err != nil {
		t.Fatalf("tmux attach-session: %v", err)
	}
	return s
}

// script runs the program and writes its exit status to a file, because tmux 3.3a does not
// always report it.
func script(dir string, o Options) string {
	env := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(dir, "home"), "TMPDIR=" + os.TempDir(),
		"TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8",
	}
	for _, name := range []string{"GOCOVERDIR", "GORACE"} { // where a program reports about itself
		if value := os.Getenv(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	var b strings.Builder
	b.WriteString("exec 9>" + quote(filepath.Join(dir, "alive")) + "\n")
	if o.Dir != "" {
		b.WriteString("cd " + quote(o.Dir) + " || exit 125\n")
	}
	b.WriteString("env -i")
	for _, word := range append(append(env, o.Env...), o.Command...) {
		b.WriteString(" " + quote(word))
	}
	rc := quote(filepath.Join(dir, "rc"))
	fmt.Fprintf(&b, "\nrc=$?\necho $rc > %s.new && mv %s.new %s\nexit $rc\n", rc, rc, rc)
	return b.String()
}

// quote makes one word of s for the shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func (s *Session) path(name string) string { return filepath.Join(s.dir, name) }

func (s *Session) write(name, text string) {
	s.t.Helper()
	if err := os.WriteFile(s.path(name), []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// command is a program that runs a tmux command in the session's own server.
func (s *Session) command(args ...string) *exec.Cmd {
	cmd := exec.Command("tmux", append([]string{"-u", "-S", s.path("s"), "-f", s.path("conf")}, args...)...)
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "TMUX") && !strings.HasPrefix(v, "TERM_PROGRAM") && !strings.HasPrefix(v, "LC_ALL=") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, "LC_ALL=C.UTF-8", "TERM=xterm-256color")
	return cmd
}

// tmux runs a tmux command and returns what it printed.
func (s *Session) tmux(args ...string) string {
	s.t.Helper()
	out, err := s.control.run(args)
	if err != nil {
		s.t.Fatalf("tmux %s: %v", args[0], err)
	}
	return out
}

// close ends the server, and with it the program, and waits until the program has ended: what it writes
// last belongs to the test.
func (s *Session) close() {
	_ = s.command("kill-server").Run() // it may have ended with the last window
	if s.control != nil {
		s.control.close()
	}
	if err := s.alive.waitForEnd(time.Minute); err != nil {
		s.t.Errorf("the program, or one that it started, still ran a minute after its terminal was gone: %v", err)
	}
	_ = os.RemoveAll(s.dir)
}
