package model

import (
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/task"
)

func TestATaskAsksForASecret(t *testing.T) {
	for _, tt := range []struct {
		state a2a.State
		data  string
		want  bool
	}{
		{a2a.StateAuthRequired, `null`, true},
		{a2a.StateInputRequired, `{"schemes":["bearer"]}`, true},
		{a2a.StateInputRequired, `{"authentication":{"schemes":["basic"]}}`, true},
		{a2a.StateInputRequired, `{"authentication":{"schemes":{"basic":{}}}}`, true},
		{a2a.StateInputRequired, `{"schemes":[]}`, false},
		{a2a.StateInputRequired, `{"schemes":"none"}`, false},
		{a2a.StateInputRequired, `{"schemes":`, false},
		{a2a.StateInputRequired, `{"colours":{"schemes":["a"]}}`, false},
		{a2a.StateInputRequired, `{"schemes":["` + strings.Repeat("x", maxAuth) + `"]}`, false},
		{a2a.StateWorking, `{"schemes":["bearer"]}`, false},
	} {
		task := &Task{Lifecycle: task.Lifecycle{State: tt.state}, Prompt: &a2a.Message{Parts: []a2a.Part{a2a.DataPart([]byte(tt.data))}}}
		if got := task.AsksSecret(); got != tt.want {
			t.Errorf("%s with %.60s: %v", tt.state, tt.data, got)
		}
	}
	if (*Task)(nil).AsksSecret() || !(&Task{Lifecycle: task.Lifecycle{State: a2a.StateAuthRequired}}).AsksSecret() {
		t.Error("no task, or no prompt")
	}
}
