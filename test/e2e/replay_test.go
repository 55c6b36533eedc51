//go:build unix

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// A recording of the booking is played, paused, stepped and sought, back and to its end.
func TestARecordingIsReplayed(t *testing.T) {
	t.Parallel()
	s := parley(t, 120, 40, "replay", "../../ui/testdata/booking.jsonl", "--speed", "2")
	s.WaitFor(`▸ 0:0\d\.\d / 0:07\.9  #\d+ of 130  2×`)
	s.WaitFor(`London`)
	s.Keys("Space")
	s.WaitFor(`‖ 0:0\d\.\d`)
	s.Text("g#100")
	s.Keys("Enter")
	s.WaitFor(`#100 of 130`)
	s.WaitFor(`100 records · follow`)
	s.Text(",,,")
	s.WaitFor(`#97 of 130`)
	s.WaitFor(` 97 records · follow`)
	s.Keys("G")
	s.WaitFor(`#130 of 130`)
	s.WaitFor(`Shall I look at`)
	s.Text("5")
	s.WaitGone(`Shall I look at`)
	s.Keys("Tab")
	s.Text(":end")
	s.Keys("Enter")
	s.WaitFor(`Shall I look at`)
	s.Keys("C-c", "C-c")
	waitForExit(t, s, 0)
}

// A file that grows is followed until it is removed.
func TestAGrowingRecordingIsFollowed(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "grows.jsonl")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := parley(t, 120, 40, "open", "--follow", path)
	fmt.Fprintln(f, `{"parley":"session","version":1,"created":"2026-11-20T10:00:00Z"}`)
	for id := 1; id <= 3; id++ {
		fmt.Fprintf(f, `{"id":%d,"kind":"note","time":"2026-11-20T10:00:00Z","note":{"type":"remark"}}`+"\n", id)
		s.WaitFor(fmt.Sprintf(`─ %d records?`, id))
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	s.WaitFor(`was removed`)
	s.Keys("C-c", "C-c")
	waitForExit(t, s, 0)
}
