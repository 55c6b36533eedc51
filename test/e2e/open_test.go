//go:build unix

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// The first records of a recording are visible while Parley reads the others.
func TestARecordingIsShownWhileItIsRead(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "slow.jsonl")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	s := parley(t, 120, 40, "open", path)
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(f, `{"parley":"session","version":1,"created":"2026-11-20T10:00:00Z"}`)
	notes := func(from, to int) {
		for id := from; id <= to; id++ {
			fmt.Fprintf(f, `{"id":%d,"kind":"note","time":"2026-11-20T10:00:00Z","note":{"type":"remark"}}`+"\n", id)
		}
	}
	notes(1, 12)
	s.WaitFor(`recording slow\.jsonl`)
	s.WaitFor(`12 records`)
	notes(13, 20_000)
	f.Close()
	s.WaitFor(`20,000 records`)
	s.Keys("C-c", "C-c")
	waitForExit(t, s, 0)
}
