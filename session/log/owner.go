package log

import (
	"cmp"
	"slices"

	"parley/a2a"
)

// An Owner is the agent that an exchange concerns and the conversation that it belongs to. Either
// is 0 if unknown: a card belongs to no conversation, a rejected delivery to no agent.
type Owner struct {
	Agent        a2a.AgentID
	Conversation a2a.ConversationID
}

// Owner returns the owner of a record, which is that of its exchange.
func (l *Log) Owner(id a2a.RecordID) Owner {
	if x := l.ExchangeOf(id); x != 0 {
		id = x
	}
	return l.owners[id]
}

// Concerns reports whether a note is about an agent besides its owner, as one about a broker is.
func (l *Log) Concerns(id a2a.RecordID, agent a2a.AgentID) bool {
	return slices.Contains(l.others[id], agent)
}

// SetOwner sets the owner of a record's exchange. A part that is already known stays: what an
// answer says later does not move its request.
func (l *Log) SetOwner(r *a2a.Record, o Owner) {
	if r.Note != nil && r.Note.Attrs[AttrAgents] != "" {
		l.others[r.ID] = AgentsIn(r.Note)
	}
	id := r.ID
	if r.Exchange != 0 {
		id = r.Exchange
	}
	known := l.owners[id]
	merged := Owner{cmp.Or(known.Agent, o.Agent), cmp.Or(known.Conversation, o.Conversation)}
	if merged != known {
		l.owners[id] = merged
	}
}
