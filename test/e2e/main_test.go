//go:build unix

package e2e

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"parley/internal/tmux"
)

// program is the path of the built parley, set once by TestMain.
var program string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "parley-e2e-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	if err := build(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if err := chooseTests(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	code := m.Run()
	if found := races(dir); found != "" {
		fmt.Fprintf(os.Stderr, "the race detector found:\n%s", found)
		return 1
	}
	return code
}

// parley starts the program in a terminal of w×h cells, from a shell that prints its exit
// status afterwards and stays: so the test sees whether the terminal was restored.
func parley(t *testing.T, w, h int, args ...string) *tmux.Session {
	t.Helper()
	return parleyWith(t, w, h, nil, args...)
}

func parleyWith(t *testing.T, w, h int, env []string, args ...string) *tmux.Session {
	t.Helper()
	return parleyIn(t, "", w, h, env, args...)
}

// parleyIn starts the program in a directory.
func parleyIn(t *testing.T, dir string, w, h int, env []string, args ...string) *tmux.Session {
	t.Helper()
	shell := []string{"sh", "-c", `"$@"; echo "exit status $?"; exec sleep 1000`, "sh"}
	return tmux.Start(t, tmux.Options{Command: append(append(shell, program), args...), Env: env, Dir: dir, W: w, H: h})
}

// parting are the last lines of the workbench, without spaces and line ends: what was recorded, and what
// becomes of tasks.
var parting = regexp.MustCompile(`^(Recorded\d+records?:parleyopen\S+?)?(Task\S+:parley(resume|taskget)\S+)?$`)

// waitForExit waits for the end of the program and fails unless it has the given exit status and
// has restored the terminal.
func waitForExit(t *testing.T, s *tmux.Session, status int) {
	t.Helper()
	screen := s.WaitFor(`^exit status \d+$`)
	if got := number(screen, `^exit status (\d+)$`); got != status {
		t.Errorf("got exit status %d, want %d:\n%s", got, status, screen)
	}
	left, _, _ := strings.Cut(screen, "exit status")
	if words := strings.Join(strings.Fields(left), ""); !parting.MatchString(words) { // a narrow terminal wraps the lines
		t.Errorf("got text that the program left on the screen:\n%s", screen)
	}
	if got := s.Display("#{alternate_on} #{cursor_flag} #{mouse_any_flag} #{keypad_cursor_flag}"); got != "0 1 0 0" {
		t.Errorf("got alternate screen, cursor, mouse and cursor keys %q after the end, want 0 1 0 0", got)
	}
}

// boxOf returns what the frame with a title shows on a screen.
func boxOf(screen, title string) string {
	top := regexp.MustCompile(`(?m)^(.*)╭─ ` + regexp.QuoteMeta(title) + ` [^╮]*`).FindStringSubmatchIndex(screen)
	if top == nil {
		return ""
	}
	left, right := utf8.RuneCountInString(screen[top[2]:top[3]]), utf8.RuneCountInString(screen[top[0]:top[1]])
	rows, _, _ := strings.Cut(columns(screen[top[1]:], left+1, right), "\n─") // the lower edge
	return rows
}

// atWork matches the state of a task that works, in the conversation: behind the sign that turns, or stands
// still while the stream is silent. The header says it as soon as a message is on its way.
const atWork = `▌.*[●‖⣾⣽⣻⢿⡿⣟⣯⣷] working`

// waitForAll waits until the screen has all texts, and returns it: a frame may arrive in pieces, so one
// of its texts does not prove that the others are there.
func waitForAll(s *tmux.Session, texts ...string) string {
	return s.WaitFunc("all of "+strings.Join(texts, ", "), func(screen string) bool {
		return !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(screen, text) })
	})
}

// find chooses an entry of the finder by some of its letters.
func find(s *tmux.Session, text string) {
	s.Keys("C-p")
	s.WaitFor(`─ find ─`)
	s.Text(text)
	s.WaitFor(`❯ ` + regexp.QuoteMeta(text))
	s.Keys("Enter")
	s.WaitGone(`─ find ─`)
}

// sendExample chooses an example of an agent's card in the finder, by some of its letters, and sends
// it from the text field.
func sendExample(s *tmux.Session, text string) {
	find(s, text)
	s.WaitFor(`❯ .*` + regexp.QuoteMeta(text))
	s.Keys("Enter")
}

// number returns the first group of a pattern as a number, -1 without a match.
func number(screen, pattern string) int {
	m := regexp.MustCompile("(?m)" + pattern).FindStringSubmatch(screen)
	if m == nil {
		return -1
	}
	n, err := strconv.Atoi(strings.ReplaceAll(m[1], ",", ""))
	if err != nil {
		return -1
	}
	return n
}

// columns returns the columns of a screen between two positions.
func columns(screen string, from, to int) string {
	var rows []string
	for row := range strings.SplitSeq(screen, "\n") {
		cells := []rune(row + strings.Repeat(" ", to))
		rows = append(rows, string(cells[from:to]))
	}
	return strings.Join(rows, "\n")
}
