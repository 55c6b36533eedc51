package model

import (
	"testing"
	"time"

	"parley/a2a"
)

func TestStaysAreAsLongAsTheRecordsTell(t *testing.T) {
	at := func(ms int) time.Time { return time.Unix(0, 0).Add(time.Duration(ms) * time.Millisecond) }
	task := &Task{Transitions: []Transition{
		{State: a2a.StateSubmitted, Time: at(0)}, {State: a2a.StateWorking, Time: at(40)},
		{State: a2a.StateWorking, Time: at(30)}, // the clock was set back
		{State: a2a.StateAuthRequired, Time: at(1040)},
	}}
	want := []time.Duration{40 * time.Millisecond, 0, 1010 * time.Millisecond, 2 * time.Second}
	for i, s := range task.Stays(at(3040)) {
		if s.For != want[i] || s.Open != (i == 3) {
			t.Errorf("stay %d: got %v, open %v; want %v, %v", i, s.For, s.Open, want[i], i == 3)
		}
	}
	if last := task.Stays(time.Time{})[3]; last.For != 0 || !last.Open {
		t.Errorf("got last stay %+v of a recording, want open without a length", last)
	}
	task.Transitions[3].State = a2a.StateCompleted
	if last := task.Stays(at(9000))[3]; last.For != 0 || last.Open {
		t.Errorf("got last stay %+v of a task that is over, want closed without a length", last)
	}
	if got := (&Task{}).Stays(at(1)); len(got) != 0 {
		t.Errorf("got stays %v of a task without transitions, want none", got)
	}
}
