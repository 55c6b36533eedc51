package cli

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// mounted mounts a file system for the test, if the user may do that.
func mounted(t *testing.T, flags uintptr, options string) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "disk")
	makeDir(t, dir)
	err := syscall.Mount("tmpfs", dir, "tmpfs", flags, options)
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EACCES) {
		t.Skip("this user may not mount file systems")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir
}

// A read-only file system stores nothing, but existing files are read.
func TestAReadOnlyFileSystemStopsNothing(t *testing.T) {
	t.Parallel()
	dir := mounted(t, 0, "size=1m")
	writeTo(t, `{"time":"2026-11-20T11:19:06Z","agent":"desk","text":"earlier"}`+"\n", dir, "parley", "history.jsonl")
	writeTo(t, "[[agent]]\nname = \"Desk\"\nref = \"http://desk\"\n", dir, "parley", "agents.toml")
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	s := opened(t, dir, workbench{})
	if w := s.warning(); s.journal != nil || !strings.HasPrefix(w, everything) || !strings.Contains(w, "read-only file system") || !strings.Contains(w, dir) {
		t.Errorf("got warning %q and a journal or not, want everything lost and the reason", w)
	}
	if entries, err := s.history.Load(); err != nil || len(entries) != 1 {
		t.Errorf("got messages %v, %v, want 1", entries, err)
	}
	if known := s.roster.Content(); len(known.Agents) != 1 {
		t.Errorf("got saved agents %+v, want 1", known)
	}
}

// A full file system has room for file names only.
func TestAFullFileSystemStopsNothing(t *testing.T) {
	t.Parallel()
	dir := mounted(t, 0, "size=64k")
	makeDir(t, dir, "parley", "sessions")
	fill, err := os.Create(filepath.Join(dir, "fill"))
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = fill.Write(make([]byte, 4096))
	}
	fill.Close()
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	s := opened(t, dir, workbench{})
	if w := s.warning(); s.journal != nil || !strings.HasPrefix(w, "The messages") && !strings.HasPrefix(w, everything) && !strings.HasPrefix(w, "The agents") || !strings.Contains(w, "no space left on device") {
		t.Errorf("got warning %q, want no space left", w)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "parley", "*", "*")); len(left) > 0 {
		t.Errorf("got files %v, want none", left)
	}
}

// A file for which there is no room leaves nothing behind, and the result is printed.
func TestAFullDiskIsNamedWhereFilesAreSaved(t *testing.T) {
	t.Parallel()
	dir := mounted(t, 0, "size=64k")
	s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) {
		q.result(w, `{"task":{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_COMPLETED"},"artifacts":[{"artifactId":"a","parts":[{"text":"`+strings.Repeat("x", 100_000)+`"}]}]}}`)
	})
	r := parley(t, "send", "-a", s.URL, "hi", "--save", dir)
	if r.code != 1 || !strings.Contains(r.err, "a.txt cannot be written: no space left on device.") || !strings.Contains(r.err, "Hint: parley task download") || !strings.Contains(r.out, "State: completed") {
		t.Errorf("got exit %d, want 1, the result and the reason\n%.300s%s", r.code, r.out, r.err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("got files %v, want none", left)
	}
}
