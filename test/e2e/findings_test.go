//go:build unix

package e2e

import (
	"strings"
	"testing"
)

// A user finds the faults of an unknown agent: a cut, an undefined state, an event after the
// end and twelve seconds of silence, each with a request to copy.
func TestWhatIsWrongIsFoundAndHandedOn(t *testing.T) {
	t.Parallel()
	s := parley(t, 160, 50, "demo", "--no-record")
	s.WaitFor(`▌Saboteur`)
	for _, prompt := range []string{"Stop for twelve seconds in the middle", "Misspell a state", "Go on after the end", "Cut the stream between two events"} {
		sendExample(s, prompt)
		s.WaitFor(`▌ ` + prompt)
		s.WaitFor(`▌` + strings.Fields(prompt)[0] + `[^│]*✓`) // in the list of conversations
	}
	s.WaitFor(`resubscribed to`)
	s.Keys("Tab", "Tab")
	for _, tc := range []struct{ rule, row, prompt string }{
		{"STRM-012", `← ▤ rest.md`, "Stop for twelve seconds in the middle"},
		{"STAT-001", `← TASK_STATE_IN_PROGRESS`, "Misspell a state"},
		{"STRM-004", `← ▤ first.md`, "Go on after the end"},
		{"STRM-006", `← end · cut off`, "Cut the stream between two events"},
	} {
		s.Keys("F")
		s.WaitFor(`─ findings ─`)
		s.Keys("/", "C-u")
		s.Text(tc.rule)
		s.WaitFor(tc.rule + ` · `)
		s.Keys("Enter", "Enter")
		s.WaitGone(`─ findings ─`)
		s.WaitFor(tc.row)
		s.Keys("c")
		s.WaitFor(`─ copy ─`)
		s.Keys("c")
		s.WaitFor(`copied`)
		s.WaitForCopy(`(?s)\Acurl .*` + tc.prompt)
	}
	s.Keys("C-c", "C-c")
	waitForExit(t, s, 0)
}
