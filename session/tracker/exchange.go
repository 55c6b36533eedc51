package tracker

import (
	"strings"

	"parley/a2a"
	"parley/session/task"
)

// An exchange is what is needed of a request until its end.
type exchange struct {
	id      a2a.ExchangeID
	call    *a2a.Call
	subject task.Subject
	fold    *a2a.Fold  // the tasks of the agent
	turn    a2a.TurnID // 0 if the exchange belongs to no turn
	task    string     // the newest in its answer, empty for none
	streams bool       // a stream was opened
	resumed bool       // it continues an earlier stream
	text    task.Text  // in status messages
}

func newExchange(id a2a.ExchangeID, call *a2a.Call, fold *a2a.Fold) *exchange {
	return &exchange{id: id, call: call, subject: task.NewSubject(call), fold: fold}
}

// opensStream reports whether a record shows that the answer is a stream.
func opensStream(r *a2a.Record) bool {
	return r.Kind == a2a.KindEvent ||
		r.Kind == a2a.KindHead && r.Head != nil && strings.HasPrefix(strings.ToLower(r.Head.Header.Get("Content-Type")), "text/event-stream")
}

// assemble passes an event to the fold. The first event of a subscription announces the resumed stream.
func (x *exchange) assemble(r *a2a.Record, ev *a2a.Event) (deltas []a2a.Delta, resumes bool) {
	if r.Kind != a2a.KindEvent {
		return x.fold.ApplyAnswer(ev), false
	}
	if x.call.Op == a2a.OpSubscribe && !x.resumed {
		x.resumed, resumes = true, true
		x.fold.Resume(x.call.TaskID)
	}
	id := ""
	if r.SSE != nil {
		id = r.SSE.ID
	}
	return x.fold.ApplyFrame(ev, id), resumes
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
