package tasks

import (
	"testing"

	"parley/session/model"
)

// A few tasks are named with their agents, the rest is counted.
func TestOnlyAFewTasksAreNamed(t *testing.T) {
	conv := &model.Conversation{Agent: &model.Agent{Ref: "http://h.example"}}
	var all []*model.Task
	for _, id := range []string{"a1", "b2", "c3", "d4", "e5"} {
		all = append(all, &model.Task{ID: id, Conversation: conv})
	}
	name := conv.Agent.Name()
	for n, want := range map[int]string{
		1: "task a1 of " + name + " continues",
		2: "tasks a1 of " + name + ", b2 of " + name + " go on",
		5: "tasks a1 of " + name + ", b2 of " + name + ", c3 of " + name + ", 2 more go on",
	} {
		if got := list(all[:n], "continues", "go on"); got != want {
			t.Errorf("%d tasks: got %q, want %q", n, got, want)
		}
	}
}
