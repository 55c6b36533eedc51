// Package tmux runs a built program in a private tmux server, for tests of whole
// programs.
package tmux

import (
	"testing"
	"time"
)

// Options say how to run a program.
type Options struct {
	Command []string      // program and arguments
	Env     []string      // NAME=VALUE, on top of a clean environment
	Dir     string        // working directory; empty for the test's
	W, H    int           // size of the terminal; 0 for 80×24
	Timeout time.Duration // of every wait; 0 for 10 s
}

// A Session is a program running in a terminal of its own.
type Session struct{}

// Start runs a program and ends it with the test. Without tmux the test is
// skipped, or fails when CI is set.
func Start(t testing.TB, o Options) *Session { return &Session{} }

// Keys presses keys by tmux's names: Enter, Escape, Tab, BTab, Up, C-c, M-x, F1.
func (s *Session) Keys(keys ...string) {}

// Text types literally.
func (s *Session) Text(text string) {}

// Paste pastes as a terminal with bracketed paste does.
func (s *Session) Paste(text string) {}

// Click presses and releases the left button at a cell, counted from 0.
func (s *Session) Click(x, y int) {}

// Drag moves the mouse from one cell to another with the left button held.
func (s *Session) Drag(x0, y0, x1, y1 int) {}

// Wheel turns the wheel at a cell: n notches down, or up when negative.
func (s *Session) Wheel(x, y, n int) {}

// Resize changes the size of the terminal.
func (s *Session) Resize(w, h int) {}

// Screen returns the text on the screen, rows separated by line feeds.
func (s *Session) Screen() string { return "" }

// Styled returns the screen with SGR sequences.
func (s *Session) Styled() string { return "" }

// Cursor returns the cursor's cell and whether it is shown.
func (s *Session) Cursor() (x, y int, visible bool) { return 0, 0, false }

// WaitFor waits until the screen matches the regular expression (multi-line mode)
// and returns the screen; it fails the test with the screen when time runs out.
func (s *Session) WaitFor(pattern string) string { return "" }

// WaitGone waits until the screen no longer matches.
func (s *Session) WaitGone(pattern string) string { return "" }

// WaitFunc waits until ok holds of the screen; what says in words what is awaited.
func (s *Session) WaitFunc(what string, ok func(screen string) bool) string { return "" }

// Running reports whether the program has not ended.
func (s *Session) Running() bool { return false }

// Exit waits for the program to end and returns its exit status; death by signal
// n is 128+n.
func (s *Session) Exit() int { return 0 }
