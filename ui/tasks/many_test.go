package tasks

import (
	"fmt"
	"testing"

	"parley/a2a"
	"parley/session/model"
	"parley/session/task"
)

// crowd returns agents with the given number of tasks each, a hundred per conversation.
func crowd(agents, tasks int) []*model.Agent {
	var all []*model.Agent
	for i := range agents {
		a := office(a2a.AgentID(i+1), fmt.Sprint("Agent ", i))
		for n := range tasks {
			if n%100 == 0 {
				a.Conversations = append(a.Conversations, &model.Conversation{ID: a2a.ConversationID(i*tasks + n + 1), Agent: a})
			}
			add(a, n)
		}
		all = append(all, a)
	}
	return all
}

// add adds a task to an agent's newest conversation.
func add(a *model.Agent, n int) {
	c := a.Conversations[len(a.Conversations)-1]
	c.Tasks = append(c.Tasks, &model.Task{ID: fmt.Sprintf("%d-%d", a.ID, n), Conversation: c, Lifecycle: task.Lifecycle{State: a2a.StateWorking}})
}

// Of ten thousand tasks only new ones are read and only visible ones are rendered.
func TestAnUpdateReadsOnlyWhatIsNew(t *testing.T) {
	all := crowd(4, 2_500)
	p := newPane(all...)
	press(p, "a")
	if len(p.rows) != 10_000 {
		t.Fatalf("got %d rows, want 10000", len(p.rows))
	}
	for i, a := range all {
		add(a, 2_500)
		if n := p.readNew(a, p.markOf(a)); n != 1 {
			t.Errorf("agent %d: got %d tasks read after one was added, want 1", i, n)
		}
		if n := p.readNew(a, p.markOf(a)); n != 0 {
			t.Errorf("agent %d: got %d tasks read without a change, want 0", i, n)
		}
	}
	p.Update(p.about)
	if len(p.rows) != 10_004 || p.rows[10_003].id != "4-2500" {
		t.Errorf("got %d rows, the last of task %s; want 10004 and 4-2500", len(p.rows), p.rows[len(p.rows)-1].id)
	}
	few := newPane(crowd(4, 25)...)
	press(few, "a")
	draw := func(p *Pane) float64 {
		return testing.AllocsPerRun(5, func() { p.Update(p.about); press(p, "G", "g"); p.Lines() })
	}
	if a, b := draw(few), draw(p); b > a*1.5 {
		t.Errorf("got %.0f allocations per frame with 100 tasks and %.0f with 10,000, want them nearly equal", a, b)
	}
}

func BenchmarkUpdate(b *testing.B) {
	p := newPane(crowd(4, 2_500)...)
	press(p, "a")
	for b.Loop() {
		p.Update(p.about)
		p.Lines()
	}
}
