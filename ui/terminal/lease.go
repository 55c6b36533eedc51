package terminal

import (
	"io"
	"os/exec"
	"time"

	tea "charm.land/bubbletea/v2"
)

// A lease is the terminal while another program has it, which writes past the queue.
type lease struct{ out *Output }

// minLease is the least time for which another program has the terminal. Bubble Tea stops the
// clock of its renderer on another goroutine, a moment after it gave the terminal away; if the
// terminal is returned before that, the screen is never drawn again.
const minLease = 50 * time.Millisecond

// take is called with the program's output, after everything it writes.
func (l *lease) take(w io.Writer) io.Writer {
	if l.out, _ = w.(*Output); l.out == nil {
		return w
	}
	l.out.ShowCursor()
	l.out.drain()
	time.Sleep(minLease)
	return l.out.File
}

// Lend runs another program on the terminal until it ends, and sends the message that done
// returns for its error. The program gets the terminal itself: an editor needs one to write to,
// and is suspended together with this program.
func Lend(cmd *exec.Cmd, done func(error) tea.Msg) tea.Cmd { return tea.Exec(&guest{Cmd: cmd}, done) }

// A guest is the program that has the terminal.
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

// A shell is the parent process, which has the terminal while the program is suspended.
type shell struct{ lease }

func (s *shell) SetStdin(io.Reader)    {}
func (s *shell) SetStdout(w io.Writer) { s.take(w) }
func (s *shell) SetStderr(io.Writer)   {}

// Run suspends the program and returns when it continues.
func (s *shell) Run() error {
	s.out.suspended.Store(true)
	err := suspend()
	if err != nil {
		s.out.suspended.Store(false)
	}
	return err
}

// A takeover gets the terminal back after another program had it: it only restores its modes
// and draws everything.
type takeover struct{ lease }

func (t *takeover) SetStdin(io.Reader)    {}
func (t *takeover) SetStdout(w io.Writer) { t.take(w) }
func (t *takeover) SetStderr(io.Writer)   {}
func (t *takeover) Run() error            { return nil }

// TakeBack redraws the screen on a terminal that may have another size now.
func TakeBack() tea.Cmd {
	return tea.Exec(&takeover{}, func(error) tea.Msg { return tea.ResumeMsg{} })
}
