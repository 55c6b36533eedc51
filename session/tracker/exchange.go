package tracker

import (
	"parley/a2a"
	"parley/session/task"
)

// An Exchange decides which events of an exchange are about its task, and folds them.
type Exchange struct {
	ID      a2a.ExchangeID
	Call    *a2a.Call
	Subject task.Subject
	Fold    *a2a.Fold // the tasks of the agent
	Resumed bool      // it continues an earlier stream
}

// NewExchange returns the exchange that a request begins, with the known tasks of its agent.
func NewExchange(id a2a.ExchangeID, call *a2a.Call, fold *a2a.Fold) Exchange {
	return Exchange{ID: id, Call: call, Subject: task.NewSubject(call), Fold: fold}
}

// Claim returns the events that are the exchange's own now that this one has come, see
// [task.Subject.Claim].
func (x *Exchange) Claim(m task.Memory, r *a2a.Record, ev *a2a.Event) []task.Mention {
	return x.Subject.Claim(task.Mention{Record: r, Event: ev}, r.Kind == a2a.KindEvent, m.Find(x.Call, x.Fold))
}

// Rest returns the events that turn out to be the exchange's own at its end.
func (x *Exchange) Rest(m task.Memory) []task.Mention {
	return x.Subject.End(m.Find(x.Call, x.Fold))
}

// Contradicts reports whether an event contradicts the end of its task, and remembers it.
func (x *Exchange) Contradicts(m task.Memory, it task.Mention) bool {
	return m.Judge(x.ID, x.Call, x.Fold, it) == task.MoveContradicts
}

// Assemble passes an event to the fold. With the first one of a subscription it announces the
// resumed stream, and notes that.
func (x *Exchange) Assemble(r *a2a.Record, ev *a2a.Event) []a2a.Delta {
	if r.Kind != a2a.KindEvent {
		return x.Fold.ApplyAnswer(ev)
	}
	if x.Call.Op == a2a.OpSubscribe && !x.Resumed {
		x.Resumed = true
		x.Fold.Resume(x.Call.TaskID)
	}
	id := ""
	if r.SSE != nil {
		id = r.SSE.ID
	}
	return x.Fold.ApplyFrame(ev, id)
}

// IsAssembled reports whether the fold gets an event.
func IsAssembled(kind a2a.EventKind) bool {
	switch kind {
	case a2a.EventTask, a2a.EventStatus, a2a.EventArtifact, a2a.EventMessage:
		return true
	}
	return false
}

// InConversation reports whether an operation belongs to a conversation.
func InConversation(op a2a.Op) bool {
	switch op {
	case a2a.OpCard, a2a.OpExtendedCard, a2a.OpList, a2a.OpProbe,
		a2a.OpPushSet, a2a.OpPushGet, a2a.OpPushList, a2a.OpPushDelete, a2a.OpArtifact, a2a.OpCatalog:
		return false
	}
	return true
}
