package control

import "parley/a2a"

// A Place is an agent, and one of the conversations with it, 0 before its first message. The
// zero value is no place.
type Place struct {
	Agent        a2a.AgentID
	Conversation a2a.ConversationID
}

// A SentTurn is a turn that began at a place.
type SentTurn struct {
	Place
	Turn a2a.TurnID
}
