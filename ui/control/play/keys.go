package play

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/keys"
)

// Keys work while a script is paused.
type Keys struct{ Resume, Skip, End, Quit key.Binding }

func defaultKeys() Keys {
	return Keys{
		Resume: keys.Bind("space", "go on"),
		Skip:   keys.Bind("s", "skip the step"),
		End:    keys.Bind("q", "end the script"),
		Quit:   keys.Bind("ctrl+c", "quit"),
	}
}

// Key handles a key of the user, and reports whether it was for the script. While it plays, any
// key pauses it. While it is paused, keys that move are for the panes. Quit is set if the user wants to leave.
func (c *Controller) Key(msg tea.KeyPressMsg) (cmd tea.Cmd, done, quit bool) {
	k := defaultKeys()
	switch c.state {
	case plays, waits:
		if c.state == plays {
			c.pause()
		}
		return nil, true, false
	case pauses:
	default:
		return nil, false, false
	}
	switch {
	case key.Matches(msg, k.Resume):
		return c.resume(), true, false
	case key.Matches(msg, k.Skip):
		c.skip()
	case key.Matches(msg, k.End):
		return c.stop(), true, false
	case key.Matches(msg, k.Quit):
		c.stop()
		return nil, true, true
	case moves(msg):
		return nil, false, false
	}
	return nil, true, false
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
