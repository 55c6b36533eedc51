// Package looks says how protocol terms are drawn, the same in every pane: each has a glyph and
// a paint.
package looks

import (
	"parley/a2a"
	"parley/session/task"
	"parley/ui/styles"
)

// State returns the sign and the paint of a task's state. The sign alone distinguishes states
// where there is no colour.
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

// Past is [State] for a state that a task was in: nothing about it needs the user any more.
func Past(st *styles.Styles, s a2a.State) (styles.Glyph, styles.Paint) {
	sign, paint := State(st, s)
	if s == a2a.StateInputRequired || s == a2a.StateAuthRequired {
		paint = st.Text
	}
	return sign, paint
}

// States returns the states that have a sign of their own, in the order in which a task passes
// through them, and last the one whose sign all others share.
func States() []a2a.State {
	return []a2a.State{
		a2a.StateSubmitted, a2a.StateWorking, a2a.StateInputRequired, a2a.StateAuthRequired, a2a.StateCompleted,
		a2a.StateCanceled, a2a.StateFailed, a2a.StateRejected, a2a.StateUnknown,
	}
}

// A Sign is a glyph with its paint and what it means.
type Sign struct {
	Sign  styles.Glyph
	Paint styles.Paint
	Words string
}

// Signs returns the signs that stand in all panes, for the help.
func Signs(st *styles.Styles) []Sign {
	done, finished := State(st, a2a.StateCompleted)
	return []Sign{
		{done, finished, "done"}, {styles.Waiting, st.Waiting, "waits for you"}, {styles.Failed, st.Failed, "failed"},
		{styles.Pause, st.Waiting, "stalled"}, {styles.Cut, st.Failed, "cut"}, {styles.Flag, st.Waiting, "finding"},
	}
}

// Task returns the sign and the paint of a task. If its agent forgot it, its state no longer
// counts; once the user has answered it, nothing about it needs the user.
func Task(st *styles.Styles, l *task.Lifecycle) (styles.Glyph, styles.Paint) {
	switch {
	case l.Forgotten:
		return styles.Unknown, st.Dim
	case l.Answered:
		return Past(st, l.State)
	}
	return State(st, l.State)
}
