package engine

import (
	"testing"
	"time"

	"parley/session/log"
)

// An agent that is back is another process, perhaps without the task: its attempts are counted from the first.
func TestTheAttemptsBeginAnewWhenTheAgentIsBack(t *testing.T) {
	d := newHarness(t, func(o *options) {
		after := o.After
		o.Resubscribe = 5
		o.After = func(wait time.Duration) <-chan time.Time {
			if wait == 2*time.Second { // before the second attempt: only the return of the agent ends it
				return nil
			}
			return after(wait)
		}
	})
	a := agent(t, restarter)
	turn, task := d.startTask(d.openAgent(a.URL), "work")
	attempt := func(what string, waits bool) int {
		return d.until(what, func(it log.Item) bool {
			s := it.Signal
			return s != nil && s.Kind == log.SignalResubscribe && (s.After > 0) == waits && (s.Attempt == 2 || !waits)
		}).Signal.Attempt
	}
	back := a.Leave()
	attempt("the wait before a second attempt", true)
	back()
	if got := attempt("the attempt after the return", false); got != 1 {
		t.Errorf("got attempt %d after the return, want the first one again\n%s", got, d.log())
	}
	d.waitForTurnEnd(turn)
	if !task.Forgotten {
		t.Errorf("got task %+v, want it forgotten by the agent that is back", task)
	}
	d.finish()
}
