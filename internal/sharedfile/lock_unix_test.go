//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package sharedfile_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"parley/internal/sharedfile"
)

// Between fork and exec, a program that is started has all open files of this one.
func TestAReleasedFileIsFreeAlthoughAProgramIsBeingStarted(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x")
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if err := sharedfile.Hold(file); err != nil {
		t.Fatal(err)
	}
	forked, err := syscall.Dup(int(file.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Close(forked) }()
	if err := sharedfile.Release(file); err != nil {
		t.Error(err)
	}
	if sharedfile.Held(path) {
		t.Error("got a held file after its release, want it free")
	}
}
