package outbox

import (
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/ui/composer"
	"parley/ui/control"
)

// Leave saves the draft of the place on the screen until it is shown again.
func (c *Controller) Leave() {
	c.composer.StopSearch(false)
	c.keep(c.host.Place(), c.composer.Draft())
	c.aim.leave(c.host.Place(), c.composer.Selected())
}

// Enter restores the draft of the place on the screen.
func (c *Controller) Enter() {
	p := c.host.Place()
	d := c.drafts[p]
	d.Options = c.links.Options(p.Agent)
	c.composer.SetDraft(d)
	if to, ok := c.aim.left[p]; ok {
		c.aim.choices, c.aim.fixed = []composer.TargetChoice{to}, true
		c.composer.SetTargets(c.aim.choices, 0)
	}
}

// Drafted reports whether a message is being written at a place.
func (c *Controller) Drafted(at control.Place) bool { return !c.draftAt(at).Empty() }

// ChangeDraft changes the draft of a place that is not on the screen.
func (c *Controller) ChangeDraft(at control.Place, change func(d *composer.Draft)) {
	d := c.drafts[at]
	change(&d)
	c.keep(at, d)
}

// keep saves the draft of a place until it is shown again.
func (c *Controller) keep(at control.Place, d composer.Draft) {
	if d.Empty() && d.Metadata == nil && d.TextMetadata == nil && d.Names == nil {
		delete(c.drafts, at)
		return
	}
	c.drafts[at] = d
}

// draftAt returns the draft of a place.
func (c *Controller) draftAt(at control.Place) *composer.Draft {
	d := c.drafts[at]
	if at == c.host.Place() {
		d = c.composer.Draft()
	}
	return &d
}

// OnEdited takes over the message that the user's editor saved, where it was being
// written.
func (c *Controller) OnEdited(msg control.EditedMsg) tea.Cmd {
	if msg.At == c.host.Place() {
		c.composer.SetValue(msg.Text)
		return nil
	}
	c.ChangeDraft(msg.At, func(d *composer.Draft) { d.Text = msg.Text })
	return c.host.Say("the text from the editor is the draft where it was begun, at "+c.host.AgentName(msg.At.Agent), false)
}

// Begin begins a conversation with an agent.
func (c *Controller) Begin(agent a2a.AgentID) tea.Cmd {
	if why := control.Refusal(c.host); why != "" {
		return c.host.Say(why, true)
	}
	delete(c.aim.origins, control.Place{Agent: agent})
	delete(c.aim.left, control.Place{Agent: agent})
	already := c.host.Place() == control.Place{Agent: agent} && c.host.Focused() == control.OnComposer
	c.begin(agent)
	if already {
		return c.host.Say("This conversation is new: nothing was sent in it yet.", false)
	}
	return nil
}

func (c *Controller) begin(agent a2a.AgentID) {
	c.host.GoTo(control.Place{Agent: agent})
	c.host.Focus(control.OnComposer)
}
