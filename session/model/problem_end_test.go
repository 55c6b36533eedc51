package model

import (
	"testing"

	"parley/a2a"
	"parley/session/task"
)

// A stream that Parley closed because its task was over is no problem, also if another
// subscriber received the end of the task.
func TestAStreamClosedAfterItsTaskIsNoProblem(t *testing.T) {
	over := &Task{Lifecycle: task.Lifecycle{State: a2a.StateCompleted}}
	works := &Task{Lifecycle: task.Lifecycle{State: a2a.StateWorking}}
	end := &a2a.End{Reason: a2a.Cancelled}
	for _, c := range []struct {
		task    *Task
		final   bool
		problem bool
	}{{over, false, false}, {works, true, false}, {works, false, true}} {
		x := &exchange{call: &a2a.Call{Op: a2a.OpStream, Dialect: a2a.V01}, streams: true, final: c.final}
		if pr := problemOf(x, c.task, end, false, false); (pr != nil) != c.problem {
			t.Errorf("%s, final %v: got problem %+v, want one: %v", c.task.State, c.final, pr, c.problem)
		}
	}
}
