//go:build unix

package e2e

import "testing"

// A user inspects a stream: while it is open, after a cut and its resumption, and chunk by
// chunk.
func TestAStreamIsToldFromItsRequestToItsEnd(t *testing.T) {
	t.Parallel()
	agent := startPausingAgent(t)
	s := parley(t, 164, 50, "--no-record", agent.URL)
	s.WaitFor(`❯ Write to me`)
	s.Keys("Enter")
	s.WaitFor(`→ SendStream`)
	s.Keys("Tab", "Tab", "s")
	s.WaitFor(`── stream \d+ .* open · `)
	s.WaitFor(`‖ silent ([2-9]|\d\d+) s`)
	agent.Release("gate")
	agent.Release("end")
	s.WaitFor(`┊ ‖ stall: silent for ([2-9]|\d\d+)`)
	s.WaitFor(`── stream \d+  ✓ completed · ended · `)
	s.WaitFor(`gap p50 .* max ([2-9]|\d\d+)`)
	s.Keys("s")
	s.WaitFor(`── \d+ pretty`)

	s.Keys("C-n")
	s.WaitFor(`→ new conversation`)
	s.Text("cut it")
	s.Keys("Enter")
	s.WaitFor(`resubscribed to`)
	s.WaitFor(`held until midnight`)
	s.Keys("Tab", "Tab", "s")
	s.WaitFor(`── stream \d+–\d+  ✓ completed · ended`)
	s.WaitFor(`╳ end · cut off`)
	s.WaitFor(`↻ cut after #\d+ · resubscribed`)
	s.Keys("k", "k")
	s.WaitFor(`▤ artifact`)
	s.Keys("y")
	s.WaitFor(`copied`)
	s.WaitForCopy(`(?s)\A── stream .*resubscribed`)
	s.Keys("Enter", "l") // the conversation has the keys
	s.WaitFor(`l next chunk`)
	s.Keys("C-c", "C-c")
	waitForExit(t, s, 0)
}
