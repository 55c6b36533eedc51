//go:build unix

package e2e

import (
	"path/filepath"
	"testing"
)

// Requested extensions change the text of the demo's Scribe, and a recording shows the same.
func TestAnExtensionThatIsChosenIsUsed(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "extensions.jsonl")
	s := parley(t, 120, 40, "demo", "--record", file)
	s.WaitFor(`▌Scribe`)
	find(s, "scribe")
	s.WaitFor(`^ Scribe  `)
	s.Keys("F2")
	s.WaitFor(`─ card`)
	s.Text("x")
	s.WaitFor(`─ extensions of `)
	s.WaitFor(`\[ \] https://press.example.com/extensions/house-style/v2`)
	s.Keys("Space")
	s.WaitFor(`\[x\] https://press.example.com/extensions/house-style/v2`)
	s.Keys("Escape")
	s.WaitGone(`─ extensions of `)
	s.Text("Hello")
	s.Keys("Enter")
	s.WaitFor(`Good day. Tides only. Shall I\?`)
	s.WaitFor(`uses 1 of 1 extension`)
	s.Keys("C-c", "C-c")
	waitForExit(t, s, 0)
	again := parley(t, 120, 40, "open", file)
	again.WaitFor(`▌Scribe`)
	find(again, "hello")
	again.WaitFor(`uses 1 of 1 extension`)
}

// An agent of an SDK refuses a message without a required extension. The line above the text
// warns of it before.
func TestARequiredExtensionOfAnSDKAgent(t *testing.T) {
	t.Parallel()
	s := parley(t, 120, 40, "--no-record", sdkAgent(t, "https://ext.example/consent/v1"))
	s.WaitFor(`the agent requires consent/v1`)
	s.Text("hello")
	s.Keys("Enter")
	s.WaitFor(`ExtensionSupportRequired`)
	s.Keys("C-c") // the refused message is back
	s.WaitGone(`❯ hello`)
	s.Text("/ext")
	s.Keys("Enter")
	s.WaitFor(`─ extensions of `)
	s.Text("R")
	s.WaitFor(`\[x\] https://ext.example/consent/v1`)
	s.Keys("Escape")
	s.WaitGone(`─ extensions of `)
	s.WaitGone(`the agent requires`)
	s.Text("hello")
	s.Keys("Enter")
	s.WaitFor(`Hello from the SDK`)
	s.Keys("C-c", "C-c")
	waitForExit(t, s, 0)
}

// The demo's Travel Desk has an extended card for its staff. Credentials bring it, and their
// removal hides it.
func TestTheExtendedCardStandsWhileOneIsLoggedIn(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "card.jsonl")
	s := parley(t, 120, 40, "demo", "--record", file)
	s.WaitFor(`▌Saboteur`)
	s.Keys("F2")
	s.WaitFor(`5 skills`)
	s.Text("e")
	s.WaitFor(`requires credentials, and none are set`)
	s.Keys("Escape")
	s.WaitGone(`─ card`)
	s.Keys("C-p")
	s.WaitFor(`─ find ─`)
	s.Text("pin header Authorization:")
	s.WaitFor(`─ credentials for `)
	s.Text("Bearer staff")
	s.WaitFor(`value +•+`)
	s.Keys("Enter")
	s.WaitFor(`has an extended card`)
	s.Keys("F2")
	s.WaitFor(`extended · 6 skills`)
	s.WaitFor(`There is a new skill: Find a seat on a full flight`)
	s.Text("d")
	s.WaitFor(`\+ +"id": "overbook"`)
	s.Keys("Escape")
	s.WaitGone(`─ card`)
	find(s, "Unpin everything")
	s.WaitFor(`uses the public|its public card again`)
	s.Keys("F2")
	s.WaitFor(`5 skills`)
	s.WaitGone(`overbook`)
	s.Keys("Escape")
	s.WaitGone(`─ card`)
	s.Keys("C-c", "C-c")
	waitForExit(t, s, 0)
}

// A token on the command line is set from the start.
func TestAnAgentOfAnSDKShowsItsExtendedCard(t *testing.T) {
	t.Parallel()
	s := parley(t, 120, 40, "--no-record", "--bearer", "somebody", sdkAgent(t))
	s.WaitFor(`^ Go SDK 2.4.0, extended +A2A 1.0 · JSON-RPC`)
	s.Text("hello")
	s.Keys("Enter")
	s.WaitFor(`Hello from the SDK`)
	s.Keys("F2")
	s.WaitFor(`The name is now "Go SDK 2.4.0, extended"`)
	s.Text("e")
	s.WaitGone(`, extended`)
	s.Keys("Escape")
	s.WaitGone(`─ card`)
	s.Keys("C-c", "C-c")
	waitForExit(t, s, 0)
}
