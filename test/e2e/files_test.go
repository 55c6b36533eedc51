//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The demo's map is previewed, saved and opened with the keys in the footer.
func TestThePictureOfTheDemoIsDrawnSavedAndOpened(t *testing.T) {
	t.Parallel()
	bin, dir := t.TempDir(), t.TempDir()
	opener := "#!/bin/sh\necho \"$1\" > " + filepath.Join(bin, "opened") + "\n"
	if err := os.WriteFile(filepath.Join(bin, "xdg-open"), []byte(opener), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(bin, "open"), []byte(opener), 0o700); err != nil {
		t.Fatal(err)
	}
	s := parleyIn(t, dir, 120, 40, []string{"DISPLAY=:0", "PATH=" + bin + ":" + os.Getenv("PATH")}, "demo", "--no-record")
	s.WaitFor(`▌Travel Desk`)
	sendExample(s, "Book me a flight")
	s.WaitFor(`waits for you`)
	s.WaitFor(`❯ London`)
	s.Keys("Enter")
	s.WaitFor(`❯ 10 to 17 October`)
	s.Keys("Enter")
	s.WaitFor(`✓ completed`)
	s.WaitFor(`▣   map\.png image/png`)
	s.WaitFor(`Your seat on`)
	s.Keys("Tab")
	s.WaitFor(`enter (show )?record`)
	s.Keys("k")
	s.WaitFor(`w save`)
	s.Keys("Space")
	s.WaitFor(`▀▀▀`)
	s.WaitFor(`120 by 108 pixels`)
	s.Keys("w")
	s.WaitFor(`saved map\.png, \d`)
	s.Keys("w")
	s.WaitFor(`saved map \(2\)\.png`)
	s.Keys("o")
	s.WaitFor(`opening map`)
	s.WaitFunc("the opener to be called", func(string) bool {
		got, err := os.ReadFile(filepath.Join(bin, "opened"))
		return err == nil && strings.HasPrefix(filepath.Base(string(got)), "map")
	})
	if data, err := os.ReadFile(filepath.Join(dir, "map.png")); err != nil || !strings.HasPrefix(string(data), "\x89PNG") {
		t.Errorf("got map.png with %.8q, %v, want a PNG", data, err)
	}
}

// Tables and code of the demo are drawn as such, and previewed by a key and by name.
func TestTheTablesOfTheDemoAreShownWhole(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := parleyIn(t, dir, 120, 40, nil, "demo", "--no-record")
	s.WaitFor(`▌Scribe`)
	sendExample(s, "Write a tide table and its program")
	s.WaitFor(`harbours\.json data`)
	s.WaitFor(`✓ completed`)
	s.Keys("Tab")
	s.WaitFor(`V preview`)
	s.Keys("k", "Space")
	s.WaitFor(`3  Saint-Malo     48\.65   12\.0  true`)
	s.Keys("V")
	s.WaitFor(`as table of 5 rows, harbours`)
	s.Keys("v")
	s.WaitFor(`as tree`)
	s.Keys("q")
	s.WaitFor(`─ conversation ─`)
	s.Keys("G", "V")
	s.WaitFor(`the link leads to 127\.0\.0\.1:\d+`)
	s.Keys("f")
	s.WaitFor(`almanac\.csv ─.*as table of 40 rows`)
	s.Keys("q")
	s.WaitFor(`almanac\.csv from 127\.0\.0\.1:\d+`)
	find(s, "Preview a file of this")
	s.WaitFor(`tides\.csv`)
	s.Keys("4")
	s.WaitFor(`as table of 40 rows`)
	s.Keys("G")
	s.WaitFor(`40  Cork +2026-03-08`)
	s.Keys("w")
	s.WaitFor(`saved tides\.csv`)
	if data, err := os.ReadFile(filepath.Join(dir, "tides.csv")); err != nil || strings.Count(string(data), "\n") != 41 {
		t.Errorf("got tides.csv with %d bytes, %v, want 41 lines", len(data), err)
	}
}
