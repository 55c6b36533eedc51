//go:build unix

package e2e

import (
	"strings"
	"testing"
)

// Filters find the four faults: from the finder, by completion, and by hand; an invalid filter
// is marked at its mistake.
func TestFiltersFindWhatWentWrong(t *testing.T) {
	t.Parallel()
	s := parley(t, 180, 50, "demo", "--no-record")
	s.WaitFor(`▌Saboteur`)
	for _, prompt := range []string{"Stop for twelve seconds in the middle", "Misspell a state", "Cut the stream between two events"} {
		sendExample(s, prompt)
		s.WaitFor(`▌` + strings.Fields(prompt)[0] + `[^│]*✓`) // in the list of conversations
	}
	find(s, "wire cut")
	s.WaitFor(`─ 1 of \d+ `)
	s.WaitFor(`← end · cut off`)
	s.WaitFor(`/ end:cut +esc clears`)
	find(s, "wire dialect")
	s.WaitFor(`/ state:other +esc clears`)
	s.WaitFor(`← TASK_STATE_IN_PROGRESS`)
	s.Keys("Escape")
	s.WaitGone(`esc clears`)
	s.Keys("a") // the scope is what it was before the filter
	s.WaitFor(`wire · agent`)
	s.Keys("/")
	s.WaitFor(`dir: +direction of the bytes`)
	s.Text("gap")
	s.WaitFor(`gap> +time since`)
	s.Keys("Tab", "Down", "Down", "Down")
	s.WaitFor(`❯ 2s`)
	s.Keys("Enter")
	s.WaitFor(`\+1[0-9](\.\d+)? s . (Sa   )?← ▤ rest.md`)
	s.Text("kind:evnt")
	s.WaitFor(`(?m)/ gap>2s kind:evnt .*\n.* \^\^\^\^ kind needs`)
	s.Keys("BSpace", "BSpace", "BSpace", "Tab", "Enter")
	s.WaitFor(`/ gap>2s kind:event +esc clears`)
	s.WaitFor(`← ▤ rest.md`)
	s.Keys("Escape")
	s.WaitGone(`esc clears`)
	s.Keys("/", "Up")
	s.WaitFor(`(?m)/ gap>2s kind:event .*\n.*\d+ of \d+ records`)
	s.Keys("Escape")
	s.WaitFor(`─ \d+ records `)
	s.Keys("C-c", "C-c")
	waitForExit(t, s, 0)
}
