package model

import (
	"fmt"
	"strings"
	"time"

	"parley/a2a"
	"parley/internal/units"
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
		sentence = sentWithoutStream
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

// ForgottenSentence says what is known of a task that its agent has denied twice: the agent sent
// the task at the time shown, which may be zero. The task may still run.
func ForgottenSentence(task string, shown, now time.Time) string {
	when := "earlier"
	if !shown.IsZero() {
		when = units.Duration(max(now.Sub(shown).Round(time.Second), time.Second)) + " ago"
	}
	return fmt.Sprintf("The agent knew task %s %s and does not know it now (asked twice).", units.ID(task), when)
}

// deniedSentence says that an agent denied a task whose id it had given.
func deniedSentence(task string) string {
	return fmt.Sprintf("The agent sent task %s and then did not know it, so Parley asked again: copies of the agent may not share their tasks.", units.ID(task))
}

const sentWithoutStream = "The request for a stream was refused; Parley sent the message again without a stream."

// AskedAgainSentence says why Parley repeated a request about a task, or a message without a stream; empty for
// another request.
func AskedAgainSentence(c *a2a.Call) string {
	switch {
	case c.Why == a2a.WhyWithoutStream:
		return sentWithoutStream
	case c.Why != a2a.WhyAskedAgain || c.TaskID == "":
		return ""
	case c.Rest:
		return fmt.Sprintf("The stream of task %s brought %s, so Parley gets the task.", units.ID(c.TaskID), c.Because)
	default:
		return deniedSentence(c.TaskID)
	}
}

// forgottenPrefix is the beginning of a sentence about a task that its agent no longer knows.
func forgottenPrefix(task string) string { return "The agent no longer knows task " + units.ID(task) }
