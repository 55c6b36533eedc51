package ui

import (
	"io"
	"os"
	"os/exec"
	"time"

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
// been asked too, to nobody else. It also hands on that the program goes on after it was
// stopped without being asked, when whoever had the terminal meanwhile has changed it.
func (o *output) suspends(send func(tea.Msg)) (stop func()) {
	asked, goesOn, over := make(chan os.Signal, 1), make(chan os.Signal, 1), make(chan struct{})
	deaf := hearSuspend(asked, goesOn)
	go func() {
		for {
			var msg tea.Msg
			select {
			case <-asked:
				msg = asideMsg{}
			case <-goesOn:
				msg = goesOnMsg{}
			case <-over:
				return
			}
			switch asks := msg == (asideMsg{}); {
			case !asks && o.aside.Swap(false): // it was put aside in order
			case !o.lent.Load():
				send(msg)
			case asks:
				_ = suspend() // if there is no shell, the guest has not stopped either
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

// afterwards is how long whoever has the terminal keeps it at least. Bubble Tea stops the
// clock of its renderer on another goroutine, a moment after it has given the terminal
// away; somebody who gives it back before that leaves a screen that is never drawn again.
const afterwards = 50 * time.Millisecond

// take is given the program's output, after the last that it writes.
func (l *lease) take(w io.Writer) io.Writer {
	if l.out, _ = w.(*output); l.out == nil {
		return w
	}
	l.out.showCursor()
	l.out.drain()
	time.Sleep(afterwards)
	return l.out.File
}

// A guest is another program that has the terminal until it ends, and nothing is
// between the two: an editor wants a terminal to write to, and is suspended together
// with this program.
type guest struct {
	*exec.Cmd
	lease
}

func (g *guest) SetStdin(r io.Reader) {
	if k, ok := r.(*keyboard); ok {
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

// takeBack draws the screen anew on a terminal of whatever size it has now.
func takeBack() tea.Cmd {
	return tea.Exec(&takeover{}, func(error) tea.Msg { return tea.ResumeMsg{} })
}
