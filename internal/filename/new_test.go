package filename

import (
	"os"
	"parley/internal/units"
	"path/filepath"
	"strings"
	"testing"
)

func TestSavingOverwritesNothing(t *testing.T) {
	dir := t.TempDir()
	var paths []string
	for _, data := range []string{"one", "two", "three"} {
		path, err := WriteNew(dir, "record-7.json", []byte(data))
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, filepath.Base(path))
	}
	if got, want := strings.Join(paths, " "), "record-7.json record-7 (2).json record-7 (3).json"; got != want {
		t.Errorf("written to %s, want %s", got, want)
	}
	if data, _ := os.ReadFile(filepath.Join(dir, "record-7.json")); string(data) != "one" {
		t.Errorf("the first file holds %q, want one", data)
	}
	info, err := os.Stat(filepath.Join(dir, "record-7.json"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got mode %v, %v, want 0600", info.Mode(), err)
	}
	if _, err := WriteNew(filepath.Join(dir, "nowhere"), "a.json", nil); err == nil || strings.Contains(units.FileError(err), "open ") {
		t.Errorf("got error %v for a missing directory", err)
	}
}
