//go:build !unix

package bench

import (
	"os"
	"testing"
)

// peakMemory skips the benchmark: this system does not say how much memory a process had.
func peakMemory(t testing.TB, _ *os.ProcessState) float64 {
	t.Skip("the most memory that a process had is known on Unix alone")
	return 0
}
