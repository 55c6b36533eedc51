package task_test

import (
	"testing"

	"parley/a2a"
	"parley/session/sessiontest"
	"parley/session/task"
)

// A task that is over does not change, unless a message was sent to it.
func TestATaskThatIsOverStaysOver(t *testing.T) {
	for _, from := range sessiontest.AllStates {
		for _, to := range sessiontest.AllStates {
			for _, reopens := range []bool{false, true} {
				l := task.Lifecycle{State: from, Word: from.String()}
				move := l.Take(&a2a.Status{State: to, Word: to.String()}, reopens)
				want, state := task.MoveTaken, to
				switch {
				case from == to:
					want = task.MoveNone
				case from.Terminal() && !reopens:
					want, state = task.MoveContradicts, from
				}
				if move != want || l.State != state {
					t.Errorf("%v to %v (reopens %v): got move %v, state %v; want %v, %v", from, to, reopens, move, l.State, want, state)
				}
			}
		}
	}
}

// Exactly one of over, asks and works is true.
func TestATaskIsOverOrWaitsOrWorks(t *testing.T) {
	for _, s := range sessiontest.AllStates {
		for _, forgotten := range []bool{false, true} {
			l := task.Lifecycle{State: s, Forgotten: forgotten}
			n := 0
			for _, is := range []bool{l.Over(), l.Asks(), l.Works()} {
				if is {
					n++
				}
			}
			if n != 1 {
				t.Errorf("%v, forgotten %v: got over %v, asks %v, works %v; want exactly one", s, forgotten, l.Over(), l.Asks(), l.Works())
			}
			if l.Send(); l.Waits() {
				t.Errorf("%v, forgotten %v: task waits after an answer, want not waiting", s, forgotten)
			}
			if l.Ask(); l.Waits() != (s.Interrupted() && !forgotten) {
				t.Errorf("%v, forgotten %v: got waits %v, want %v", s, forgotten, l.Waits(), s.Interrupted() && !forgotten)
			}
		}
	}
}

func TestOnlyAnOperationOfEveryAgentCondemnsATask(t *testing.T) {
	unknown := &a2a.RPCError{Code: -32001, Name: "TaskNotFoundError"}
	for op, want := range map[a2a.Op]bool{
		a2a.OpGet: true, a2a.OpSend: true, a2a.OpStream: true, a2a.OpCancel: true,
		a2a.OpSubscribe: false, a2a.OpList: false, a2a.OpExtendedCard: false,
		a2a.OpPushSet: false, a2a.OpPushGet: false, a2a.OpPushList: false, a2a.OpPushDelete: false,
	} {
		if task.Condemns(op, unknown) != want {
			t.Errorf("%v: got %v, want %v", op, !want, want)
		}
	}
}

func TestATaskWhoseAgentLostItsStateIsOver(t *testing.T) {
	var l task.Lifecycle
	l.Take(&a2a.Status{State: a2a.StateOther, Word: "gone", Lost: true}, false)
	if !l.Over() || l.Works() {
		t.Errorf("got over %v and works %v after a lost state, want the task to be over", l.Over(), l.Works())
	}
	l.Take(&a2a.Status{State: a2a.StateWorking, Word: "working"}, false)
	if l.Over() || !l.Works() {
		t.Errorf("got over %v and works %v after a later status, want the task to work", l.Over(), l.Works())
	}
}

// An answer counts until the task asks again, whatever it asks for then.
func TestAnotherQuestionWaitsForAnotherAnswer(t *testing.T) {
	var l task.Lifecycle
	l.Take(&a2a.Status{State: a2a.StateInputRequired, Word: "input-required"}, false)
	l.Send()
	l.Take(&a2a.Status{State: a2a.StateInputRequired, Word: "input-required"}, false)
	if l.Waits() {
		t.Error("got a task that waits after an answer and the same status, want it answered")
	}
	l.Take(&a2a.Status{State: a2a.StateWorking, Word: "working"}, false)
	l.Take(&a2a.Status{State: a2a.StateInputRequired, Word: "input-required"}, false)
	if !l.Waits() {
		t.Error("got a task that does not wait after its second question, want it to wait")
	}
	l.Send()
	l.Take(&a2a.Status{State: a2a.StateAuthRequired, Word: "auth-required"}, false)
	if !l.Waits() {
		t.Error("got a task that does not wait for credentials after an answer to its question, want it to wait")
	}
}
