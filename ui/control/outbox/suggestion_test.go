package outbox

import (
	"encoding/json"
	"testing"

	"parley/a2a"
	"parley/session/model"
	"parley/session/task"
)

func TestSuggestionIsWhatTheAgentSaidLast(t *testing.T) {
	says := func(reply string) *a2a.Message {
		return &a2a.Message{Metadata: json.RawMessage(`{"suggestedReplies":["` + reply + `","other"]}`)}
	}
	agent := &model.Agent{Card: &a2a.Card{Skills: []a2a.Skill{
		{Examples: []a2a.Example{{Data: json.RawMessage(`{}`)}}},
		{Examples: []a2a.Example{{Text: "first example"}}},
	}}}
	answered := func(m *a2a.Message, pending bool) *model.Turn {
		return &model.Turn{Pending: pending, Blocks: []*model.Block{{Entries: []model.Entry{{Message: m}, {Kind: model.EntryState}}}}}
	}
	asks := &model.Task{Lifecycle: task.Lifecycle{State: a2a.StateInputRequired}, Prompt: says("London")}
	forgotten := &model.Task{Lifecycle: task.Lifecycle{State: a2a.StateInputRequired, Forgotten: true}, Prompt: says("London")}
	for _, c := range []struct {
		name string
		conv *model.Conversation
		want string
	}{
		{"before the first message", nil, "first example"},
		{"a question", &model.Conversation{Turns: []*model.Turn{{}}, Tasks: []*model.Task{asks}}, "London"},
		{"a question of a task that is gone", &model.Conversation{Turns: []*model.Turn{{}}, Tasks: []*model.Task{forgotten}}, ""},
		{"an offer at the end", &model.Conversation{Turns: []*model.Turn{answered(says("Weather"), false)}}, "Weather"},
		{"an offer while more is to come", &model.Conversation{Turns: []*model.Turn{answered(says("Weather"), true)}}, ""},
		{"no metadata", &model.Conversation{Turns: []*model.Turn{answered(&a2a.Message{}, false)}}, ""},
		{"odd metadata", &model.Conversation{Turns: []*model.Turn{answered(&a2a.Message{Metadata: json.RawMessage(`{"suggestedReplies":7}`)}, false)}}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := new(suggestion).next(agent, c.conv); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestASuggestionIsReadOnce(t *testing.T) {
	var r suggestion
	one, other := &a2a.Message{Metadata: json.RawMessage(`{"suggestedReplies":["one"]}`)}, &a2a.Message{Metadata: json.RawMessage(`{"suggestedReplies":["two"]}`)}
	for _, c := range []struct {
		of   *a2a.Message
		want string
	}{{one, "one"}, {one, "one"}, {other, "two"}, {other, "two"}, {nil, ""}, {nil, ""}, {one, "one"}} {
		if got := r.read(c.of); got != c.want {
			t.Errorf("%v suggests %q, want %q", c.of, got, c.want)
		}
	}
	if r.reads != 4 {
		t.Errorf("the metadata was read %d times, want 4", r.reads)
	}
}
