package model

import (
	"parley/a2a"
	"parley/session/task"
)

// An exchangeTask decides which events of an exchange are about its task, and folds them.
// [State] and [Precheck] keep one for each exchange, so that they decide alike.
type exchangeTask struct {
	id      a2a.ExchangeID
	call    *a2a.Call
	subject task.Subject
	fold    *a2a.Fold // the tasks of the agent
	resumed bool      // the exchange continues an earlier stream
}

func newExchangeTask(id a2a.ExchangeID, call *a2a.Call, fold *a2a.Fold) exchangeTask {
	return exchangeTask{id: id, call: call, subject: task.NewSubject(call), fold: fold}
}

// claim returns the events that are the exchange's own now that this one has come, see
// [task.Subject.Claim].
func (x *exchangeTask) claim(m task.Memory, r *a2a.Record, ev *a2a.Event) []task.Mention {
	return x.subject.Claim(task.Mention{Record: r, Event: ev}, r.Kind == a2a.KindEvent, m.Find(x.call, x.fold))
}

// rest returns the events that turn out to be the exchange's own at its end.
func (x *exchangeTask) rest(m task.Memory) []task.Mention {
	return x.subject.End(m.Find(x.call, x.fold))
}

// contradicts reports whether an event contradicts the end of its task, and remembers it.
func (x *exchangeTask) contradicts(m task.Memory, it task.Mention) bool {
	return m.Judge(x.id, x.call, x.fold, it) == task.MoveContradicts
}

// assemble passes an event to the fold. With the first one of a subscription it announces the
// resumed stream, and notes that.
func (x *exchangeTask) assemble(r *a2a.Record, ev *a2a.Event) []a2a.Delta {
	if r.Kind != a2a.KindEvent {
		return x.fold.ApplyAnswer(ev)
	}
	if x.call.Op == a2a.OpSubscribe && !x.resumed {
		x.resumed = true
		x.fold.Resume(x.call.TaskID)
	}
	id := ""
	if r.SSE != nil {
		id = r.SSE.ID
	}
	return x.fold.ApplyFrame(ev, id)
}
