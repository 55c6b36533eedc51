//go:build unix

package e2e

import (
	"strings"
	"testing"
)

// Ctrl+c asks what becomes of the task, below what came of its answer; after the user left it the
// chat goes on.
func TestAChatGoesOnAfterATaskThatTheUserLeaves(t *testing.T) {
	t.Parallel()
	agent := startPausingAgent(t)
	s := parley(t, 100, 30, "chat", agent.URL)
	s.WaitFor(`→ start a task`)
	s.Text("Write to me")
	s.Keys("Enter")
	s.WaitFor(`never late`)
	s.Keys("C-c")
	if screen := s.WaitFor(`Interrupted: task`); !strings.Contains(screen, "never late") {
		t.Errorf("got a question in place of the answer, want it below the answer:\n%s", screen)
	}
	s.Keys("Enter")
	s.WaitFor(`you left task`)
	s.WaitFor(`→ start a task in the same context`)
	s.Text("Write again")
	s.Keys("Enter")
	s.WaitFor(`(?s)Write again.*never late`)
	agent.Release("gate")
	agent.Release("end")
	s.WaitFor(`State: completed`)
}
