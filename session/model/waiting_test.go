package model

import (
	"slices"
	"strconv"
	"testing"

	"parley/a2a"
	"parley/session/task"
)

// waiters returns a state in which many tasks of two agents wait.
func waiters(many int) (*State, []*Task) {
	s, tasks := NewState(), make([]*Task, many)
	of := []*Conversation{{Agent: &Agent{ID: 1}}, {Agent: &Agent{ID: 2}}}
	for i := range tasks {
		tasks[i] = &Task{ID: strconv.Itoa(i), Conversation: of[i%2], Lifecycle: task.Lifecycle{State: a2a.StateInputRequired}}
		s.waits(tasks[i], &Change{})
	}
	return s, tasks
}

// The task that began to wait first is first, also after others were answered, asked again, or
// were closed with their agent.
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
		t.Errorf("got %d waiting tasks in another order than %d", len(s.Waiting()), len(want))
	}
	var ch Change
	s.closed(tasks[0].Conversation.Agent, &ch)
	want = slices.DeleteFunc(want, func(task *Task) bool { return task.Conversation.Agent.ID == 1 })
	if !slices.Equal(s.Waiting(), want) || !ch.Agents {
		t.Errorf("got %d waiting tasks after an agent was closed, want %d", len(s.Waiting()), len(want))
	}
	for _, task := range want {
		task.Send()
		s.waits(task, &ch)
	}
	if n := len(s.Waiting()); n != 0 {
		t.Errorf("got %d waiting tasks after all were answered, want 0", n)
	}
}

// BenchmarkWaiting answers one task of many that wait, and makes it ask again.
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

// The tasks that began to wait since the last call are found without a search of the others.
func TestWhatBeganToWaitSince(t *testing.T) {
	s := NewState()
	c := &Conversation{Agent: &Agent{}}
	var tasks []*Task
	var ch Change
	begin := func() {
		task := &Task{Conversation: c, Lifecycle: task.Lifecycle{State: a2a.StateInputRequired}}
		tasks = append(tasks, task)
		s.waits(task, &ch)
	}
	for range 10_000 {
		begin()
	}
	all, last := s.WaitingSince(0)
	if len(all) != 10_000 {
		t.Fatalf("got %d waiting tasks, want 10000", len(all))
	}
	if none, _ := s.WaitingSince(last); len(none) != 0 {
		t.Errorf("got %d new waiting tasks, want 0", len(none))
	}
	begin()
	tasks[5].Answered = true
	s.waits(tasks[5], &ch)
	tasks[5].Answered = false
	s.waits(tasks[5], &ch) // it waits again
	fresh, newest := s.WaitingSince(last)
	if len(fresh) != 2 || fresh[0] != tasks[10_000] || fresh[1] != tasks[5] {
		t.Errorf("got %d new waiting tasks, want the added and the repeated one", len(fresh))
	}
	tasks[5].Answered = true
	s.waits(tasks[5], &ch) // the newest is answered
	if none, _ := s.WaitingSince(newest); len(none) != 0 {
		t.Errorf("got %d new waiting tasks after one was answered, want 0", len(none))
	}
}
