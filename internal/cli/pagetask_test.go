package cli

import (
	"testing"

	"parley/a2a"
)

func TestAStateIsToldInTheWordOfItsDialect(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{
		"TASK_STATE_UNSPECIFIED": "unspecified", "unspecified": "unspecified", "unknown": "unknown", "TASK_STATE_WORKING": "working",
		"input-required": "input-required", "thinking": "thinking", "": none,
	} {
		if got := stateWord(&a2a.Status{State: a2a.ParseState(word), Word: word}); got != want {
			t.Errorf("stateWord(%q): got %q, want %q", word, got, want)
		}
	}
}
