package tracker

import (
	"testing"

	"parley/a2a"
	"parley/session/task"
)

// Only a message that was sent after the end of a task continues it: the answer to an earlier one is late.
func TestOnlyALaterMessageReopensATask(t *testing.T) {
	for _, c := range []struct {
		name string
		op   a2a.Op
		x    a2a.ExchangeID
		want task.Move
	}{
		{"a message before the end", a2a.OpStream, 1, task.MoveContradicts},
		{"a message after the end", a2a.OpSend, 4, task.MoveTaken},
		{"a get after the end", a2a.OpGet, 4, task.MoveContradicts},
	} {
		fold, memory := a2a.NewFold(), memory{}
		judge := func(x a2a.ExchangeID, op a2a.Op, record a2a.RecordID, state a2a.State) task.Move {
			ev := &a2a.Event{Kind: a2a.EventStatus, TaskID: "t", Status: &a2a.Status{State: state, Word: state.String()}}
			move := memory.judge(newExchange(x, &a2a.Call{Agent: 1, Conversation: 1, Op: op}, fold), task.Mention{Record: &a2a.Record{ID: record}, Event: ev})
			if move == task.MoveTaken {
				fold.Apply(ev)
			}
			return move
		}
		if got := judge(2, a2a.OpStream, 3, a2a.StateCompleted); got != task.MoveTaken {
			t.Fatalf("got move %v for the end of the task, want %v", got, task.MoveTaken)
		}
		if got := judge(c.x, c.op, 5, a2a.StateWorking); got != c.want {
			t.Errorf("%s: got move %v, want %v", c.name, got, c.want)
		}
	}
}
