package ui

import (
	"os"
	"runtime/debug"
	"testing"

	"parley/internal/panetest"
)

// TestMain has the garbage collector run a quarter as often: every desk leaves a screen behind, and
// what lives is small. GOGC says something else.
func TestMain(m *testing.M) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	panetest.Main(m)
}
