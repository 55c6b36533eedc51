package model

import (
	"cmp"
	"slices"

	"parley/a2a"
	"parley/session/log"
)

// Numbers are the largest numbers of a session. A session that goes on continues after them.
type Numbers struct {
	Agent        a2a.AgentID
	Conversation a2a.ConversationID
	Turn         a2a.TurnID
	StandIn      int // as [a2a.Redaction] has it
}

// Last returns the largest numbers that any record names.
func (s *State) Last() Numbers { return s.last }

// maxNumber is the largest number after which a session can go on: only a file that was written by
// hand has a larger one.
const maxNumber = 1 << 30

// Plausible reports whether other numbers can follow.
func (n Numbers) Plausible() bool {
	return n.Agent < maxNumber && n.Conversation < maxNumber && n.Turn < maxNumber && n.StandIn < maxNumber
}

// note notes the numbers in a record.
func (n *Numbers) note(r *a2a.Record) {
	for i := range r.Redactions {
		n.StandIn = max(n.StandIn, r.Redactions[i].Number)
	}
	switch {
	case r.Kind == a2a.KindNote && r.Note != nil:
		attr := r.Note.Attrs
		n.Agent = max(n.Agent, log.IDIn[a2a.AgentID](attr, log.AttrAgent))
		n.Conversation = max(n.Conversation, log.IDIn[a2a.ConversationID](attr, log.AttrConversation))
		n.Turn = max(n.Turn, log.IDIn[a2a.TurnID](attr, log.AttrTurn))
	case (r.Kind == a2a.KindRequest || r.Kind == a2a.KindDelivery) && r.Call != nil:
		n.Agent, n.Conversation, n.Turn = max(n.Agent, r.Call.Agent), max(n.Conversation, r.Call.Conversation), max(n.Turn, r.Call.Turn)
	}
}

// AllAgents returns the agents, the closed ones too, by their numbers.
func (s *State) AllAgents() []*Agent {
	all := make([]*Agent, 0, len(s.agents))
	for _, a := range s.agents {
		all = append(all, a)
	}
	slices.SortFunc(all, func(a, b *Agent) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// Turn returns the newest turn that the task belongs to, 0 if it belongs to none.
func (t *Task) Turn() a2a.TurnID {
	if t.turn == nil {
		return 0
	}
	return t.turn.ID
}
