package panetest

import (
	"os"
	"testing"
	"time"

	"github.com/dlclark/regexp2"
)

// Main runs the tests of a package that renders code, and ends the program. Chroma leaves a
// token plain if finding it takes 250 ms of real time, which happens on a busy machine; here
// that time never passes, so that the same text always looks the same.
func Main(m *testing.M) {
	regexp2.SetTimeoutCheckPeriod(24 * time.Hour) // how often its clock moves
	os.Exit(m.Run())
}
