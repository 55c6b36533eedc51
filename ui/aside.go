package ui

import (
	"io"
	"os"
	"os/exec"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// filter sees every message before the renderer does.
func (o *output) filter(_ tea.Model, msg tea.Msg) tea.Msg {
	switch msg.(type) {
	case tea.WindowSizeMsg:
		if o.Behind() { // for each size the renderer draws everything anew
			return resizedMsg{}
		}
	case tea.SuspendMsg:
		if suspendable {
			return tea.Exec(&shell{}, func(err error) tea.Msg {
				if err != nil {
					return aloneMsg{}
				}
				return tea.ResumeMsg{}
			})()
		}
	}
	return msg
}

// suspends hands on the signals that ask to suspend the program, until stop is called:
// to send, for the terminal to be put in order first, or, while a guest has it and has
// been asked too, to nobody else.
func (o *output) suspends(send func(tea.Msg)) (stop func()) {
	asked, over := make(chan os.Signal, 1), make(chan struct{})
	deaf := hearSuspend(asked)
	go func() {
		for {
			select {
			case <-asked:
			case <-over:
				return
			}
			if o.lent.Load() {
				_ = suspend() // if there is no shell, the guest has not stopped either
			} else {
				send(asideMsg{})
			}
		}
	}()
	return func() {
		deaf()
		close(over)
	}
}

// showCursor is what the renderer forgets when it leaves the screen for the second
// time: it hid the cursor of the other screen, where a terminal has one for each.
func (o *output) showCursor() { _, _ = o.WriteString(ansi.ShowCursor) }

// A lease is the terminal while somebody else has it, who writes past our queue.
type lease struct{ out *output }

// take is given the program's output, after the last that it writes.
func (l *lease) take(w io.Writer) io.Writer {
	if l.out, _ = w.(*output); l.out == nil {
		return w
	}
	l.out.showCursor()
	l.out.drain()
	return l.out.File
}

// A guest is another program that has the terminal until it ends, and nothing is
// between the two: an editor wants a terminal to write to, and is suspended together
// with this program.
type guest struct {
	*exec.Cmd
	lease
}

func (g *guest) SetStdin(r io.Reader)  { g.Stdin = r }
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
func (s *shell) Run() error { return suspend() }
