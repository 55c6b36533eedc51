//go:build unix

package bench

import (
	"os"
	"syscall"
	"testing"
)

// peakMemory returns the most memory that a process had, in bytes.
func peakMemory(_ testing.TB, p *os.ProcessState) float64 {
	return float64(p.SysUsage().(*syscall.Rusage).Maxrss) * 1024
}
