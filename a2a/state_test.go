package a2a

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestStatesInEverySpelling(t *testing.T) {
	t.Parallel()
	var file struct{ States []any }
	if err := json.Unmarshal(readVector(t, "hybrid/10-state-variants.json"), &file); err != nil {
		t.Fatal(err)
	}
	for _, v := range file.States {
		word, ok := v.(string)
		if !ok {
			word = mustJSON(t, v)
		}
		want := StateUnknown
		switch flat := strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(word)); {
		case strings.HasSuffix(flat, "completed"), word == "3":
			want = StateCompleted
		case strings.HasSuffix(flat, "inputrequired"):
			want = StateInputRequired
		case strings.HasSuffix(flat, "celed"), strings.HasSuffix(flat, "celled"):
			want = StateCanceled
		}
		if got := ParseState(word); got != want {
			t.Errorf("ParseState(%q) = %s, want %s", word, got, want)
		}
	}
	for word, want := range map[string]State{
		"": StateUnknown, "AuthRequired": StateAuthRequired, "Task_State_Rejected": StateRejected, " working ": StateWorking,
		"paused": StateOther, "9": StateOther, "0": StateUnknown, "8": StateAuthRequired, strings.Repeat("x", 1<<20): StateOther,
	} {
		if got := ParseState(word); got != want {
			t.Errorf("ParseState(%q) = %s, want %s", clip(word), got, want)
		}
	}
}

func TestWordsAreReadBack(t *testing.T) {
	t.Parallel()
	for s := StateUnknown; s < StateOther; s++ {
		for _, d := range Dialects() {
			if got := ParseState(Word(s, d)); got != s {
				t.Errorf("%s in %s: ParseState(%q) = %s", s, d, Word(s, d), got)
			}
		}
	}
	if got := Word(StateInputRequired, V10); got != "TASK_STATE_INPUT_REQUIRED" {
		t.Errorf("got word %q, want TASK_STATE_INPUT_REQUIRED", got)
	}
}

func TestRolesInEverySpelling(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]Role{
		"user": RoleUser, "ROLE_USER": RoleUser, "User": RoleUser, "role_agent": RoleAgent, "agent": RoleAgent,
		"assistant": RoleAgent, "model": RoleAgent, "": RoleUnspecified,
	} {
		if got, _ := parseRole(word); got != want {
			t.Errorf("parseRole(%q) = %s, want %s", word, got, want)
		}
	}
}
