package attachments

import (
	"parley/a2a"
	"parley/ui/composer"
	"parley/ui/control"
)

// InputModes returns the media types that an agent accepts according to its card, nil if
// unknown.
func (c *Controller) InputModes(id a2a.AgentID) []string {
	a := c.host.State().Agent(id)
	if a == nil || a.Card == nil {
		return nil
	}
	return c.modes.Input(a.Card)
}

// unsupported says that an agent does not accept a part, empty if it does or does not say.
func (c *Controller) unsupported(at control.Place, p *a2a.Part) string {
	if modes := c.InputModes(at.Agent); !a2a.Takes(modes, p) {
		return c.host.AgentName(at.Agent) + " accepts " + composer.Modes(modes)
	}
	return ""
}
