package model

import "time"

// A Stay is a state of a task, and how long it lasted.
type Stay struct {
	Transition
	For  time.Duration // until the next state came, for the newest until now
	Open bool          // it is the newest, and its length is not known yet
}

// Stays returns how long a task was in which state, oldest first, by the clock of the
// records. The newest lasts until now, if that is not zero and the task is not over.
func (t *Task) Stays(now time.Time) []Stay {
	out := make([]Stay, len(t.Transitions))
	for i, tr := range t.Transitions {
		out[i].Transition = tr
		switch {
		case i+1 < len(t.Transitions):
			out[i].For = max(0, t.Transitions[i+1].Time.Sub(tr.Time))
		case tr.State.Terminal():
		case now.IsZero():
			out[i].Open = true
		default:
			out[i].Open, out[i].For = true, max(0, now.Sub(tr.Time))
		}
	}
	return out
}
