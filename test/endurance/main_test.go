//go:build unix

package endurance

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// program is the path of the built parley, set once by TestMain.
var program string

// kills enables the long form of the test that kills the program.
var kills = flag.Int("kills", 0, "kill the program at so many random moments, and expect of each journal that it lacks at most the last 100 ms")

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "parley-endurance-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	program = filepath.Join(dir, "parley")
	if out, err := exec.Command("go", "build", "-o", program, "parley").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// patience is how long a test waits before it fails. It measures nothing.
const patience = time.Minute

// eventually waits until ok holds; what describes the condition.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("timed out, want %s", what)
		}
	}
}
