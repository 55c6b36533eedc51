package sharedfile_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"parley/internal/sharedfile"
)

func TestAFileIsHeldUntilItIsClosed(t *testing.T) {
	if runtime.GOOS == "plan9" {
		t.Skip("there are no such locks")
	}
	path := filepath.Join(t.TempDir(), "x")
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if err := sharedfile.Hold(file); err != nil {
		t.Fatal(err)
	}
	if !sharedfile.Held(path) {
		t.Error("got a free file, want it held")
	}
	if err := sharedfile.RemoveUnheld(path); !errors.Is(err, sharedfile.ErrBusy) {
		t.Errorf("got error %v for the removal of a held file, want %v", err, sharedfile.ErrBusy)
	}
	file.Close()
	if sharedfile.Held(path) {
		t.Error("got a held file after it was closed, want it free")
	}
	if err := sharedfile.RemoveUnheld(path); err != nil {
		t.Errorf("got error %v for the removal of a free file, want none", err)
	}
	if sharedfile.Held(path) {
		t.Error("got a held file, want none of a file that does not exist")
	}
}

// A program that the holder started does not hold the file after it.
func TestAStartedProgramDoesNotHoldTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	file, _ := os.Create(path)
	if err := sharedfile.Hold(file); err != nil {
		t.Fatal(err)
	}
	sleep := exec.Command("sleep", "60")
	if err := sleep.Start(); err != nil {
		t.Skip("there is no sleep")
	}
	defer func() { _ = sleep.Process.Kill(); _ = sleep.Wait() }()
	file.Close()
	if sharedfile.Held(path) {
		t.Error("got a held file, want it free while the started program runs")
	}
}
