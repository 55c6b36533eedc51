package present

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/action"
	"parley/ui/control"
	"parley/ui/keys"
)

// The actions that texts and the footer name.
const (
	presenterMode      action.ID = "presenter-mode"
	presenterWire      action.ID = "presenter-wire"
	presenterSpotlight action.ID = "presenter-spotlight"
	presenterStrokes   action.ID = "presenter-pressed-keys"
)

// Actions returns the actions of the mode, which work everywhere.
func (c *Controller) Actions() []action.Action[tea.Cmd] {
	return []action.Action[tea.Cmd]{
		{
			Row: action.Row{ID: presenterMode, Keys: []string{"f10", "alt+v"}, Does: "presenter mode", Slash: "present", Name: "Begin presenter mode", Now: func() (s action.State) {
				if c.on {
					s.Name = "End presenter mode"
				}
				return s
			}},
			Run: c.toggle,
		},
		{
			Row: action.Row{ID: presenterWire, Keys: []string{"alt+w"}, Does: "presenter: wire", Name: "Show the wire to the audience", Now: c.in("Hide the wire", c.WireShown)},
			Run: c.showWire,
		},
		{
			Row: action.Row{ID: presenterSpotlight, Keys: []string{"alt+j"}, Does: "presenter: spotlight", Name: "Put the spotlight on what is under the cursor", Now: c.in("End the spotlight", func() bool { return c.spot })},
			Run: c.showSpot,
		},
		{
			Row: action.Row{ID: presenterStrokes, Keys: []string{"alt+k"}, Does: "presenter: pressed keys", Name: "Show pressed keys", Now: c.in("Hide pressed keys", func() bool { return c.strokes })},
			Run: c.showStrokes,
		},
		{
			Row: action.Row{ID: "end-spotlight", Keys: []string{"esc"}, Does: "end it", Fixed: true, Passing: true, Now: func() action.State {
				return action.State{Off: !c.on || !c.spot || c.screen.Typing()}
			}},
			Run: func() tea.Cmd {
				c.spot = false
				c.host.Touch()
				return nil
			},
		},
	}
}

// in returns how an action of the mode stands, which has another name while what it shows is shown.
func (c *Controller) in(hide string, shown func() bool) func() action.State {
	return func() (s action.State) {
		if !c.on {
			s.Why = "only in presenter mode: " + keys.Name(c.host.Key(presenterMode)) + " begins it"
		} else if shown() {
			s.Name = hide
		}
		return s
	}
}

// Commands returns the commands of the mode.
func (c *Controller) Commands() []control.Command {
	return control.CommandsOf(c.host.Key, c.Actions()...)
}
