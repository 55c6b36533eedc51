package ui

import (
	"slices"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/control"
)

// visits has the conversation of each agent that was on the screen last.
type visits map[a2a.AgentID]visit

type visit struct {
	conversation a2a.ConversationID // 0 before the first
	begins       bool               // the agent was left before the first message of another one
}

// add notes that a place is shown.
func (v visits) add(p control.Place) {
	last := v[p.Agent]
	if last.begins = p.Conversation == 0; !last.begins {
		last.conversation = p.Conversation
	}
	v[p.Agent] = last
}

// last returns where the user was last with an agent: a conversation that was begun if a message
// is drafted in it, else the one shown last, else the newest.
func (v visits) last(a *model.Agent, drafted func(control.Place) bool) control.Place {
	begun, last := control.Place{Agent: a.ID}, v[a.ID]
	known := func(c *model.Conversation) bool { return c.ID == last.conversation }
	switch {
	case last.begins && drafted(begun):
		return begun
	case slices.ContainsFunc(a.Conversations, known):
		return control.Place{Agent: a.ID, Conversation: last.conversation}
	default:
		return control.Newest(a)
	}
}
