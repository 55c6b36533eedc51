package task

import (
	"parley/a2a"
	"parley/session/problem"
)

// StateWord is a state for users, or the wire's word for a state that no dialect defines.
func StateWord(state a2a.State, word string) string {
	if state == a2a.StateOther {
		return problem.Clip(word)
	}
	return state.String()
}

// StatusOf returns the status that an event reports, nil if it reports none.
func StatusOf(ev *a2a.Event) *a2a.Status {
	if ev.Task != nil {
		return &ev.Task.Status
	}
	return ev.Status
}

// SendsMessage reports whether an operation sends a message.
func SendsMessage(op a2a.Op) bool { return op == a2a.OpSend || op == a2a.OpStream }

// IsRequired reports whether every agent must have a method for an operation.
func IsRequired(op a2a.Op) bool { return SendsMessage(op) || op == a2a.OpGet || op == a2a.OpCancel }

// Key names a remote task: agents make their ids independently.
type Key struct {
	Agent a2a.AgentID
	ID    string
}
