package terminal

import (
	"os"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// Filter sees every message before the renderer does.
func (o *Output) Filter(msg tea.Msg) tea.Msg {
	switch msg.(type) {
	case tea.WindowSizeMsg:
		if o.Behind() { // for each size the renderer draws everything anew
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

// HandleSuspend hands on the signals that ask to suspend the program, until stop is called:
// to send, for the terminal to be put in order first, or, while a guest has it and has
// been asked too, to nobody else. It also hands on that the program goes on after it was
// stopped without being asked, when whoever had the terminal meanwhile has changed it.
func (o *Output) HandleSuspend(send func(tea.Msg)) (stop func()) {
	asked, goesOn, over := make(chan os.Signal, 1), make(chan os.Signal, 1), make(chan struct{})
	ignore := notifySuspend(asked, goesOn)
	go func() {
		for {
			var msg tea.Msg
			select {
			case <-asked:
				msg = SuspendMsg{}
			case <-goesOn:
				msg = ContinueMsg{}
			case <-over:
				return
			}
			switch asks := msg == (SuspendMsg{}); {
			case !asks && o.aside.Swap(false): // it was put aside in order
			case !o.lent.Load():
				send(msg)
			case asks:
				_ = suspend() // if there is no shell, the guest has not stopped either
			}
		}
	}()
	return func() {
		ignore()
		close(over)
	}
}

// ShowCursor is what the renderer forgets when it leaves the screen for the second
// time: it hid the cursor of the other screen, where a terminal has one for each.
func (o *Output) ShowCursor() { _, _ = o.WriteString(ansi.ShowCursor) }
