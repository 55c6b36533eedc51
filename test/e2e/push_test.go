//go:build unix

package e2e

import (
	"path/filepath"
	"testing"
)

// An agent with push notifications delivers them: the task changes without a request, and the
// delivery is on the wire and in the recording.
func TestWhatAnAgentDeliversMovesItsTask(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "push.jsonl")
	s := parley(t, 160, 40, "demo", "--record", file)
	s.WaitFor(`▌Travel Desk`)
	sendExample(s, "waiting list")
	s.WaitFor(`number four on the list`)
	s.Keys("F4")
	s.WaitFor(`─ webhooks`)
	s.WaitFor(`declares push notifications`)
	s.Keys("n")
	s.WaitFor(`here +parley-`)
	s.Keys("l")
	s.WaitFor(`here +parley-`)
	s.Keys("Escape")
	s.WaitGone(`─ webhooks`)
	s.WaitFor(`delivery status wor`)
	// If the stream that follows the task was first, the row says so in place of the state.
	const completed = `delivery status( com|….*streamed)`
	s.WaitFor(completed)
	s.WaitFor(`Seat 14A, by the window`) // which only the get contained
	s.Keys("C-c", "C-c")
	waitForExit(t, s, 0)
	again := parley(t, 160, 40, "open", file)
	again.WaitFor(completed)
	again.WaitFor(`Seat 14A, by the window`)
}
