package outbox

import (
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/composer"
	"parley/ui/control"
)

// Offered returns the message that can be sent to several agents: the draft in the text field,
// else that of the turn under the cursor. The sentence says why there is none.
func (c *Controller) Offered() (d composer.Draft, why string) {
	if why := c.host.Refusal(); why != "" {
		return d, why
	}
	switch t := c.turnUnderCursor(); {
	case !c.composer.Empty():
		d = c.composer.Draft()
	case t == nil || t.Message == nil:
		return d, "write the message after /fanout, or into the text field first"
	case c.masked(t):
		return d, "This message contained a secret, which is not saved: write it again."
	default:
		d = composer.DraftOf(t.Message)
	}
	if d.Confidential() {
		return d, "a secret goes to one agent only: send it in its conversation"
	}
	return d, ""
}

// SendToEach sends a message to several agents, to each in a new conversation. The place on the
// screen stays. A draft in the text field is used up if it is the message.
func (c *Controller) SendToEach(d composer.Draft, agents []a2a.AgentID) ([]control.SentTurn, tea.Cmd) {
	var all []control.SentTurn
	var cmds []tea.Cmd
	for _, agent := range agents {
		at := control.Place{Agent: agent, Conversation: c.host.Engine().NewConversation(agent)}
		to := model.Target{Agent: agent, Conversation: at.Conversation}
		all = append(all, control.SentTurn{Place: at, Turn: c.hand(d, to, at, c.links.Options(agent), false)})
		c.links.Remember(agent, d)
		cmds = append(cmds, c.links.Keep(d, to))
	}
	if !c.composer.Empty() && c.composer.Value() == d.Text {
		c.composer.Clear()
	}
	return all, tea.Batch(cmds...)
}
