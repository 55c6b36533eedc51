package tmux

import (
	"fmt"
	"strings"
)

// Keys presses keys by tmux's names: Enter, Escape, Tab, BTab, Up, C-c, M-x, F1.
func (s *Session) Keys(keys ...string) {
	s.t.Helper()
	s.tmux(append([]string{"send-keys", "-t", "s"}, keys...)...)
}

// Text types literally.
func (s *Session) Text(text string) {
	s.t.Helper()
	s.tmux("send-keys", "-t", "s", "-l", "--", text)
}

// Paste pastes as a terminal does: bracketed if the program asked for that, line
// feeds sent as carriage returns.
func (s *Session) Paste(text string) {
	s.t.Helper()
	cmd := s.command("load-buffer", "-b", "paste", "-")
	cmd.Stdin = strings.NewReader(text)
	if out, err := cmd.CombinedOutput(); err != nil {
		s.t.Fatalf("tmux load-buffer: %v: %s", err, out)
	}
	s.tmux("paste-buffer", "-p", "-d", "-b", "paste", "-t", "s")
}

// The buttons of the mouse, as SGR mouse reports number them.
const (
	leftButton = 0
	dragged    = 32
	wheelUp    = 64
	wheelDown  = 65
)

// mouse sends an SGR mouse report; cells count from 0.
func (s *Session) mouse(button, x, y int, final string) {
	s.t.Helper()
	s.Text(fmt.Sprintf("\x1b[<%d;%d;%d%s", button, x+1, y+1, final))
}

// Click presses and releases the left button at a cell, counted from 0.
func (s *Session) Click(x, y int) {
	s.t.Helper()
	s.mouse(leftButton, x, y, "M")
	s.mouse(leftButton, x, y, "m")
}

// Drag moves the mouse from one cell to another with the left button held.
func (s *Session) Drag(x0, y0, x1, y1 int) {
	s.t.Helper()
	s.mouse(leftButton, x0, y0, "M")
	s.mouse(leftButton+dragged, x1, y1, "M")
	s.mouse(leftButton, x1, y1, "m")
}

// Wheel turns the wheel at a cell: n notches down, or up when negative.
func (s *Session) Wheel(x, y, n int) {
	s.t.Helper()
	button := wheelDown
	if n < 0 {
		button, n = wheelUp, -n
	}
	for range n {
		s.mouse(button, x, y, "M")
	}
}

// Resize changes the size of the terminal.
func (s *Session) Resize(w, h int) {
	s.t.Helper()
	s.tmux("resize-window", "-t", "s", "-x", fmt.Sprint(w), "-y", fmt.Sprint(h))
}
