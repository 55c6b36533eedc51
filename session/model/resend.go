package model

import (
	"strings"

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

// noteAgain replaces the refusal of a message by what Parley did then.
func (s *State) noteAgain(t *Turn, why a2a.Why) {
	sentence, refuses := "", func(*problem.Problem) bool { return true }
	switch task := t.Target.TaskID; why {
	case a2a.WhyNewTask:
		t.Target.TaskID = ""
		sentence = forgottenPrefix(task) + "; the message starts a new task."
		refuses = func(pr *problem.Problem) bool { return pr.Err != nil && problem.IsTaskUnknown(pr.Err) }
	case a2a.WhyWithoutStream:
		sentence = "The agent does not stream this; Parley sent the message again without a stream."
		refuses = func(pr *problem.Problem) bool { return pr.Class == problem.ClassRPC || pr.Class == a2a.ClassStatus }
	case a2a.WhyWithoutWebhook:
		sentence = "The agent refused the message with its webhook; Parley sent it again without the webhook. " + hookAdvice(t.webhook)
	default:
		return
	}
	for at, pr := range t.problems {
		if !refuses(pr) {
			continue
		}
		said := *pr
		said.Class = problem.ClassFallback
		said.Sentence = strings.TrimSpace(said.Before + " " + sentence)
		if why == a2a.WhyWithoutWebhook {
			said.Before = said.Sentence
		}
		s.replaceProblem(at, &said)
		if why == a2a.WhyWithoutWebhook {
			return
		}
	}
}
