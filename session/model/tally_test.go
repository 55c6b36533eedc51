package model

import (
	"testing"

	"parley/a2a"
	"parley/session/task"
)

// Each task is counted once, as it stands now.
func TestATaskIsCountedAsItStands(t *testing.T) {
	s := NewState()
	conv := &Conversation{Agent: &Agent{ID: 1}}
	one, other := &Task{ID: "1", Conversation: conv}, &Task{ID: "2", Conversation: conv, Lifecycle: task.Lifecycle{State: a2a.StateWorking}}
	s.waits(other, &Change{})
	for _, c := range []struct {
		as   task.Lifecycle
		want Tally
	}{
		{task.Lifecycle{State: a2a.StateSubmitted}, Tally{Works: 2}},
		{task.Lifecycle{State: a2a.StateSubmitted}, Tally{Works: 2}},
		{task.Lifecycle{State: a2a.StateInputRequired}, Tally{Works: 1, asks: 1}},
		{task.Lifecycle{State: a2a.StateInputRequired, Answered: true}, Tally{Works: 2}},
		{task.Lifecycle{State: a2a.StateCompleted}, Tally{Works: 1, Done: 1}},
		{task.Lifecycle{State: a2a.StateFailed}, Tally{Works: 1, Failed: 1}},
		{task.Lifecycle{State: a2a.StateRejected}, Tally{Works: 1, Failed: 1}},
		{task.Lifecycle{State: a2a.StateCanceled}, Tally{Works: 1, Other: 1}},
		{task.Lifecycle{State: a2a.StateWorking, Forgotten: true}, Tally{Works: 1, Other: 1}},
	} {
		one.Lifecycle = c.as
		s.waits(one, &Change{})
		if s.Tally != c.want {
			t.Errorf("%+v: got %+v, want %+v", c.as, s.Tally, c.want)
		}
	}
}
