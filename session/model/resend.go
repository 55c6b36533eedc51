package model

import (
	"parley/a2a"
	"parley/session/problem"
	"parley/session/task"
)

// A message to a task that its agent has forgotten starts a new task in the same context,
// once: the error proves that nothing was started.

// StartsNewTask reports whether a refused message may be sent again as a new task. In 0.1 the
// client makes the ids of tasks, so an agent begins an unknown task and has no reason to
// refuse. A request that the user wrote is sent only as written.
func StartsNewTask(call *a2a.Call, e *a2a.RPCError) bool {
	return e != nil && task.SendsMessage(call.Op) && call.TaskID != "" && call.Dialect != a2a.V01 && !call.Raw && problem.IsTaskUnknown(e)
}

// noteNewTask replaces the refusal of a message by the result: the message was sent again as a new
// task.
func (s *State) noteNewTask(t *Turn) {
	task := t.Target.TaskID
	t.refused, t.Target.TaskID = false, ""
	for at, pr := range t.problems {
		if pr.Err != nil && problem.IsTaskUnknown(pr.Err) {
			said := *pr
			said.Class = problem.ClassFallback
			said.Sentence = forgottenPrefix(task) + "; the message starts a new task."
			s.replaceProblem(at, &said)
		}
	}
}
