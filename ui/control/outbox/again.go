package outbox

import (
	"cmp"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/session/problem"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/menu"
)

// again is what the controller knows of messages that were sent again over another binding.
type again struct {
	options map[a2a.TurnID]model.SendOptions // of the messages of this run, without secrets
	first   map[a2a.TurnID]a2a.TurnID        // the first turn of a message by the second one
}

// againActions returns the actions that send a message over another binding and compare the answers.
func (c *Controller) againActions() []action.Action[tea.Cmd] {
	over := func() (s action.State) {
		if s.Why = c.againRefusal(); s.Why == "" {
			if ways := c.otherBindings(c.turnUnderCursor()); len(ways) == 1 {
				s.Note = problem.WayName(ways[0])
			}
		}
		return s
	}
	both := func() (s action.State) {
		if first, _ := c.pairUnderCursor(); first == nil {
			s.Why = cmp.Or(c.TurnRefusal(), "This message was not sent over another binding.")
		}
		return s
	}
	return []action.Action[tea.Cmd]{
		{Row: action.Row{Slash: "binding", Name: "Send the same over another binding", Also: []string{"transport", "repeat", "retry", "grpc"}, Now: over}, Run: c.chooseBinding},
		{Row: action.Row{Slash: "compare", Name: "Compare the answers over both bindings", Now: both}, Run: c.compareAgain},
	}
}

// againRefusal says why the message of the turn under the cursor cannot be sent over another
// binding, empty if it can.
func (c *Controller) againRefusal() string {
	if why := c.TurnRefusal(); why != "" {
		return why
	}
	t := c.turnUnderCursor()
	switch {
	case t.Message == nil || t.Written != "":
		return "This turn began without a message of Parley: there is nothing to send again."
	case c.masked(t):
		return "This message contained a secret, which is not saved: write it again."
	case t.Pending:
		return "The answer to this message is not complete yet."
	case t.Conversation.Agent.Card == nil:
		return "The agent has no card that names another binding."
	case len(c.otherBindings(t)) == 0:
		return "The agent's card names no other binding that Parley speaks."
	}
	return ""
}

// otherBindings returns the interfaces of the agent's card with another binding than the one over
// which a turn was sent.
func (c *Controller) otherBindings(t *model.Turn) []a2a.Way {
	if t.Conversation.Agent.Card == nil {
		return nil
	}
	spoken := c.host.State().WayOf(t).Binding
	return slices.DeleteFunc(a2a.CardWays(t.Conversation.Agent.Card), func(w a2a.Way) bool { return w.Binding == spoken || w.Endpoint == "" })
}

// chooseBinding sends the message of the turn under the cursor over another binding; the user
// chooses among several.
func (c *Controller) chooseBinding() tea.Cmd {
	if why := c.againRefusal(); why != "" {
		return c.host.Say(why, true)
	}
	t := c.turnUnderCursor()
	ways := c.otherBindings(t)
	if len(ways) == 1 {
		return c.sendAgain(t, ways[0])
	}
	var items []menu.Item
	for i, way := range ways[:min(len(ways), maxTargets)] {
		items = append(items, menu.Item{
			Key: strconv.Itoa(i + 1), Name: way.Binding.String() + " " + way.Dialect.Number(), Note: canvas.SanitizeLine(a2a.MaskReference(way.Endpoint)),
			Value: control.Action(func() tea.Cmd { return c.sendAgain(t, way) }),
		})
	}
	c.host.Menu("send the same over", c.host.AgentName(t.Conversation.Agent.ID), items)
	return nil
}

// sendAgain sends the message of a turn over another interface, as a new task in a new
// conversation.
func (c *Controller) sendAgain(t *model.Turn, way a2a.Way) tea.Cmd {
	agent := t.Conversation.Agent.ID
	options, known := c.again.options[t.ID]
	if !known {
		options = c.links.Options(agent)
	}
	options.Way = way
	at := control.Place{Agent: agent, Conversation: c.host.Engine().NewConversation(agent)}
	m := &a2a.Message{
		Role: a2a.RoleUser, Parts: t.Message.Parts, Metadata: t.Message.Metadata, Extensions: t.Message.Extensions, ReferenceTaskIDs: t.Message.ReferenceTaskIDs,
	}
	second := c.host.Engine().Send(model.Target{Agent: agent, Conversation: at.Conversation}, m, options)
	c.again.options[second], c.again.first[second] = options, t.ID
	c.host.GoTo(at)
	c.chat.End()
	c.wire.Follow()
	return c.host.SayUntil("sent again as A2A "+problem.WayName(way)+"; when the answer is complete, Parley compares both", false, func() bool {
		t := c.host.State().Turn(second)
		return t != nil && !t.Pending
	})
}

// pairUnderCursor returns both turns of the message under the cursor, nil if it was sent once.
func (c *Controller) pairUnderCursor() (first, second *model.Turn) {
	t := c.turnUnderCursor()
	if t == nil {
		return nil, nil
	}
	s := c.host.State()
	if id, is := c.again.first[t.ID]; is {
		return s.Turn(id), t
	}
	var newest a2a.TurnID
	for id, of := range c.again.first {
		if of == t.ID && id > newest {
			newest = id
		}
	}
	if second = s.Turn(newest); second == nil {
		return nil, nil
	}
	return t, second
}

// compareAgain shows the differences between the answers of the turn under the cursor.
func (c *Controller) compareAgain() tea.Cmd {
	first, second := c.pairUnderCursor()
	if first == nil || second == nil {
		return c.host.Say("This message was not sent over another binding.", true)
	}
	return c.links.Compare(first, second)
}

// againOver shows the differences when the second turn is over, unless that would be in the
// way of what the user does.
func (c *Controller) againOver(s *log.Signal) tea.Cmd {
	id, is := c.again.first[s.Turn]
	first, second := c.host.State().Turn(id), c.host.State().Turn(s.Turn)
	switch {
	case !is || first == nil || second == nil:
		return nil
	case c.host.Covered() || !c.host.OnScreen(s.Conversation) || !c.composer.Empty():
		return c.host.Say("Both answers are there: /compare shows the differences", false)
	}
	return c.links.Compare(first, second)
}

// Repeat sends the message of a turn that the agent refused once more, where it was sent. Why says in
// a clause why it does not, empty if it does.
func (c *Controller) Repeat(t *model.Turn) (turn a2a.TurnID, why string) {
	switch {
	case c.host.Refusal() != "":
		return 0, c.host.Refusal()
	case t.Message == nil:
		return 0, "the request was no message: repeat it"
	case c.masked(t):
		return 0, "the refused message had a secret, which is not saved: write it again"
	}
	at := control.Place{Agent: t.Conversation.Agent.ID, Conversation: t.Conversation.ID}
	if _, back := c.returned[at]; back { // it is in the text field, or the draft of its place
		if at == c.host.Place() {
			c.composer.Clear()
		}
		delete(c.drafts, at)
		delete(c.returned, at)
	}
	options, known := c.again.options[t.ID]
	if !known {
		options = c.links.Options(at.Agent)
	}
	to := t.Target
	to.Agent, to.Conversation = at.Agent, at.Conversation
	turn = c.hand(composer.DraftOf(t.Message), to, at, options, false)
	if at == c.host.Place() {
		c.chat.End()
		c.wire.Follow()
	}
	return turn, ""
}
