//go:build unix

package e2e

import "testing"

// One message goes to two agents. The stream of one breaks in the middle and is resumed; the other
// answers meanwhile. Both stand side by side, and at the end their differences are shown.
func TestAMessageGoesToTwoAgentsOneIsCut(t *testing.T) {
	t.Parallel()
	ferry, scribe := startScript(t, "ferry", ferryScript), demoAgent(t, "Scribe")
	s := parley(t, 200, 60, "--no-record", ferry.URL, scribe.URL)
	s.WaitFor(`▌Ferry`)
	s.WaitFor(`▌Scribe`)
	s.WaitFor(`❯ Cross the water`)
	s.Text("/fanout Hello to both")
	s.Keys("Enter")
	s.WaitFor(`send to 2 agents`)
	s.Text("s")
	s.WaitFor(`─ answers side by side ─`)
	s.WaitFor(`lighthouse`)
	s.WaitFor(`✓ (completed|answered) ·`) // Scribe
	waitForAll(s, "Ferry", "● working ·") // still streams
	ferry.Release("break")
	s.WaitFor(`↯ cut after #\d+`)
	ferry.Release("resume")
	s.WaitFor(`resumed`)
	ferry.Release("end")
	s.WaitFor(`The ferry is ashore`)
	s.WaitFor(`✓ completed · `)
	s.Text("d")
	s.WaitFor(`^.*- Ferry · 1.0 over JSON-RPC`)
	s.WaitFor(`\+ Scribe · 0.3 over JSON-RPC`)
	s.Keys("Escape")
	s.WaitFor(`─ answers side by side ─`)
	s.Keys("Right", "Enter")
	s.WaitGone(`─ answers side by side ─`)
	s.Text("/diff")
	s.Keys("Enter")
	s.WaitFor(`─ compare with ─`)
	s.Keys("Enter")
	s.WaitFor(`Both sides differ in `)
	s.Keys("Escape")
	s.WaitGone(`Both sides differ in `)
	s.Keys("C-c", "C-c")
	s.WaitFor(`^exit status 0$`)
}
