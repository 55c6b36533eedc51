//go:build !unix

package bench

import (
	"os"
	"testing"
)

// peakMemory skips the benchmark: this system does not say how much memory a process had.
func peakMemory(t testing.TB, _ *os.ProcessState) float64 {
	t.Skip("peak memory of a process is known on Unix only")
	return 0
}
