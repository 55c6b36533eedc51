//go:build unix

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A stakeholder demonstration in three commands: a script in presenter mode, its recording again,
// and a page.
func TestADemonstrationInThreeCommands(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{100, 30}, {160, 45}} {
		dir := t.TempDir()
		file := filepath.Join(dir, "demo.jsonl")
		s := parleyIn(t, dir, size[0], size[1], nil, "demo", "stakeholder", "--fast", "--record", file)
		s.WaitFor(`The script is over: the workbench is yours`)
		s.WaitFor(`f10 end presenting`)
		s.Keys("C-c")
		s.Keys("C-c")
		waitForExit(t, s, 0)

		s = parleyIn(t, dir, size[0], size[1], nil, "open", file, "--present")
		s.WaitFor(`flight to the Moon`)
		s.WaitFor(`f10 end presenting`)
		s.Keys("q")
		waitForExit(t, s, 0)

		page := filepath.Join(dir, "demo.html")
		cmd := exec.Command(program, "export", file, "--as", "html", "--out", page)
		cmd.Env = append(os.Environ(), "HOME="+dir)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("got %v\n%s", err, out)
		}
		if text, err := os.ReadFile(page); err != nil || !strings.Contains(string(text), "Lisbon") {
			t.Errorf("got %v, want the page with the trip", err)
		}
	}
}

// A script stops for any key and goes on, is drawn at any size of the terminal, and leaves the
// workbench to the user.
func TestAScriptIsPlayedOnATerminal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := "Open demo\nCaption \"Watch this.\"\nSay \"Book me a flight\"\nWait input-required\nCaption \"It asks.\"\nPause 1m\nExpect failed\n"
	if err := os.WriteFile(filepath.Join(dir, "trip.parley"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := parleyIn(t, dir, 100, 30, nil, "demo", filepath.Join(dir, "trip.parley"), "--no-record")
	s.WaitFor(`Watch this\.`)
	s.WaitFor(`It asks\.`)
	s.Keys("x")
	s.WaitFor(`paused · space goes on · s skips the step · q ends the script`)
	s.Resize(20, 5)
	s.WaitFor(`‖ paused`)
	s.Resize(80, 24)
	s.WaitFor(`next is line 6: Pause 1m|paused · space goes on`)
	s.Keys("s")
	s.Keys("Space")
	s.WaitFor(`✕ line 7: Expected the state failed`)
	s.Text("mine")
	s.WaitFor(`❯ mine`)
	s.Keys("C-c")
	s.WaitGone(`❯ mine`)
	s.Keys("C-c")
	if screen := s.WaitFor(`^exit status 1$`); !strings.Contains(screen, "trip.parley:7:1:") {
		t.Errorf("got\n%s\nwant the line that failed", screen)
	}
}
