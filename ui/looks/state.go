// Package looks says how what the protocol names is drawn, the same in every pane: a
// sign of the table of glyphs and the paint that belongs to it.
package looks

import (
	"parley/a2a"
	"parley/session/task"
	"parley/ui/styles"
)

// State returns the sign and the paint of a task's state. The sign alone tells states
// apart where there is no colour.
func State(st *styles.Styles, s a2a.State) (styles.Glyph, styles.Paint) {
	switch s {
	case a2a.StateSubmitted:
		return styles.Idle, st.Agent
	case a2a.StateWorking:
		return styles.Online, st.Agent
	case a2a.StateCompleted:
		return styles.Done, st.OK
	case a2a.StateFailed:
		return styles.Failed, st.Failed
	case a2a.StateRejected:
		return styles.Rejected, st.Failed
	case a2a.StateCanceled:
		return styles.Canceled, st.Dim
	case a2a.StateInputRequired:
		return styles.Waiting, st.Waiting
	case a2a.StateAuthRequired:
		return styles.Authorize, st.Waiting
	default:
		return styles.Unknown, st.Dim
	}
}

// States returns the states that have a sign of their own, in the order in which a task
// goes through them, and last the one whose sign stands for all others.
func States() []a2a.State {
	return []a2a.State{
		a2a.StateSubmitted, a2a.StateWorking, a2a.StateInputRequired, a2a.StateAuthRequired, a2a.StateCompleted,
		a2a.StateCanceled, a2a.StateFailed, a2a.StateRejected, a2a.StateUnknown,
	}
}

// Task returns the sign and the paint of where a task stands. Of one that its agent forgot
// the state says nothing any more.
func Task(st *styles.Styles, l *task.Lifecycle) (styles.Glyph, styles.Paint) {
	if l.Forgotten {
		return styles.Unknown, st.Dim
	}
	return State(st, l.State)
}
