package session

import (
	"slices"
	"strconv"
	"testing"

	"parley/a2a"
)

// waiters returns a state in which many tasks of two agents wait.
func waiters(many int) (*State, []*Task) {
	s, tasks := NewState(), make([]*Task, many)
	of := []*Conversation{{Agent: &Agent{ID: 1}}, {Agent: &Agent{ID: 2}}}
	for i := range tasks {
		tasks[i] = &Task{ID: strconv.Itoa(i), Conversation: of[i%2], Lifecycle: Lifecycle{State: a2a.StateInputRequired}}
		s.waits(tasks[i], &Change{})
	}
	return s, tasks
}

// Whoever began to wait first is first, also after others were answered, asked again, or
// went with their agent.
func TestTheLongestWaitIsFirst(t *testing.T) {
	s, tasks := waiters(10_000)
	want := slices.Clone(tasks)
	for _, i := range []int{0, 9_999, 5_000, 5_001, 17} {
		tasks[i].Send()
		s.waits(tasks[i], &Change{})
		tasks[i].Ask()
		s.waits(tasks[i], &Change{})
		at := slices.Index(want, tasks[i])
		want = append(slices.Delete(want, at, at+1), tasks[i])
	}
	if !slices.Equal(s.Waiting(), want) {
		t.Error("the order is another")
	}
	var ch Change
	s.closed(tasks[0].Conversation.Agent, &ch)
	want = slices.DeleteFunc(want, func(task *Task) bool { return task.Conversation.Agent.ID == 1 })
	if !slices.Equal(s.Waiting(), want) || !ch.Agents {
		t.Errorf("%d wait after an agent was closed, want %d", len(s.Waiting()), len(want))
	}
	for _, task := range want {
		task.Send()
		s.waits(task, &ch)
	}
	if n := len(s.Waiting()); n != 0 {
		t.Errorf("%d wait after all were answered", n)
	}
}

// BenchmarkWaiting answers one task of many that wait, and has it ask again.
func BenchmarkWaiting(b *testing.B) {
	for _, many := range []int{100, 10_000} {
		b.Run(strconv.Itoa(many), func(b *testing.B) {
			s, tasks := waiters(many)
			var ch Change
			for i := 0; b.Loop(); i++ {
				task := tasks[i%many]
				task.Send()
				s.waits(task, &ch)
				task.Ask()
				s.waits(task, &ch)
			}
		})
	}
}
