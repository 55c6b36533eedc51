package terminal

import (
	"io"
	"os/exec"
	"time"

	tea "charm.land/bubbletea/v2"
)

// A lease is the terminal while somebody else has it, who writes past our queue.
type lease struct{ out *Output }

// minLease is how long whoever has the terminal keeps it at least. Bubble Tea stops the
// clock of its renderer on another goroutine, a moment after it has given the terminal
// away; somebody who gives it back before that leaves a screen that is never drawn again.
const minLease = 50 * time.Millisecond

// take is given the program's output, after the last that it writes.
func (l *lease) take(w io.Writer) io.Writer {
	if l.out, _ = w.(*Output); l.out == nil {
		return w
	}
	l.out.ShowCursor()
	l.out.drain()
	time.Sleep(minLease)
	return l.out.File
}

// Lend runs another program that has the terminal until it ends, and sends what done makes
// of its error. Nothing is between the two: an editor wants a terminal to write to, and is
// suspended together with this program.
func Lend(cmd *exec.Cmd, done func(error) tea.Msg) tea.Cmd { return tea.Exec(&guest{Cmd: cmd}, done) }

// A guest is the program that the terminal is lent to.
type guest struct {
	*exec.Cmd
	lease
}

func (g *guest) SetStdin(r io.Reader) {
	if k, ok := r.(*Keyboard); ok {
		r = k.File // the terminal itself
	}
	g.Stdin = r
}
func (g *guest) SetStdout(w io.Writer) { g.Stdout = g.take(w) }
func (g *guest) SetStderr(w io.Writer) { g.Stderr = w }

// Run runs the guest.
func (g *guest) Run() error {
	if g.out != nil {
		g.out.lent.Store(true)
		defer g.out.lent.Store(false)
	}
	return g.Cmd.Run()
}

// A shell has started this program, and has the terminal while it is suspended.
type shell struct{ lease }

func (s *shell) SetStdin(io.Reader)    {}
func (s *shell) SetStdout(w io.Writer) { s.take(w) }
func (s *shell) SetStderr(io.Writer)   {}

// Run suspends the program and returns when it goes on.
func (s *shell) Run() error {
	s.out.aside.Store(true)
	err := suspend()
	if err != nil {
		s.out.aside.Store(false)
	}
	return err
}

// A takeover has had the terminal already: there is nothing left to be done but to put it
// in order again and to draw everything.
type takeover struct{ lease }

func (t *takeover) SetStdin(io.Reader)    {}
func (t *takeover) SetStdout(w io.Writer) { t.take(w) }
func (t *takeover) SetStderr(io.Writer)   {}
func (t *takeover) Run() error            { return nil }

// TakeBack draws the screen anew on a terminal of whatever size it has now.
func TakeBack() tea.Cmd {
	return tea.Exec(&takeover{}, func(error) tea.Msg { return tea.ResumeMsg{} })
}
