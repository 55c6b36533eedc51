//go:build unix

package e2e

import (
	"strings"
	"testing"
)

// A user debugs an agent with the rows of the wire: folds, marks and searches them.
func TestRowsFoldAreMarkedAndSearched(t *testing.T) {
	t.Parallel()
	s := parley(t, 200, 60, "demo", "--no-record")
	s.WaitFor(`▌Saboteur`)
	sendExample(s, "middle of an event")
	s.WaitFor(`✓ completed`)
	s.WaitFor(`end · cut off`)
	s.WaitFor(`last stream`)
	s.Keys("Tab", "Tab", "-")
	s.WaitFor(`▸ → SendStreamingMessage  Cut .* ✕ cut off [\d.]+ m?s`)
	s.WaitFor(`▸ → SubscribeToTask · resub\S* +✓ completed [\d.]+ m?s`)
	s.WaitFunc("no row of a folded exchange", func(screen string) bool {
		return !strings.Contains(columns(screen, 110, 200), "← ▤")
	})

	s.Keys("C-f")
	s.Text("after the CUT")
	s.WaitFor(`find after the CUT +1 record`)
	s.Keys("Enter")
	s.WaitFor(`find after the CUT  1 of 1`)
	s.WaitFor(`· after the cut`) // its exchange and the run of its chunks are unfolded
	s.WaitFor(`text "after the cut`)
	s.Keys("m", "Escape", "g")
	s.WaitFor(`◆\d+ `)
	s.Keys("'")
	s.WaitFor(`text "after the cut`)
	s.Keys("C-c", "C-c")
	waitForExit(t, s, 0)
}
