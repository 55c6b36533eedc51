package target

import (
	"slices"
	"strings"
	"testing"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/session/model"
	"parley/session/task"
	"parley/ui/composer"
)

// What may be said to a task that is over, or about it, differs from dialect to dialect.
func TestTargetsFollowTheDialect(t *testing.T) {
	for _, c := range []struct {
		dialect              a2a.DialectName
		refer, fork, restart bool
		names                string
	}{
		{a2a.V01, false, false, true, "0.1"},
		{a2a.V02, true, true, true, "0.2"},
		{a2a.V03, true, true, false, "0.3"},
		{a2a.V10, true, true, false, "1.0"},
	} {
		a := &model.Agent{ID: 1, Profile: a2a.Profile{Dialect: c.dialect, Binding: a2a.BindingJSONRPC}, Phase: model.Ready}
		conv := &model.Conversation{ID: 1, Agent: a, ContextID: "ctx"}
		conv.Tasks = []*model.Task{{ID: "t", ContextID: "ctx", Lifecycle: task.Lifecycle{State: a2a.StateCompleted}, Conversation: conv}}
		legal := map[string]bool{}
		for _, choice := range Choices(a, conv, nil) {
			word, _, _ := strings.Cut(choice.Label, " task")
			legal[word] = choice.Why == ""
			if choice.Why != "" {
				t.Errorf("%s: got reason %q against %s, want none", c.dialect, choice.Why, choice.Label)
			}
		}
		if legal["restart"] != c.restart || legal["fork: new conversation that refers to"] != c.fork || !legal["new"] && !legal["new conversation"] {
			t.Errorf("%s: got choices %v, want restart and fork as the dialect allows", c.dialect, legal)
		}
		for _, choice := range Forbidden(conv) {
			if choice.Why != "" && !strings.Contains(choice.Why, "A2A "+c.names) {
				t.Errorf("%s: reason %q does not name the dialect", c.dialect, choice.Why)
			}
		}
		if choices := Choices(a, conv, nil); choices[0].Kind != composer.TargetNew || choices[0].Why != "" {
			t.Errorf("%s: got first choice %+v, want a new task", c.dialect, choices[0])
		}
	}
}

// Before enter the line tells what the task is doing, and what the agent may make of more.
func TestTheTargetTellsWhatTheAgentMayRefuse(t *testing.T) {
	for _, c := range []struct {
		dialect a2a.DialectName
		state   a2a.State
		word    string
		want    string // label and note, as far as they tell
	}{
		{a2a.V10, a2a.StateInputRequired, "", "reply to task t  input-required"},
		{a2a.V10, a2a.StateAuthRequired, "", "reply to task t  auth-required; some agents want it given elsewhere"},
		{a2a.V03, a2a.StateWorking, "", "add to task t  working; some accept no more until it ends"},
		{a2a.V10, a2a.StateOther, "pondering", "add to task t  pondering; some accept no more until it ends"},
		{a2a.V10, a2a.StateUnknown, "", "add to task t  unknown; it is unknown what it accepts"},
		{a2a.V02, a2a.StateCompleted, "", "restart task t  completed; many agents refuse that"},
		{a2a.V01, a2a.StateCanceled, "", "restart task t  canceled; many agents refuse that"},
		{a2a.V10, a2a.StateRejected, "", "new task in ctx ctx  "},
	} {
		a := &model.Agent{ID: 1, Profile: a2a.Profile{Dialect: c.dialect, Binding: a2a.BindingJSONRPC}, Phase: model.Ready}
		conv := &model.Conversation{ID: 1, Agent: a, ContextID: "ctx"}
		conv.Tasks = []*model.Task{{ID: "t", ContextID: "ctx", Lifecycle: task.Lifecycle{State: c.state, Word: c.word}, Conversation: conv}}
		var all []string
		for _, choice := range Choices(a, conv, nil) {
			all = append(all, choice.Label+"  "+choice.Note)
		}
		if !slices.Contains(all, c.want) {
			t.Errorf("%s %s: got %q, want %q among them", c.dialect, c.state, all, c.want)
		}
	}
}

// A task whose agent cannot tell its state is over in 0.1 and 0.2, and the places for the
// next message say so as they do of one that ended.
func TestATaskThatIsLostMayBeGoneOnWith(t *testing.T) {
	a := &model.Agent{ID: 1, Profile: a2a.Profile{Dialect: a2a.V02, Binding: a2a.BindingJSONRPC}, Phase: model.Ready}
	conv := &model.Conversation{ID: 1, Agent: a, ContextID: "ctx"}
	task := &model.Task{ID: "t", ContextID: "ctx", Lifecycle: task.Lifecycle{State: a2a.StateUnknown, Lost: true}, Conversation: conv}
	conv.Tasks = []*model.Task{task}
	labels := func() (out string) {
		for _, c := range Choices(a, conv, nil) {
			out += c.Label + "; " + c.Note + "\n"
		}
		return out
	}
	panetest.Sees(t, labels(), "restart task t; unknown; many agents refuse that", "new task that refers to task t")
	task.Lost, task.Forgotten = false, true
	if got := labels(); strings.Contains(got, "restart") || strings.Contains(got, "refers to") {
		t.Errorf("a forgotten task is offered:\n%s", got)
	}
}
