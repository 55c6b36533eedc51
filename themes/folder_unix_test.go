//go:build unix

package themes

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestAPipeIsNotReadAsATheme(t *testing.T) {
	f := Folder{Path: t.TempDir()}
	if err := syscall.Mkfifo(filepath.Join(f.Path, "light.toml"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, mistakes, ok := f.Load("light"); !ok || got != Light() || len(mistakes) != 1 || !strings.Contains(mistakes[0], "light.toml is not used: it is not a regular file") {
		t.Errorf("got %q and %t, want the built-in theme instead of the pipe", mistakes, ok)
	}
}
