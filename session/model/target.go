package model

import "parley/a2a"

// SendOptions say how a message is sent.
type SendOptions struct {
	Config a2a.SendConfig
	// Stream asks for a stream (True) or for a plain answer (False); Absent
	// streams if the agent's card declares it.
	Stream a2a.Tri
	// Webhook also registers a webhook of Parley for the task.
	Webhook bool
	// Secret is set when the message must not be readable in any record, and Secrets are parts
	// of it to which this applies. No record and no sentence of the engine contains them, even
	// if an agent repeats them.
	Secret  bool
	Secrets []string
	// Extensions are the URIs of extensions that the requests of the turn ask for; nil means
	// those chosen for the agent, see [engine.Engine.SetExtensions].
	Extensions []string
	// Async does not poll a task that is still working when the exchange has ended: the turn is
	// over then.
	Async bool
	// Way is another interface of the agent's card, for this message and everything else in its
	// conversation; the zero value is the way of the agent.
	Way a2a.Way
}

// A Target says where a message goes. The zero Conversation starts a new one.
type Target struct {
	Agent        a2a.AgentID
	Conversation a2a.ConversationID
	ContextID    string // continue this context; empty for a new one
	TaskID       string // answer this task; empty for a new one
	References   []string
}
