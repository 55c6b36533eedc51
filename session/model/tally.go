package model

import (
	"parley/a2a"
	"parley/session/task"
)

// A Tally counts the tasks of a session by how they stand. Those that wait for the user are [State.Waiting].
type Tally struct {
	Works  int // submitted, working, or answered by the user
	Done   int
	Failed int // or rejected
	Other  int // canceled, lost, or forgotten
	asks   int // waits for the user, for another client, or with an agent that is closed
}

// take counts a task as it stands now, and no longer as it stood.
func (y *Tally) take(t *Task) {
	now := y.of(&t.Lifecycle)
	if t.counted == now {
		return
	}
	if t.counted != nil {
		*t.counted--
	}
	t.counted = now
	*now++
}

// of returns the count that a task belongs to.
func (y *Tally) of(l *task.Lifecycle) *int {
	switch {
	case l.Forgotten || l.Lost:
		return &y.Other
	case l.Waits():
		return &y.asks
	case !l.Over():
		return &y.Works
	}
	switch l.State {
	case a2a.StateCompleted:
		return &y.Done
	case a2a.StateFailed, a2a.StateRejected:
		return &y.Failed
	default:
		return &y.Other
	}
}
