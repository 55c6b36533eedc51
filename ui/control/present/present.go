// Package present is the controller of presenter mode, which masks credentials on a screen that an
// audience reads. It owns the mode, says what of the screen is shown, and masks and dims what
// the panes have drawn: in the mode what an audience must not see, and always the secrets of the session. The panes themselves know only that an audience reads along
// ([Screen.SetCalm]).
package present

import (
	"slices"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/ui/action"
	"parley/ui/control"
	"parley/ui/keys"
	"parley/ui/layout"
	"parley/ui/mask"
	"parley/ui/present"
	"parley/ui/styles"
)

// An Arrangement is how the screen was before the mode.
type Arrangement struct {
	Focus control.Focus
	Zoom  bool
	Split int
	// Scroll brings the scroll positions back; nil if they are gone.
	Scroll func()
}

// A Screen is the workbench as the mode needs it.
type Screen interface {
	// Arrangement returns how the screen is arranged, Rearrange arranges it so again.
	Arrangement() Arrangement
	Rearrange(to Arrangement)
	// SetCalm tells the panes whether an audience reads along.
	SetCalm(on bool)
	// Masked reports whether what is typed is masked.
	Masked() bool
	// Typing reports whether the focused pane has an open input.
	Typing() bool
}

// A Controller owns presenter mode.
type Controller struct {
	host   control.Host
	screen Screen
	st     *styles.Styles

	on, wire, spot, strokes bool
	before                  Arrangement
	secrets                 *mask.Mask // of the session, masked in and out of the mode
	mask                    *present.Mask
	light                   present.Spot
	page                    present.Page
	pressed                 present.Strokes
	presses                 int // to tell whether a timer is that of the last key
}

// New returns the controller of a user with a home, in a session with secrets, which may be nil.
func New(host control.Host, screen Screen, home string, secrets *a2a.Secrets) *Controller {
	return &Controller{host: host, screen: screen, secrets: mask.New(secrets), mask: present.NewMask(home)}
}

// SetStyles changes the styles.
func (c *Controller) SetStyles(st *styles.Styles) {
	c.st = st
	c.mask.SetStyles(st)
	c.secrets.SetSign(c.mask.Sign())
	c.light.SetStyles()
	c.page.SetStyles()
}

// On reports whether an audience reads along.
func (c *Controller) On() bool { return c.on }

// Stage says what of the screen is shown.
func (c *Controller) Stage() layout.Stage {
	switch {
	case !c.on:
		return layout.NoStage
	case c.wire:
		return layout.TalkWire
	default:
		return layout.TalkAlone
	}
}

// Begin begins the mode.
func (c *Controller) Begin() {
	if c.on {
		return
	}
	c.before, c.on = c.screen.Arrangement(), true
	now := c.before
	now.Zoom, now.Scroll = false, nil
	if now.Focus == control.OnWire || now.Focus == control.OnAgents { // which are not shown
		now.Focus = control.OnChat
	}
	c.screen.SetCalm(true)
	c.screen.Rearrange(now)
}

// End ends the mode: the screen is arranged as before, and scrolled as before.
func (c *Controller) End() {
	if !c.on {
		return
	}
	c.on, c.wire, c.spot, c.strokes = false, false, false, false
	c.pressed.Clear()
	c.screen.SetCalm(false)
	c.screen.Rearrange(c.before)
	c.before = Arrangement{}
}

// Adopt takes over the mode of another screen, which this one replaces.
func (c *Controller) Adopt(old *Controller) {
	if !old.on {
		c.End()
		return
	}
	c.on, c.wire, c.strokes, c.before = true, old.wire, old.strokes, old.before
	c.before.Scroll = nil // those of the other one
	c.screen.SetCalm(true)
}

// toggle begins or ends the mode.
func (c *Controller) toggle() tea.Cmd {
	if c.on {
		c.End()
	} else {
		c.Begin()
	}
	c.host.Touch()
	return nil
}

// off says that a key needs the mode.
func (c *Controller) off() tea.Cmd {
	return c.host.Say("this works in presenter mode only: "+keys.Name(c.host.Key(presenterMode))+" begins it", false)
}

// showWire shows the wire, or hides it.
func (c *Controller) showWire() tea.Cmd {
	if !c.on {
		return c.off()
	}
	shown := c.WireShown()
	if c.wire = !shown; shown && c.host.Focused() == control.OnWire {
		c.host.Focus(control.OnChat)
	}
	c.host.Touch()
	return nil
}

// WireShown reports whether the wire is on the screen: the user asked for it, or it has the focus.
func (c *Controller) WireShown() bool { return c.wire || c.host.Focused() == control.OnWire }

// Panes returns those of the panes to which tab goes.
func (c *Controller) Panes(all []control.Focus) []control.Focus {
	if !c.on {
		return all
	}
	at := c.host.Focused()
	return slices.DeleteFunc(slices.Clone(all), func(f control.Focus) bool {
		return f != at && (f == control.OnAgents || f == control.OnWire && !c.WireShown())
	})
}

// showSpot puts the spotlight on what is under the cursor, or takes it away.
func (c *Controller) showSpot() tea.Cmd {
	if !c.on {
		return c.off()
	}
	if c.spot = !c.spot; c.spot && !c.lights() {
		c.host.Focus(control.OnChat)
	}
	c.host.Touch()
	return nil
}

// lights reports whether the focus is where the spotlight can be.
func (c *Controller) lights() bool {
	at := c.host.Focused()
	return at == control.OnChat || at == control.OnWire
}

// showStrokes shows the keys that are pressed, or no longer.
func (c *Controller) showStrokes() tea.Cmd {
	if !c.on {
		return c.off()
	}
	c.strokes = !c.strokes
	c.pressed.Clear()
	c.host.Touch()
	return nil
}

// Refresh ends the spotlight if the focus has left what it can be on.
func (c *Controller) Refresh() { c.spot = c.spot && c.lights() }

// StrokeTime is how long a pressed key is shown.
const StrokeTime = 2 * time.Second

// Press notes a pressed key for those who watch, before it has its effect, and Acted looks again
// whether what is typed is masked, after it.
func (c *Controller) Press(msg tea.KeyPressMsg) tea.Cmd {
	if !c.on || !c.strokes || key.Matches(msg, c.host.Key(presenterStrokes)) {
		return nil
	}
	c.presses++
	if c.screen.Masked() {
		c.pressed.Clear()
		return nil
	}
	c.pressed.Add(msg.String(), msg.Text)
	press := c.presses
	return tea.Tick(StrokeTime, func(time.Time) tea.Msg {
		return control.DoneMsg(func() tea.Cmd {
			if press == c.presses {
				c.pressed.Clear()
				c.host.Touch()
			}
			return nil
		})
	})
}

// Acted forgets the keys if what is typed is masked now.
func (c *Controller) Acted() {
	if c.strokes && c.screen.Masked() {
		c.pressed.Clear()
	}
}

// ShortHelp returns the keys for the footer: those of the mode behind the given one.
func (c *Controller) ShortHelp(first ...key.Binding) []key.Binding {
	named := func(id action.ID, words string) key.Binding {
		b := c.host.Key(id)
		b.SetHelp(keys.Name(b), words)
		return b
	}
	wire, spot := "show wire", "spotlight"
	if c.WireShown() {
		wire = "hide wire"
	}
	if c.spot {
		return []key.Binding{action.Label("j k", "move the spotlight"), c.host.Key(endSpotlight), named(presenterWire, wire)}
	}
	return append(first, named(presenterWire, wire), named(presenterSpotlight, spot), named(presenterMode, "end presenting"))
}
