package outbox

import (
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/ui/composer"
	"parley/ui/control"
)

// Chat is what the outbox needs of the pane of the conversation.
type Chat interface {
	// Selected returns the record under the cursor, 0 if there is none.
	Selected() a2a.RecordID
	// TextAtCursor returns the text under the cursor.
	TextAtCursor() string
	// End scrolls to the end of the conversation.
	End()
}

// Wire is what the outbox needs of the wire pane.
type Wire interface {
	// Follow selects the newest record and follows new ones.
	Follow()
}

// Links are functions of other topics that the outbox calls.
type Links struct {
	// Options returns how messages to an agent are sent.
	Options func(agent a2a.AgentID) model.SendOptions
	// Webhook reports whether a message written in one place and sent to another registers a
	// webhook.
	Webhook func(from, to control.Place) bool
	// Annotate adds to choices what other topics know about them.
	Annotate func(choices []composer.TargetChoice) []composer.TargetChoice
	// Remember adds a message to the history of its agent. The composer remembers what it sends
	// itself.
	Remember func(agent a2a.AgentID, d composer.Draft)
	// Keep saves a message for later runs.
	Keep func(d composer.Draft, to model.Target) tea.Cmd
	// Compare shows the differences between the answers of two turns.
	Compare func(first, second *model.Turn) tea.Cmd
}

// A Controller owns drafts, targets, the queue and sent messages.
type Controller struct {
	host     control.Host
	composer *composer.Composer
	chat     Chat
	wire     Wire
	links    Links

	// drafts are those of places that are not on the screen.
	drafts map[control.Place]composer.Draft
	// sent are the messages of pending turns, as they were written.
	sent   map[a2a.TurnID]sent
	newest a2a.TurnID // of the message that was sent last
	queues map[control.Place]*queue
	// returned are the targets of messages that came back, until they are sent again or
	// cleared.
	returned map[control.Place]model.Target
	aim      aim
	activity activity
	replies  suggestion
	again    again
	asked    map[a2a.TurnID]bool // turns of which the agent was asked what became of them
	// questions are those that have no answer yet, by the turns of their requests.
	questions map[a2a.TurnID]question
}

// New returns the controller of what is written and sent.
func New(host control.Host, c *composer.Composer, chat Chat, wire Wire, links Links) *Controller {
	return &Controller{
		host: host, composer: c, chat: chat, wire: wire, links: links,
		drafts: map[control.Place]composer.Draft{}, sent: map[a2a.TurnID]sent{}, queues: map[control.Place]*queue{},
		returned: map[control.Place]model.Target{}, aim: aim{origins: map[control.Place]*model.Task{}, left: map[control.Place]composer.TargetChoice{}},
		again: again{options: map[a2a.TurnID]model.SendOptions{}, first: map[a2a.TurnID]a2a.TurnID{}},
		asked: map[a2a.TurnID]bool{}, questions: map[a2a.TurnID]question{},
	}
}

// OnComposerIntent carries out the intents of the composer that are about the message itself.
func (c *Controller) OnComposerIntent(in composer.Intent) tea.Cmd {
	switch in := in.(type) {
	case composer.Send:
		if in.Queued {
			return c.Enqueue(in.Draft)
		}
		if cmd, asked := c.askFirst(in); asked {
			return cmd
		}
		return c.send(in.Draft, in.Target)
	case composer.Resume:
		return c.resume()
	case composer.Unqueue:
		return c.unqueue(in)
	case composer.Refused:
		if in.Shown { // one place tells it
			return nil
		}
		return c.host.Say(in.Why, true)
	case composer.Retarget:
		c.aim.fixed = true
	case composer.Detached:
		return c.host.Say(in.Name+" is removed from the message", false)
	case composer.Hidden:
		return c.saySecret(in.On)
	case composer.Edit:
		return c.host.Edit(in.Text, control.EditedMsg{At: c.host.Place()})
	}
	return nil
}

// OnSignal takes the end of a turn.
func (c *Controller) OnSignal(s *log.Signal) tea.Cmd {
	if s == nil || s.Kind != log.SignalTurnOver {
		return nil
	}
	return tea.Batch(c.turnOver(s), c.againOver(s), c.onAnswer(s))
}
