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
	if c.host.Refusal() == "" {
		c.links.Remember(to.Agent, d)
	}
	return c.send(d, to)
}

// send sends a message that the history already has.
func (c *Controller) send(d composer.Draft, to model.Target) tea.Cmd {
	if why := c.host.Refusal(); why != "" {
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
	return cmd
}

// SendFirst sends a message that begins a conversation with an agent, whatever is on the
// screen.
func (c *Controller) SendFirst(agent a2a.AgentID, d composer.Draft) tea.Cmd {
	a := c.host.State().Agent(agent)
	if why := c.host.Refusal(); why != "" {
		return c.host.Say(why, true)
	}
	if a == nil {
		return nil
	}
	if why := control.Unready(a); why != "" {
		return c.host.Say(why, true)
	}
	c.host.Close()
	c.host.Focus(control.OnComposer)
	d.Options = c.links.Options(agent)
	return c.Send(d, model.Target{Agent: agent})
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
	turn := c.host.Engine().Send(to, &a2a.Message{Role: a2a.RoleUser, Parts: d.Message(), Metadata: d.Metadata, Extensions: d.Names}, options)
	c.sent[turn] = sent{draft: d, to: to, at: at, queued: queued}
	return c.links.Keep(d, to)
}

// Counts reports how many messages are on their way, and at how many places messages wait
// or are edited.
func (c *Controller) Counts() (sent, queues int) { return len(c.sent), len(c.queues) }
