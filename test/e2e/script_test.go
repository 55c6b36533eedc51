//go:build unix

package e2e

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What was shown by hand is exported from the workbench as a script, which plays it again.
func TestASessionBecomesAScriptThatPlays(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := parleyIn(t, dir, 120, 40, nil, "demo", "--record", filepath.Join(dir, "trip.jsonl"))
	s.WaitFor(`▌Travel Desk`)
	s.Text("Book me a flight")
	s.Keys("Enter")
	s.WaitFor(`input required|input-required`)
	s.Text("/export " + filepath.Join(dir, "trip.parley"))
	s.Keys("Enter")
	s.WaitFunc("the script", func(string) bool {
		text, err := os.ReadFile(filepath.Join(dir, "trip.parley"))
		return err == nil && strings.Contains(string(text), "Open demo \"Travel Desk\"\nSay \"Book me a flight\"\nWait input-required\n")
	})
	s.Keys("C-c")
	s.Keys("C-c")
	waitForExit(t, s, 0)
	cmd := exec.Command(program, "demo", filepath.Join(dir, "trip.parley"), "--headless", "--fast")
	cmd.Env = append(os.Environ(), "HOME="+dir)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "Passed: 3 steps in ") {
		t.Errorf("got %v and\n%s", err, out)
	}
}

// The reader of a script's output may go before its end.
func TestAScriptWhoseReaderGoesEndsQuietly(t *testing.T) {
	t.Parallel()
	cmd := exec.Command(program, "demo", "-", "--headless")
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
	cmd.Stdin = strings.NewReader("Open demo\n" + strings.Repeat("Pause 1ms\n", 5000))
	var told strings.Builder
	cmd.Stderr = &told
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(out, make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	out.Close()
	if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() != 141 || told.Len() > 0 {
		t.Errorf("got %v and %q, want the exit status 141 and nothing on standard error", err, told.String())
	}
}
