package endurance

import (
	"math"
	"testing"
)

// streamedMemory is the memory that parley send --stream may use for any length, in bytes.
const streamedMemory = 64_000_000

// Printed events are not stored: a stream that is twice as long uses no more memory. A machine that has
// no time for the garbage collector can only add to it, so the least of three runs counts.
func TestAStreamThatIsPrintedTakesTheSameAtAnyLength(t *testing.T) {
	for _, args := range [][]string{{"-o", "text"}, {"-o", "json"}} {
		for _, events := range []int{100_000, 200_000} {
			url := startAgent(t, events, 200, 0).url
			least := int64(math.MaxInt64)
			for run := 0; run < 3 && least > streamedMemory; run++ {
				_, taken := runSend(t, append([]string{"-a", url, "--stream"}, args...)...)
				least = min(least, taken)
			}
			if least > streamedMemory {
				t.Errorf("%v: %d events took %d MB, want at most %d MB", args, events, least/1e6, int64(streamedMemory)/1e6)
			}
			t.Logf("%v: %d events took %d MB", args, events, least/1e6)
		}
	}
}
