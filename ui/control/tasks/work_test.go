package tasks

import (
	"slices"
	"testing"

	"parley/a2a"
	"parley/session/model"
	"parley/session/task"
	"parley/themes"
	"parley/ui/control/controltest"
	"parley/ui/styles"
)

// What the end of the program leaves at agents is told in a clause: tasks that work and those that wait for
// the user, but none that is over, ends with Parley or is another client's.
func TestTheEndNamesTheTasksThatAreLeft(t *testing.T) {
	t.Parallel()
	state := model.NewState()
	agent := func(id a2a.AgentID, name, ref string, tasks ...*model.Task) *model.Agent {
		a := &model.Agent{ID: id, Ref: ref, Card: &a2a.Card{Name: name}}
		conv := &model.Conversation{Agent: a, Tasks: tasks}
		for _, one := range tasks {
			one.Conversation = conv
		}
		a.Conversations = []*model.Conversation{conv}
		state.Agents = append(state.Agents, a)
		return a
	}
	is := func(id string, s a2a.State) *model.Task {
		return &model.Task{ID: id, Lifecycle: task.Lifecycle{State: s}}
	}
	answered, odd := is("e5", a2a.StateInputRequired), is("f6", a2a.StateOther)
	answered.Answered = true
	odd.Word = "\x1b[31mpondering"
	agent(1, "Desk", "http://desk.example", is("a1", a2a.StateWorking), is("b2", a2a.StateInputRequired), is("c3", a2a.StateAuthRequired), is("d4", a2a.StateCompleted), answered, odd, is("", a2a.StateWorking))
	agent(2, "\x1b]0;owned\x07Desk\nTask x of Bank", "http://desk.example?key=s3cret-of-the-user", is("g7", a2a.StateSubmitted))
	agent(3, "Scribe", "-", is("h8", a2a.StateWorking))
	agent(4, "Inside", "http://127.0.0.1:1", is("i9", a2a.StateWorking), is("j10", a2a.StateInputRequired))
	agent(5, "Of others", "http://tapped.example", is("k11", a2a.StateInputRequired)).Tap = "http://127.0.0.1:2"
	agent(6, "Closed", "http://closed.example", is("l12", a2a.StateInputRequired)).Closed = true
	c := New(controltest.NewHost(state), styles.New(themes.Mono(), styles.Unicode()), Options{EndsWithParley: func(id a2a.AgentID) bool { return id == 4 }})
	got := c.Left()
	want := []Left{
		{"Task a1 of Desk is still working", "a1", "http://desk.example"},
		{"Task b2 of Desk waits for your answer", "b2", "http://desk.example"},
		{"Task c3 of Desk waits for credentials", "c3", "http://desk.example"},
		{"Task e5 of Desk has been sent your answer", "e5", "http://desk.example"},
		{"Task f6 of Desk is still ⟨ESC⟩pondering", "f6", "http://desk.example"},
		{"Task g7 of ⟨ESC 10 B⟩Desk Task x of Bank is still submitted", "g7", ""},
		{"Task h8 of Scribe is still working", "h8", ""},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

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
