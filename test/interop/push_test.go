package interop

import (
	"testing"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
)

// checkPush registers Parley's webhook for a task. The task stays correct, whatever deliveries
// arrive besides the answers.
func checkPush(t *testing.T, at target) {
	d := open(t, at)
	m := &a2a.Message{Role: a2a.RoleUser, Parts: []a2a.Part{a2a.TextPart("count 5")}}
	to := model.Target{Agent: d.agent, Conversation: d.engine.NewConversation(d.agent)}
	turn := d.wait(d.engine.Send(to, m, model.SendOptions{Stream: a2a.False, Webhook: true}))
	d.until("the end of the task is delivered", func() bool { return d.deliveredEnd() })
	task := d.task(turn.ID)
	d.until("the task is asked for what the delivery lacked", func() bool {
		return len(task.Artifacts) > 0 && string(task.Artifacts[0].Text) == "1 2 3 4 5 "
	})
	d.noProblem(turn.ID)
	if task.State != a2a.StateCompleted || len(task.Artifacts) != 1 || string(task.Artifacts[0].Text) != "1 2 3 4 5 " {
		t.Errorf("got state %s and artifacts %+v, want completed with 1 to 5\n%s", task.State, task.Artifacts, d.wire())
	}
	for id := a2a.RecordID(1); int(id) <= d.state.Log.Len(); id++ {
		it := d.state.Log.At(id)
		switch it.Fate {
		case log.FateRefused, log.FateUnread, log.FateForeign, log.FateStray:
			t.Errorf("delivery in record %d: got %s, want it applied\n%s", id, log.Describe(it), d.wire())
		}
	}
	if task.Push.Deliveries == 0 || len(d.state.Assembled(d.agent, task.ID).Artifacts) != 1 {
		t.Errorf("got %d deliveries, want at least 1 and one artifact\n%s", task.Push.Deliveries, d.wire())
	}
}

// deliveredEnd reports whether a delivery completed the task.
func (d *harness) deliveredEnd() bool {
	for id := a2a.RecordID(1); int(id) <= d.state.Log.Len(); id++ {
		it := d.state.Log.At(id)
		if it.Record.Kind != a2a.KindDelivery {
			continue
		}
		for _, ev := range it.Update.Events {
			if ev.Status != nil && ev.Status.State == a2a.StateCompleted || ev.Task != nil && ev.Task.Status.State == a2a.StateCompleted {
				return true
			}
		}
	}
	return false
}
