//go:build unix

package ui

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"parley/session/log"
)

// The report of the cursor that answers the probe, and the end of the probe.
const (
	answer2 = "\x1b[2;2R"
	probed  = "\x1b[6n"
)

// A slowTerminal is a terminal whose user and answers are the test's.
type slowTerminal struct {
	t       *testing.T
	user    *os.File // what the terminal sends and receives
	tty     *os.File // the program's end
	written chan []byte
	seen    []byte
	ended   chan error
	stop    context.CancelFunc
}

// newSlowTerminal runs the workbench on a terminal where keys were typed before it started.
func newSlowTerminal(t *testing.T, ahead string) *slowTerminal {
	t.Helper()
	user, tty, err := pty.Open()
	if err != nil {
		t.Skip(err)
	}
	if err := pty.Setsize(tty, &pty.Winsize{Rows: 24, Cols: 100}); err != nil {
		t.Fatal(err)
	}
	s := &slowTerminal{t: t, user: user, tty: tty, written: make(chan []byte, 1<<10), ended: make(chan error, 1)}
	go func() {
		defer close(s.written)
		for {
			b := make([]byte, 4096)
			n, err := user.Read(b)
			if err != nil {
				return
			}
			s.written <- b[:n]
		}
	}()
	s.types(ahead)
	ctx, stop := context.WithCancel(t.Context())
	s.stop = stop
	t.Cleanup(func() {
		stop()
		user.Close()
		tty.Close()
	})
	feed := log.NewFeed()
	o := Options{Engine: &fakeEngine{}, Feed: feed, Name: "x", Dir: t.TempDir(), TempDir: t.TempDir(), Now: time.Now, Getenv: func(string) string { return "" }}
	o.Theme.Name = "dark"
	go func() {
		_, err := Run(ctx, o, tty, tty, []string{"TERM=xterm-256color"})
		s.ended <- err
	}()
	return s
}

// types sends what the user types, or what the terminal answers.
func (s *slowTerminal) types(text string) {
	s.t.Helper()
	if _, err := s.user.WriteString(text); err != nil {
		s.t.Fatal(err)
	}
}

// sees waits until the program has written a text, of which the renderer does not write what the
// screen already shows.
func (s *slowTerminal) sees(text string) {
	s.t.Helper()
	timeout := time.After(time.Minute)
	for !bytes.Contains(s.seen, []byte(text)) {
		select {
		case b, ok := <-s.written:
			if !ok {
				s.t.Fatalf("the terminal was closed before it saw %q", text)
			}
			s.seen = append(s.seen, b...)
		case err := <-s.ended:
			s.t.Fatalf("the program ended (%v) before the terminal saw %q: %q", err, text, s.seen)
		case <-timeout:
			s.t.Fatalf("the terminal saw no %q: %q", text, s.seen)
		}
	}
}

// end waits for the end of the program.
func (s *slowTerminal) end() {
	s.t.Helper()
	timeout := time.After(time.Minute)
	for {
		select {
		case b := <-s.written:
			s.seen = append(s.seen, b...)
		case err := <-s.ended:
			if err != nil {
				s.t.Errorf("the program ended with %v", err)
			}
			return
		case <-timeout:
			s.t.Fatalf("the program did not end: %q", s.seen)
		}
	}
}

// shell returns the line that a shell reads after the program, when the user types one.
func (s *slowTerminal) shell(line string) string {
	s.t.Helper()
	s.types(line + "\n")
	b := make([]byte, 100)
	n, err := s.tty.Read(b) // a line, because the terminal has its modes back
	if err != nil {
		s.t.Fatal(err)
	}
	s.sees(line + "\r\n") // its echo
	return strings.TrimSuffix(string(b[:n]), "\n")
}

// A terminal answers only after the user, or a signal, has asked the program to end: the shell gets
// none of the answer, and shows none.
func TestALateAnswerIsNotLeftToTheShell(t *testing.T) {
	t.Parallel()
	for name, ask := range map[string]func(s *slowTerminal){
		"keys":     func(s *slowTerminal) { s.types("\x03"); s.sees("again quits"); s.types("\x03") },
		"a signal": func(s *slowTerminal) { s.stop() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSlowTerminal(t, "")
			s.sees(probed)
			ask(s)
			s.sees("waiting for an answer")
			s.types(answer2)
			s.end()
			if got := s.shell("ls"); got != "ls" {
				t.Errorf("the shell reads %q, want what the user types", got)
			}
			if bytes.Contains(s.seen, []byte("2;2R")) {
				t.Errorf("the terminal shows its own answer: %q", s.seen)
			}
		})
	}
}

// Who does not want to wait for a terminal that never answers presses the key again.
func TestATerminalThatNeverAnswersCanBeLeft(t *testing.T) {
	t.Parallel()
	s := newSlowTerminal(t, "")
	s.sees(probed)
	s.types("\x03\x03")
	s.sees("waiting for an answer")
	s.types("\x03")
	s.end()
}

// Keys that were typed before the program started are its first, and an answer among keys is none.
func TestKeysTypedAheadAreKept(t *testing.T) {
	t.Parallel()
	s := newSlowTerminal(t, "ahead")
	s.sees("conversation") // the screen of the program
	s.sees(probed)
	s.types(answer2 + "+after")
	s.types("\x03") // takes the text out of the text field
	s.sees("cleared")
	s.types("\x1b[A") // brings it back
	s.sees("ahead+after")
	s.types("\x03\x03\x03")
	s.end()
}
