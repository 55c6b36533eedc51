package terminal

import (
	"os"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"parley/internal/crash"
)

// Filter sees every message before the renderer does.
func (o *Output) Filter(msg tea.Msg) tea.Msg {
	switch msg.(type) {
	case tea.WindowSizeMsg:
		if o.Behind() { // the renderer redraws everything for each size
			return ResizedMsg{}
		}
	case tea.SuspendMsg:
		if suspendable {
			return tea.Exec(&shell{}, func(err error) tea.Msg {
				if err != nil {
					return NoShellMsg{}
				}
				return tea.ResumeMsg{}
			})()
		}
	}
	return msg
}

// HandleSuspend handles the signals that suspend and continue the program, until stop is
// called. A request to suspend is sent as a message, so that the terminal is restored first;
// while a guest has the terminal and was asked too, the process suspends directly. If the
// program was stopped without being asked, a message says that it continues, because the
// terminal may have changed.
func (o *Output) HandleSuspend(send func(tea.Msg)) (stop func()) {
	asked, resumed, over := make(chan os.Signal, 1), make(chan os.Signal, 1), make(chan struct{})
	ignore := notifySuspend(asked, resumed)
	go func() {
		defer crash.Guard()
		for {
			var msg tea.Msg
			select {
			case <-asked:
				msg = SuspendMsg{}
			case <-resumed:
				msg = ContinueMsg{}
			case <-over:
				return
			}
			switch asks := msg == (SuspendMsg{}); {
			case !asks && o.suspended.Swap(false): // it was suspended in order
			case !o.lent.Load():
				send(msg)
			case asks:
				_ = suspend() // without a shell the guest has not stopped either
			}
		}
	}()
	return func() {
		ignore()
		close(over)
	}
}

// ShowCursor shows the cursor, which the renderer leaves hidden on the other screen when it
// leaves its own for the second time, in terminals with one cursor for each.
func (o *Output) ShowCursor() { _, _ = o.WriteString(ansi.ShowCursor) }
