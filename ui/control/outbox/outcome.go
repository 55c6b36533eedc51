package outbox

import (
	"slices"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
)

// holdReason says why a message queued before a turn ended is not sent without asking, empty if
// it is: the user who wrote it expected the turn to end well.
func holdReason(t *model.Turn, s *log.Signal) string {
	switch {
	case taskForgotten(t):
		return ""
	case s.Sentence != "":
		return "the turn failed"
	case t == nil:
		return ""
	case len(t.Blocks) == 0:
		return "the turn had no answer"
	}
	for _, b := range t.Blocks {
		if b.Task != nil && b.Task.Forgotten {
			continue // the message became a new task
		}
		if b.Task != nil {
			switch state := b.Task.State; {
			case state == a2a.StateCompleted:
			case state == a2a.StateCanceled:
				return "the task was canceled"
			case state.Interrupted():
				return "the agent asks a question"
			case state.Terminal():
				return "the task failed"
			case b.Task.Lost:
				return "the agent does not know the task's state"
			default:
				return "the task has not ended"
			}
		}
		if n := len(b.Entries); n > 0 && b.Entries[n-1].Kind == model.EntryProblem && b.Entries[n-1].Problem.Resumed == 0 {
			return "something went wrong"
		}
	}
	return ""
}

// taskForgotten reports whether the agent no longer knows the newest task of a turn, so that
// there is nothing left to wait for. It is false after a cancel, after which the user decides.
func taskForgotten(t *model.Turn) bool {
	if t == nil {
		return false
	}
	for _, b := range slices.Backward(t.Blocks) {
		if b.Task != nil {
			return b.Task.Forgotten && b.Task.LastRequest.Op != a2a.OpCancel
		}
	}
	return false
}
