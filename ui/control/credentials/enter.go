package credentials

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/credentials"
	"parley/ui/keys"
)

// onIntent carries out what the sheet asks for.
func (c *Controller) onIntent(in credentials.Intent) tea.Cmd {
	switch in := in.(type) {
	case credentials.Close:
		c.host.Close()
	case credentials.Refused:
		return c.host.Say(in.Why, true)
	case credentials.Enter:
		return c.enter(in.Header.Name, func(p *a2a.Pins) {
			p.Headers = append(without(p.Headers, in.Header.Name), in.Header)
		})
	case credentials.EnterKey:
		return c.enter("the API key", func(p *a2a.Pins) { p.APIKey = in.Key })
	case credentials.Remove:
		return c.remove(in.Entry)
	}
	return nil
}

// without returns headers without those of a name.
func without(headers []a2a.HeaderPair, name string) []a2a.HeaderPair {
	return slices.DeleteFunc(slices.Clone(headers), func(h a2a.HeaderPair) bool { return strings.EqualFold(h.Name, name) })
}

// remove removes a credential.
func (c *Controller) remove(entry credentials.Entry) tea.Cmd {
	a, refusal := c.host.Agent(), control.Refusal(c.host)
	if a == nil || refusal != "" {
		return c.host.Say(cmp.Or(refusal, "No agent is open."), true)
	}
	pins := c.host.Engine().Pins(a.ID)
	if others := without(pins.Headers, entry.Name); len(others) < len(pins.Headers) {
		pins.Headers = others
	} else {
		pins.APIKey = ""
	}
	c.host.Engine().Pin(a.ID, pins)
	return c.host.Say(canvas.SanitizeLine(entry.Name)+" is no longer sent to "+a.Name()+".", false)
}

// enter changes the credentials of the agent on the screen, and restores the message that it
// refused without them.
func (c *Controller) enter(name string, change func(*a2a.Pins)) tea.Cmd {
	a, refusal := c.host.Agent(), control.Refusal(c.host)
	if a == nil || refusal != "" {
		return c.host.Say(cmp.Or(refusal, "No agent is open."), true)
	}
	pins := c.host.Engine().Pins(a.ID)
	change(&pins)
	c.host.Engine().Pin(a.ID, pins)
	c.host.Close()
	said := canvas.SanitizeLine(name) + " is sent to " + a.Name() + " from now on"
	if a.Card == nil {
		c.host.Engine().Reopen(a.ID)
		return c.host.Say(said+"; Parley gets its card again.", false)
	}
	return c.host.Say(said+c.bringBack(), false)
}

// bringBack restores the refused message unless the composer has other text, and returns the
// words that say how to send it.
func (c *Controller) bringBack() string {
	if !c.lacksCredentials() {
		return "."
	}
	back := c.outbox.Returned()
	if !back && c.composer.Empty() {
		c.outbox.EditAgain() // its sentence is part of the one below
	}
	if c.composer.Empty() { // it had a secret, which is not saved
		return "; write the refused message again."
	}
	c.host.Focus(control.OnComposer)
	if !back && !c.outbox.Returned() {
		return "; " + keys.Name(c.host.Key(action.ResendMessage)) + " on the turn restores the refused message."
	}
	return "; " + keys.Name(c.composer.Of(composer.SendMessage)) + " sends the message again."
}

// lacksCredentials reports whether the agent refused the newest turn on the screen for lack of
// credentials.
func (c *Controller) lacksCredentials() bool {
	conv := c.host.Conversation()
	if conv == nil || len(conv.Turns) == 0 {
		return false
	}
	for _, b := range conv.Turns[len(conv.Turns)-1].Blocks {
		for i := range b.Entries {
			if p := b.Entries[i].Problem; p != nil && (p.Class == a2a.ClassNoCredentials || p.Class == a2a.ClassAuth) {
				return true
			}
		}
	}
	return false
}
