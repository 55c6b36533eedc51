//go:build unix

package endurance

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"
)

// jobs is a shell that runs a program, prints a line when it has the terminal again, and
// continues the program after enter. $1 is a file for the process id.
const jobs = `set -m
times=0
sh -c 'echo $$ >"$0"; exec "$@"' "$@"
while [ $? -gt 128 ]; do
  times=$((times + 1))
  echo "the shell is back, $times"
  read key
  fg >/dev/null
done
echo "exit status $?"
read key`

// startJob runs the program from a shell that suspends and resumes it.
func startJob(t *testing.T, editor string, args ...string) (s *screen, pid func() int) {
	t.Helper()
	dir := t.TempDir()
	journal, number := filepath.Join(dir, "session.jsonl"), filepath.Join(dir, "pid")
	s = startCommand(t, append([]string{"sh", "-c", jobs, "sh", number, "env", "EDITOR=" + editor, program, "--record", journal}, args...)...)
	s.journal = journal
	return s, func() int {
		text, err := os.ReadFile(number)
		if err != nil {
			t.Fatal(err)
		}
		pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		return pid
	}
}

// Suspended by a key or a signal, the program restores the terminal after all pending output;
// resumed, it shows the same screen with everything that the agent sent meanwhile.
func TestSuspendedItHandsTheTerminalBack(t *testing.T) {
	t.Parallel()
	for name, suspend := range map[string]func(s *screen, pid int){
		"by a key": func(s *screen, _ int) { s.types("\x1a") },
		"by somebody else": func(s *screen, pid int) {
			if err := syscall.Kill(pid, syscall.SIGTSTP); err != nil {
				s.t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := startAgent(t, 2000, 10, 2*time.Millisecond)
			s, pid := startJob(t, "none", a.url)
			s.talks()
			s.types("not sent yet")
			s.sees(`❯ not sent yet`)
			for n := range 3 {
				suspend(s, pid())
				if text := s.sees(fmt.Sprintf(`^the shell is back, %d$`, n+1)); strings.Contains(text, "number") {
					t.Errorf("got the program's text on the shell's screen:\n%s", text)
				}
				s.checkTerminal()
				s.types("\r")
				s.sees(`❯ not sent yet`)
			}
			eventually(t, "the end in the journal", func() bool { return s.has(lastWord) })
			s.sees(lastWord)
			s.types("\x03\x03\x03")
			s.sees(`^exit status 0`)
			s.checkTerminal()
		})
	}
}

// Without a job-control shell the program does not suspend itself: nothing would resume it.
func TestWithoutAShellItIsNotSuspended(t *testing.T) {
	t.Parallel()
	a := startAgent(t, 100, 10, time.Millisecond)
	s := start(t, a.url)
	s.talks()
	s.types("\x1a")
	s.sees(`no shell to return to`)
	s.types("still there")
	s.sees(`❯ still there`)
}

// editor is a user's editor that writes to a file whether it has a terminal, and waits for
// enter.
func editor(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "editor")
	script := "#!/bin/sh\n[ -t 0 ] && [ -t 1 ] && [ -t 2 ] && echo 'on a terminal' >\"$1\"\necho 'the editor is open'\nread key\n"
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// The user's editor gets the terminal alone, after all pending output.
func TestAnEditorHasTheTerminal(t *testing.T) {
	t.Parallel()
	a := startAgent(t, 2000, 10, 2*time.Millisecond)
	s := startCommand(t, "env", "EDITOR="+editor(t), program, "--no-record", a.url)
	s.talks()
	s.types("draft\x1be")
	if text := s.sees(`^the editor is open`); strings.Contains(text, "number") {
		t.Errorf("got the program's text on the editor's screen:\n%s", text)
	}
	s.types("\r")
	s.sees(`❯ on a terminal`)
}

// The words of the editor's command line are its arguments, and no shell reads them.
func TestNoShellReadsTheCommandLineOfTheEditor(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path, ran := filepath.Join(dir, "editor"), filepath.Join(dir, "ran")
	if err := os.WriteFile(path, []byte("#!/bin/sh\necho \"$# arguments, $1\"\nread key\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	a := startAgent(t, 10, 10, 0)
	s := startCommand(t, "env", "EDITOR="+path+" $(touch "+ran+") ;touch "+ran, program, "--no-record", a.url)
	s.talks()
	s.types("draft\x1be")
	s.sees(`^5 arguments, \$\(touch`)
	s.types("\r")
	s.sees(`❯ draft`)
	if _, err := os.Stat(ran); err == nil {
		t.Error("a command in EDITOR was run")
	}
}

// A suspended editor suspends the program too, because the shell would not notice otherwise.
// Both resume together.
func TestAnEditorIsSuspendedWithTheProgram(t *testing.T) {
	t.Parallel()
	a := startAgent(t, 100, 10, time.Millisecond)
	s, _ := startJob(t, editor(t), a.url)
	s.talks()
	s.types("draft\x1be")
	s.sees(`^the editor is open`)
	s.types("\x1a")
	s.sees(`the shell is back`)
	s.types("\r") // for the shell
	s.types("\r") // for the editor
	s.sees(`❯ on a terminal`)
}

// Stopped by SIGSTOP the program cannot restore the terminal. When it continues in a terminal
// of another size (a larger one, for which the emulator has room before the program knows of
// it) it prepares the terminal again and redraws everything, although nothing else has changed.
func TestStoppedUnaskedItDrawsEverythingWhenItGoesOn(t *testing.T) {
	t.Parallel()
	a := startAgent(t, 100, 10, time.Millisecond)
	s, pid := startJob(t, "none", a.url)
	s.talks()
	s.sees(lastWord)
	s.types("not sent yet")
	s.sees(`❯ not sent yet`)
	for _, width := range []int{130, 140} {
		if err := syscall.Kill(pid(), syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		s.sees(`the shell is back`)
		s.restoreSettings()
		s.resize(width, 40)
		s.types("\r")
		eventually(t, "the whole screen in its new size", func() bool {
			text := s.text()
			return !strings.Contains(text, "the shell is back") && strings.Contains(text, "❯ not sent yet") &&
				utf8.RuneCountInString(regexp.MustCompile(`(?m)^(╰─+╯){2,3}$`).FindString(text)) == width
		})
		s.types("!")
		s.sees(`❯ not sent yet!`)
		s.types("\x7f")
	}
	s.types("\x03\x03\x03")
	s.sees(`^exit status 0`)
	s.checkTerminal()
}
