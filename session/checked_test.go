package session

import (
	"strings"
	"testing"

	"parley/a2a"
)

// An agent whose stream ends well and which then calls the task failed is contradicted in
// the conversation, not only on the wire.
func TestACheckThatTellsOtherwiseIsShown(t *testing.T) {
	each(t, func(t *testing.T, g *tongue) {
		s := newStation(t, g, func(_ *station, method string, q inquiry, say func(string), fail func(int)) {
			task := q.named("t")
			switch {
			case method == "stream":
				say(g.whole(task, "here", a2a.StateWorking))
				say(g.chunk(task, "here", "the result"))
				say(g.tells(task, "here", a2a.StateCompleted))
			case method == "get" && q.History != nil:
				say(strings.Replace(g.finished(task, "here", "the result"), g.state(a2a.StateCompleted), g.state(a2a.StateFailed), 1))
			default:
				fail(-32001)
			}
		})
		d := newDesk(t, func(o *EngineOptions) { o.CheckStreams = true })
		turn, _ := d.say(Target{Agent: d.opened(s.URL)}, "go", SendOptions{})
		d.until("the check", func(it Item) bool {
			return it.Record.Kind == a2a.KindEnd && it.Record.Call != nil && it.Record.Call.Check
		})
		task := turn.Blocks[0].Task
		if c := task.Contradiction; c == nil || c.State != a2a.StateFailed || task.State != a2a.StateCompleted || turn.Pending {
			t.Errorf("%s, contradicted by %+v\n%s", task.State, c, d.log())
		}
		d.finish()
	})
}

// A stream that was closed from here because its task was over is no problem, also where
// the end of the task went to another subscriber.
func TestAStreamClosedAfterItsTaskIsNoProblem(t *testing.T) {
	over := &Task{Lifecycle: Lifecycle{State: a2a.StateCompleted}}
	works := &Task{Lifecycle: Lifecycle{State: a2a.StateWorking}}
	end := &a2a.End{Reason: a2a.Cancelled}
	for _, c := range []struct {
		task    *Task
		final   bool
		problem bool
	}{{over, false, false}, {works, true, false}, {works, false, true}} {
		x := &exchange{call: &a2a.Call{Op: a2a.OpStream, Dialect: a2a.V01}, streams: true, final: c.final}
		if pr := problemOf(x, c.task, end, false, false); (pr != nil) != c.problem {
			t.Errorf("%s, final %v: %+v", c.task.State, c.final, pr)
		}
	}
}
