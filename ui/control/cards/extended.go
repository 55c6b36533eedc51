package cards

import (
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/session/model"
	"parley/ui/action"
	"parley/ui/control"
	"parley/ui/keys"
)

// AskExtended gets the extended card of an agent.
func (c *Controller) AskExtended(id a2a.AgentID) tea.Cmd {
	a := c.host.State().Agent(id)
	if why := c.unable(a); why != "" {
		return c.host.Say(why, true)
	}
	if why := control.Unready(a); why != "" {
		return c.host.Say(why, true)
	}
	if d, known := a.Profile.Spoken(); known && !d.Supports(a2a.OpExtendedCard) {
		return c.host.Say("A2A "+d.Name().Number()+" has no extended card.", true)
	}
	turn := c.host.Engine().ExtendedCard(id)
	return c.host.SayUntil("getting the extended card of "+a.Name(), false, control.TurnOver(c.host.State(), turn))
}

// otherCard gets the extended card of an agent, or restores the public one if that is replaced.
func (c *Controller) otherCard(id a2a.AgentID) tea.Cmd {
	if a := c.host.State().Agent(id); a != nil && a.Extended.Stands {
		return c.showPublic(id)
	}
	return c.AskExtended(id)
}

// showPublic replaces the extended card by the public one.
func (c *Controller) showPublic(id a2a.AgentID) tea.Cmd {
	if why := c.unable(c.host.State().Agent(id)); why != "" {
		return c.host.Say(why, true)
	}
	c.host.Engine().PublicCard(id)
	return nil
}

// unable returns a sentence that says why the card cannot be replaced, empty if it can.
func (c *Controller) unable(a *model.Agent) string {
	if a == nil {
		return control.NoAgent(c.host)
	}
	return control.Refusal(c.host)
}

// OnItem reports that Parley now uses another card of an agent, and that keys were downloaded,
// if the item reports that.
func (c *Controller) OnItem(it *log.Item, id a2a.AgentID) tea.Cmd {
	if it.Signal != nil {
		return c.onSignal(it.Signal)
	}
	n, a := it.Record.Note, c.host.State().Agent(id)
	if control.Refusal(c.host) != "" || n == nil || a == nil {
		return nil
	}
	switch {
	case n.Type == log.NotePublicCard:
		return c.host.Say(a.Name()+": "+a.Extended.Why, false)
	case n.Type != log.NoteExtendedCard || !a.Extended.Stands:
		return nil // the end of the turn says why there is none
	}
	said := ", which equals the public card"
	if n := len(a.Extended.Changes); n > 0 {
		said = ", with " + units.Plural(n, "difference") + " from the public card: " + keys.Name(c.host.Key(action.ShowCard)) + " shows them"
	}
	return c.host.Say(a.Name()+" has an extended card"+said, false)
}
