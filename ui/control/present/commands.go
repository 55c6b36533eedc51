package present

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/control"
	"parley/ui/keys"
)

// Commands returns the commands of the mode.
func (c *Controller) Commands() []control.Command {
	name, why := "Begin presenter mode", "only in presenter mode: "+keys.Name(c.keys.Mode)+" begins it"
	wire, spot, strokes := "Show the wire to the audience", "Put the spotlight on what is under the cursor", "Show pressed keys"
	if c.on {
		name, why = "End presenter mode", ""
		if c.WireShown() {
			wire = "Hide the wire"
		}
		if c.spot {
			spot = "End the spotlight"
		}
		if c.strokes {
			strokes = "Hide pressed keys"
		}
	}
	do := func(f func() tea.Cmd) control.Action { return f }
	return []control.Command{
		{Key: c.keys.Mode, Slash: "present", Name: name, Do: do(c.toggle)},
		{Key: c.keys.Wire, Name: wire, Why: why, Do: do(c.showWire)},
		{Key: c.keys.Spot, Name: spot, Why: why, Do: do(c.showSpot)},
		{Key: c.keys.Strokes, Name: strokes, Why: why, Do: do(c.showStrokes)},
	}
}
