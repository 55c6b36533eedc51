package model

import (
	"fmt"

	"parley/a2a"
	"parley/session/problem"
)

// Request is the newest request about a task itself: get, cancel or subscribe.
type Request struct {
	Op      a2a.Op           // empty if there was none
	Record  a2a.RecordID     // of the request
	Open    bool             // it is in progress
	Problem *problem.Problem // why it failed, nil if it did not
}

func aboutOneTask(op a2a.Op) bool {
	switch op {
	case a2a.OpGet, a2a.OpCancel, a2a.OpSubscribe:
		return true
	}
	return false
}

// ask notes a request about a task.
func (t *Task) ask(call *a2a.Call, request a2a.RecordID) {
	if aboutOneTask(call.Op) && !call.AuthPoll {
		t.LastRequest = Request{Op: call.Op, Record: request, Open: true}
		t.touch()
	}
}

// endRequest notes how it ended. An unknown task is known by then if the agent sent it.
func (s *State) endRequest(x *exchange) {
	t := s.Task(x.agent.ID, x.call.TaskID)
	if t == nil || !aboutOneTask(x.call.Op) || x.call.AuthPoll || t.LastRequest.Record > x.id {
		return
	}
	t.LastRequest = Request{Op: x.call.Op, Record: x.id, Problem: x.problem}
	t.touch()
}

// canceling reports whether a cancel of the task has not been answered yet.
func (t *Task) canceling() bool { return t.LastRequest.Open && t.LastRequest.Op == a2a.OpCancel }

// advice says what an agent's refusal means for a task, in place of the general advice for its
// error; empty if there is nothing better to say. task is nil if it is unknown.
func advice(task *Task, op a2a.Op, e *a2a.RPCError) string {
	over := task != nil && task.State.Terminal()
	switch {
	case op == a2a.OpCancel && over:
		return fmt.Sprintf("The task is already over (%s), so it cannot be canceled.", task.StateWord())
	case op == a2a.OpCancel && task != nil && e.Name == "TaskNotCancelableError":
		return fmt.Sprintf("The task continues; its last known state is %s. Get the task to see its state.", task.StateWord())
	case op == a2a.OpCancel && (e.Code == -32601 || e.Code == -32004):
		return "This agent does not support cancel; closing a stream does not end its task."
	case op == a2a.OpSubscribe && over && (e.Code == -32601 || e.Code == -32004 || e.Code == -32001 || e.Code == -32602):
		return fmt.Sprintf("The task is over (%s), so no stream can follow it; get the task to see its result.", task.StateWord())
	}
	return ""
}
