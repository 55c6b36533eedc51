package present

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/action"
	"parley/ui/keys"
)

// The actions that texts and the footer name.
const (
	presenterMode      action.ID = "presenter-mode"
	presenterWire      action.ID = "presenter-wire"
	presenterSpotlight action.ID = "presenter-spotlight"
	presenterStrokes   action.ID = "presenter-pressed-keys"
	endSpotlight       action.ID = "end-spotlight"
)

// Actions returns the actions of the mode, which work everywhere.
func (c *Controller) Actions() []action.Action[tea.Cmd] {
	return []action.Action[tea.Cmd]{
		{
			Row: action.Row{ID: presenterMode, Keys: []string{"f10", "alt+v"}, Does: "presenter mode", Slash: "present", Named: action.Either("Begin presenter mode", "End presenter mode", c.On)},
			Run: c.toggle,
		},
		{
			Row: action.Row{ID: presenterWire, Keys: []string{"alt+w"}, Does: "presenter: wire", Named: c.either("Show the wire to the audience", "Hide the wire", c.WireShown), Now: c.inMode},
			Run: c.showWire,
		},
		{
			Row: action.Row{ID: presenterSpotlight, Keys: []string{"alt+j"}, Does: "presenter: spotlight", Named: c.either("Put the spotlight on what is under the cursor", "End the spotlight", func() bool { return c.spot }), Now: c.inMode},
			Run: c.showSpot,
		},
		{
			Row: action.Row{ID: presenterStrokes, Keys: []string{"alt+k"}, Does: "presenter: pressed keys", Named: c.either("Show pressed keys", "Hide pressed keys", func() bool { return c.strokes }), Now: c.inMode},
			Run: c.showStrokes,
		},
		{
			Row: action.Row{ID: endSpotlight, Keys: []string{"esc"}, Does: "end it", Fixed: true, Passing: true, Now: func() action.State {
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

// inMode returns how an action of the mode stands.
func (c *Controller) inMode() (s action.State) {
	if !c.on {
		s.Why = "only in presenter mode: " + keys.Name(c.host.Key(presenterMode)) + " begins it"
	}
	return s
}

// either is [action.Either] in the mode: outside nothing is shown.
func (c *Controller) either(show, hide string, shown func() bool) func() string {
	return action.Either(show, hide, func() bool { return c.on && shown() })
}
