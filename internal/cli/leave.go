package cli

import (
	"context"
	"errors"
	"time"

	"parley/a2a"
)

// errNotAwaited ends a wait for an answer that --async does not need.
var errNotAwaited = errors.New("the command does not wait for the answer")

// How long --async waits for the answer of an agent that cannot answer at once: long enough for
// a refusal, and for the message to arrive at this rate.
const (
	answerWait   = time.Second
	bytesPerWait = 256 << 10
)

// messageSent notes that a message was sent. In the dialect in which clients make the ids of
// tasks the id is printed now: such an agent answers when its task is over, and without the id
// nobody finds the task if the wait ends before.
func (op *operation) messageSent(r *a2a.Record) {
	h := &op.answer
	h.sent = true
	if r.Call.Dialect != a2a.V01 || h.namedTask != "" || r.Call.TaskID == "" {
		return
	}
	h.newTask = r.Call.TaskID
	if !h.noted {
		h.noted = true
		op.app.note("Note", "waiting for task %s of context %s.", h.newTask, orNone(r.Call.ContextID))
	}
	if op.async {
		wait := answerWait * time.Duration(1+len(r.Raw)/bytesPerWait)
		op.ctx, op.cancel = context.WithTimeoutCause(op.ctx, wait, errNotAwaited)
	}
}

// endedByAsync reports whether the command ended before the answer because of --async.
func (op *operation) endedByAsync() bool {
	return op.answer.empty() && op.ctx.Err() != nil && context.Cause(op.ctx) == errNotAwaited
}

// showUnanswered prints the ids of a task whose agent had not answered yet.
func (op *operation) showUnanswered() error {
	t := &a2a.Task{ID: op.answer.newTask, ContextID: op.answer.session}
	if op.app.json {
		op.document("task", a2a.EncodeV1Task(t))
	} else {
		var p page
		p.field("Task", t.ID)
		p.field("Context", orNone(t.ContextID))
		p.field("State", "not known yet")
		op.print(&p)
		op.resumeField(nil)
	}
	op.app.note("Note", "agents of A2A 0.1 answer when a task is over, but the connection was closed before that. An agent that then gives up does not have the task.")
	return op.judge(op.broken, nil)
}
