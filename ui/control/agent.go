package control

import "parley/session/model"

// Newest returns the place of an agent's newest conversation.
func Newest(a *model.Agent) Place {
	p := Place{Agent: a.ID}
	if n := len(a.Conversations); n > 0 {
		p.Conversation = a.Conversations[n-1].ID
	}
	return p
}
