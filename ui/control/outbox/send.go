package outbox

import (
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/composer"
	"parley/ui/control"
)

// sent is a message whose turn is pending.
type sent struct {
	draft composer.Draft
	to    model.Target
	at    control.Place
	// queued is set if the message came from the queue, and again if the agent accepted nothing
	// of it, so that it returns to the queue.
	queued, again bool
}

// Send sends a message that was not written in the composer. A target without a conversation
// begins one.
func (c *Controller) Send(d composer.Draft, to model.Target) tea.Cmd {
	if control.Refusal(c.host) == "" {
		c.links.Remember(to.Agent, d)
	}
	return c.send(d, to)
}

// send sends a message that the history already has.
func (c *Controller) send(d composer.Draft, to model.Target) tea.Cmd {
	if why := control.Refusal(c.host); why != "" {
		return c.host.Say(why, true)
	}
	if to.Conversation == 0 {
		delete(c.aim.origins, control.Place{Agent: to.Agent})
		to.Conversation = c.host.Engine().NewConversation(to.Agent)
	}
	at := control.Place{Agent: to.Agent, Conversation: to.Conversation}
	cmd := c.deliver(d, to, false)
	delete(c.drafts, at)
	if here := c.host.Place(); at != here {
		delete(c.drafts, here)
		c.host.GoTo(at)
		delete(c.aim.left, here)
	}
	c.aim.fixed = false
	c.chat.End()
	c.wire.Follow() // the user wants to see what becomes of it
	return cmd
}

// deliver gives a message to the engine.
func (c *Controller) deliver(d composer.Draft, to model.Target, queued bool) tea.Cmd {
	at, options := control.Place{Agent: to.Agent, Conversation: to.Conversation}, d.Options
	from := c.host.Place()
	if queued {
		from = at
	}
	options.Secret, options.Secrets = d.Secret, d.Secrets
	options.Webhook = options.Webhook || c.links.Webhook(from, at)
	c.hand(d, to, at, options, queued)
	return c.links.Keep(d, to)
}

// hand gives a message to the engine and remembers it until its turn ends.
func (c *Controller) hand(d composer.Draft, to model.Target, at control.Place, options model.SendOptions, queued bool) a2a.TurnID {
	turn := c.host.Engine().Send(to, &a2a.Message{Role: a2a.RoleUser, Parts: d.Message(), Metadata: d.Metadata, Extensions: d.Names}, options)
	options.Secrets = nil
	c.again.options[turn], c.newest = options, turn
	c.sent[turn] = sent{draft: d, to: to, at: at, queued: queued}
	return turn
}

// Newest returns the turn of the message that was sent last, 0 before the first one.
func (c *Controller) Newest() a2a.TurnID { return c.newest }

// Counts reports how many messages are on their way, and at how many places messages wait
// or are edited.
func (c *Controller) Counts() (sent, queues int) { return len(c.sent), len(c.queues) }
