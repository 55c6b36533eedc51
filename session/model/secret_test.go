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
			t.Errorf("%s with %.60s: got %v, want %v", tt.state, tt.data, got, tt.want)
		}
	}
	if (*Task)(nil).AsksSecret() || !(&Task{Lifecycle: task.Lifecycle{State: a2a.StateAuthRequired}}).AsksSecret() {
		t.Error("got true for no task, or false for an auth-required task without a prompt")
	}
}
