package play

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/action"
)

// Actions that texts name.
const (
	goOn      action.ID = "go-on"
	skipStep  action.ID = "skip-the-step"
	endScript action.ID = "end-the-script"
)

// A press is what a key of the script did: the command that follows, and whether the user wants to
// leave.
type press struct {
	cmd  tea.Cmd
	quit bool
}

// actions returns the table of the keys that work while a script is paused.
func (c *Controller) actions() *action.Table[press] {
	return action.New[press](nil,
		action.Action[press]{Row: action.Row{ID: goOn, Keys: []string{"space"}, Does: "go on"}, Run: func() press { return press{cmd: c.resume()} }},
		action.Action[press]{Row: action.Row{ID: skipStep, Keys: []string{"s"}, Does: "skip the step"}, Run: func() press { c.skip(); return press{} }},
		action.Action[press]{Row: action.Row{ID: endScript, Keys: []string{"q"}, Does: "end the script"}, Run: func() press { return press{cmd: c.stop()} }},
		action.Action[press]{Row: action.Row{Keys: []string{"ctrl+c"}, Does: "quit"}, Run: func() press { c.stop(); return press{quit: true} }},
	)
}

// Key handles a key of the user, and reports whether it was for the script. While it plays, any
// key pauses it. While it is paused, keys that move are for the panes. Quit is set if the user wants to leave.
func (c *Controller) Key(msg tea.KeyPressMsg) (cmd tea.Cmd, done, quit bool) {
	switch c.state {
	case plays, waits:
		if c.state == plays {
			c.pause()
		}
		return nil, true, false
	case pauses:
		p, done := c.keys.Press(msg)
		return p.cmd, done || !moves(msg), p.quit
	default:
		return nil, false, false
	}
}

// Busy reports whether the script has the keys.
func (c *Controller) Busy() bool { return c.state == plays || c.state == waits || c.state == pauses }

// moves reports whether a key only moves what is shown.
func moves(msg tea.KeyPressMsg) bool {
	switch msg.Code {
	case tea.KeyUp, tea.KeyDown, tea.KeyPgUp, tea.KeyPgDown, tea.KeyTab:
		return true
	}
	return false
}

// pause stops the clock of the play.
func (c *Controller) pause() {
	c.paused = c.links.Now()
	c.state = pauses
	c.host.Touch()
}

// resume goes on with a paused play.
func (c *Controller) resume() tea.Cmd {
	c.stood += c.links.Now().Sub(c.paused)
	c.state, c.wake = plays, wake{seq: c.wake.seq + 1}
	if c.typing != nil {
		return c.typeNext()
	}
	return c.Advance()
}

// skip leaves out the current step of a paused play.
func (c *Controller) skip() {
	if c.typing != nil {
		c.links.Composer.SetValue("")
		c.typing = nil
	}
	if c.play.Step() != nil {
		c.play.Skip()
	}
	c.host.Touch()
}

// stop ends the script: the workbench is the user's.
func (c *Controller) stop() tea.Cmd {
	if c.typing != nil {
		c.links.Composer.SetValue("")
	}
	c.state, c.typing, c.caption, c.result.Stopped = ended, nil, "", true
	cmd := c.host.Say("The script ended: the workbench is yours.", false)
	return tea.Batch(cmd, c.finish())
}
