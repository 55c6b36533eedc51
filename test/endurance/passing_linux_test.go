package endurance

import (
	"math"
	"testing"
)

// streamedMemory is how much more memory parley send --stream may use for a long stream than for a short one, in
// bytes: what the garbage collector leaves, and less than the events of the shortest long one.
const streamedMemory = 32_000_000

// Printed events are not stored: a stream that is twice as long uses no more memory. A machine that has
// no time for the garbage collector can only add to it, so the least of three runs counts.
func TestAStreamThatIsPrintedTakesTheSameAtAnyLength(t *testing.T) {
	for _, how := range []string{"text", "json"} {
		least := func(events int, enough int64) int64 {
			url := startAgent(t, events, 200, 0).url
			least := int64(math.MaxInt64)
			for run := 0; run < 3 && least > enough; run++ {
				_, taken := runSend(t, "-a", url, "--stream", "-o", how)
				least = min(least, taken)
			}
			return least
		}
		floor := least(10, 0)
		for _, events := range []int{100_000, 200_000} {
			more := least(events, floor+streamedMemory) - floor
			if more > streamedMemory {
				t.Errorf("%s: %d events took %d MB more than 10, want at most %d MB", how, events, more/1e6, int64(streamedMemory)/1e6)
			}
			t.Logf("%s: %d events took %d MB more than 10, which took %d MB", how, events, more/1e6, floor/1e6)
		}
	}
}
