package model_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/model"
	"parley/session/task"
)

func TestRepliesAreTheStringsThatAMessageSuggests(t *testing.T) {
	many := make([]string, 200)
	for i := range many {
		many[i] = fmt.Sprint(i)
	}
	lots, _ := json.Marshal(map[string]any{"suggestedReplies": many})
	for _, c := range []struct {
		metadata string
		want     []string
	}{
		{``, nil},
		{`{"suggestedReplies":["London","","Lisbon"]}`, []string{"London", "Lisbon"}},
		{`{"suggestedReplies":["one",2]}`, nil},
		{`{"suggestedReplies":"one"}`, nil},
		{`{"other":[]}`, nil},
		{`[1]`, nil},
		{`{`, nil},
		{string(lots), many[:99]},
	} {
		if got := model.Replies(&a2a.Message{Metadata: json.RawMessage(c.metadata)}); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", strings.TrimSpace(c.metadata)[:min(len(c.metadata), 40)], got, c.want)
		}
	}
	if got := model.Replies(nil); got != nil {
		t.Errorf("got %q without a message, want none", got)
	}
}

func TestTheQuestionIsTheNewestThatWaits(t *testing.T) {
	asks := func(s a2a.State) *model.Task {
		return &model.Task{Lifecycle: task.Lifecycle{State: s}, Prompt: &a2a.Message{}}
	}
	first, second := asks(a2a.StateInputRequired), asks(a2a.StateInputRequired)
	answered := asks(a2a.StateInputRequired)
	answered.Answered = true
	silent := &model.Task{Lifecycle: task.Lifecycle{State: a2a.StateInputRequired}}
	for name, c := range map[string]struct {
		tasks []*model.Task
		want  *model.Task
	}{
		"none": {nil, nil}, "the newest": {[]*model.Task{first, second, asks(a2a.StateCompleted)}, second}, "an answered one": {[]*model.Task{first, answered}, first}, "one without words": {[]*model.Task{first, silent}, first},
	} {
		if got := (&model.Conversation{Tasks: c.tasks}).Question(); got != c.want {
			t.Errorf("%s: got another task than the one that asks", name)
		}
	}
}
