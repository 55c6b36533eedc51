package endurance

import "testing"

// streamedMemory is the memory that parley send --stream may use for any length, in bytes.
const streamedMemory = 64_000_000

// Printed events are not stored: a stream that is twice as long uses no more memory.
func TestAStreamThatIsPrintedTakesTheSameAtAnyLength(t *testing.T) {
	for _, args := range [][]string{{"-o", "text"}, {"-o", "json"}} {
		var taken [2]int64
		for i, events := range []int{100_000, 200_000} {
			url := startAgent(t, events, 200, 0).url
			_, taken[i] = runSend(t, append([]string{"-a", url, "--stream"}, args...)...)
			if taken[i] > streamedMemory {
				t.Errorf("%v: %d events took %d MB, want at most %d MB", args, events, taken[i]/1e6, int64(streamedMemory)/1e6)
			}
		}
		t.Logf("%v: %d MB and %d MB", args, taken[0]/1e6, taken[1]/1e6)
	}
}
