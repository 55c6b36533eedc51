package tmux

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// poll is the interval between two checks, because tmux cannot notify.
const poll = 10 * time.Millisecond

// Screen returns the text on the screen, rows separated by line feeds, without
// the spaces at their ends.
func (s *Session) Screen() string {
	s.t.Helper()
	return strings.TrimSuffix(s.tmux("capture-pane", "-p", "-t", "s"), "\n")
}

// Styled returns the screen with SGR sequences.
func (s *Session) Styled() string {
	s.t.Helper()
	return strings.TrimSuffix(s.tmux("capture-pane", "-e", "-N", "-p", "-t", "s"), "\n")
}

// Display expands a tmux format: "#{pane_title}", "#{alternate_on}" and so on.
func (s *Session) Display(format string) string {
	s.t.Helper()
	return strings.TrimSuffix(s.tmux("display-message", "-p", "-t", "s", format), "\n")
}

// WaitForDisplay waits until a tmux format matches the regular expression.
func (s *Session) WaitForDisplay(format, pattern string) string {
	s.t.Helper()
	re := regexp.MustCompile(pattern)
	return s.wait(format+" that matches /"+pattern+"/", func() string { return s.Display(format) }, re.MatchString)
}

// WaitForCopy waits until what the program last copied with OSC 52 matches the regular
// expression: the screen may report the copy earlier.
func (s *Session) WaitForCopy(pattern string) string {
	s.t.Helper()
	re := regexp.MustCompile("(?m)" + pattern)
	for deadline := time.Now().Add(s.timeout); ; time.Sleep(poll) {
		out, err := s.command("show-buffer").Output()
		if err == nil && re.Match(out) {
			return string(out)
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("the clipboard has no match for /%[2]s/ after %[1]v: got %[3]q (%[4]v)", s.timeout, pattern, out, err)
		}
	}
}

// Cursor returns the cursor's cell and whether it is shown.
func (s *Session) Cursor() (x, y int, visible bool) {
	s.t.Helper()
	var flag int
	if _, err := fmt.Sscanf(s.Display("#{cursor_x} #{cursor_y} #{cursor_flag}"), "%d %d %d", &x, &y, &flag); err != nil {
		s.t.Fatal(err)
	}
	return x, y, flag == 1
}

// WaitFor waits until the screen matches the regular expression, in which ^ and $
// match at rows, and returns the screen.
func (s *Session) WaitFor(pattern string) string {
	s.t.Helper()
	re := regexp.MustCompile("(?m)" + pattern)
	return s.WaitFunc("/"+pattern+"/", re.MatchString)
}

// WaitGone waits until the screen no longer matches.
func (s *Session) WaitGone(pattern string) string {
	s.t.Helper()
	re := regexp.MustCompile("(?m)" + pattern)
	return s.WaitFunc("no match for /"+pattern+"/", func(screen string) bool { return !re.MatchString(screen) })
}

// WaitFunc waits until ok holds for the screen, and returns the screen; what describes the
// expected screen. It fails the test when time runs out, and at once when the program has ended
// with another screen.
func (s *Session) WaitFunc(what string, ok func(screen string) bool) string {
	s.t.Helper()
	return s.wait(what, s.Screen, ok)
}

// WaitStyled is WaitFunc for the screen with SGR sequences: a frame may arrive in pieces.
func (s *Session) WaitStyled(what string, ok func(styled string) bool) string {
	s.t.Helper()
	return s.wait(what, s.Styled, ok)
}

// wait waits until ok holds for what look returns.
func (s *Session) wait(what string, look func() string, ok func(seen string) bool) string {
	s.t.Helper()
	for deadline := time.Now().Add(s.timeout); ; time.Sleep(poll) {
		ended := !s.Running() // checked first: nothing is drawn afterwards
		seen := look()
		if ok(seen) {
			return seen
		}
		if ended {
			s.t.Fatalf("the program ended with status %d before %s was on the screen:\n%s", s.Exit(), what, frame(seen))
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("after %v the screen lacks %s:\n%s", s.timeout, what, frame(seen))
		}
	}
}

// frame shows the edges of the screen in a failure.
func frame(screen string) string {
	return "┌\n│" + strings.ReplaceAll(screen, "\n", "\n│") + "\n└"
}

// Running reports whether the program has not ended.
func (s *Session) Running() bool {
	_, err := os.Stat(s.path("rc"))
	return err != nil
}

// Exit waits for the program to end and returns its exit status; death by signal
// n is 128+n.
func (s *Session) Exit() int {
	s.t.Helper()
	for deadline := time.Now().Add(s.timeout); s.Running(); time.Sleep(poll) {
		if time.Now().After(deadline) {
			s.t.Fatalf("after %v the program was still running:\n%s", s.timeout, frame(s.Screen()))
		}
	}
	text, err := os.ReadFile(s.path("rc"))
	if err != nil {
		s.t.Fatal(err)
	}
	status, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		s.t.Fatal(err)
	}
	return status
}
