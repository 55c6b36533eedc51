package interop

import (
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/model"
)

// checkOtherClient lists, gets, subscribes to and cancels tasks of another client, as far as the
// agent allows it, and checks that every refusal is explained.
func checkOtherClient(t *testing.T, at target, s sdk) {
	first := open(t, at)
	var ids []string
	for _, text := range []string{"count 1", "count 2"} {
		turn := first.wait(first.send(model.Target{}, text, a2a.False))
		ids = append(ids, first.task(turn.ID).ID)
	}
	d := open(t, at)
	if s.serves(a2a.OpList) {
		listAll(t, d, ids)
	}
	conv, one := d.engine.NewConversation(d.agent), 1
	d.wait(d.engine.Get(d.agent, ids[1], conv, &one))
	task := d.state.Task(d.agent, ids[1])
	if task == nil || task.State != a2a.StateCompleted || task.Conversation.ID != conv || len(task.History) > one || task.LastRequest.Problem != nil {
		t.Fatalf("got task %+v, want it completed\n%s", task, d.wire())
	}
	d.untilOverAgain(d.engine.Subscribe(d.agent, task.ID, conv, true))
	if pr := task.LastRequest.Problem; pr != nil && !strings.Contains(pr.Sentence, "so no stream can follow it") {
		t.Errorf("subscription to a task that is over: got %s\n%s", pr.Sentence, d.wire())
	}
	if task.State != a2a.StateCompleted {
		t.Errorf("got state %s after it, want completed\n%s", task.State, d.wire())
	}
	d.untilOverAgain(d.engine.Cancel(d.agent, task.ID, conv))
	switch pr := task.LastRequest.Problem; {
	case s.forgets: // it cancels a finished task, and deletes it
	case pr == nil || !strings.Contains(pr.Sentence, "already over (completed)"):
		t.Errorf("cancel of a task that is over: got %+v\n%s", pr, d.wire())
	}
	d.wait(d.engine.Cancel(d.agent, "no-such-task", d.engine.NewConversation(d.agent)))
	if d.state.Task(d.agent, "no-such-task") != nil {
		t.Errorf("got a task that only its cancel names\n%s", d.wire())
	}
}

// untilOverAgain waits until a turn that was over once is over again.
func (d *harness) untilOverAgain(turn a2a.TurnID) {
	d.t.Helper()
	delete(d.over, turn) // no item was applied since the request
	d.wait(turn)
}

// listAll reads the pages of an agent's tasks until it has found all of some.
func listAll(t *testing.T, d *harness, ids []string) {
	filter := a2a.ListFilter{PageSize: 1, State: a2a.StateCompleted}
	list := func() *model.TaskList {
		t.Helper()
		turn := d.engine.List(d.agent, filter, nil)
		d.until("the page", func() bool { return d.over[turn] })
		l := d.state.Agent(d.agent).List
		if l == nil || l.Problem != nil || l.Pending {
			t.Fatalf("got list %+v, want an answer\n%s", l, d.wire())
		}
		return l
	}
	l := list()
	if len(l.Tasks) != 1 || l.Next == "" || l.NewTasks != 1 || l.Filter.State != a2a.StateCompleted {
		t.Fatalf("got first page %+v, want 1 completed task and a token\n%s", l, d.wire())
	}
	for l.Next != "" && (l.Find(ids[0]) == nil || l.Find(ids[1]) == nil) {
		if filter.PageToken = l.Next; list().NewTasks == 0 {
			t.Fatalf("got a page without new tasks: %+v\n%s", l, d.wire())
		}
	}
	for _, id := range ids {
		if found := l.Find(id); found == nil || found.Status.State != a2a.StateCompleted {
			t.Errorf("task %s: got list entry %+v, want completed\n%s", id, found, d.wire())
		}
	}
	if n := len(d.state.Agent(d.agent).Conversations); n != 0 {
		t.Errorf("got %d conversations from the list, want 0", n)
	}
}
