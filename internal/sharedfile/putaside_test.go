package sharedfile_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/sharedfile"
)

func TestDamagedFilesAreKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	for n := 1; n <= 101; n++ {
		if err := os.WriteFile(path, []byte(fmt.Sprint(n)), 0o600); err != nil {
			t.Fatal(err)
		}
		switch err := sharedfile.PutAside(path); {
		case n == 101:
			if err == nil || !strings.Contains(err.Error(), "remove some of them") {
				t.Errorf("got error %v for one too many, want what to do", err)
			}
		case err != nil:
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"x": "101", "x.broken-1": "1", "x.broken-100": "100"} {
		if b, err := os.ReadFile(filepath.Join(filepath.Dir(path), name)); err != nil || string(b) != want {
			t.Errorf("%s: got %q, %v, want %s", name, b, err, want)
		}
	}
}
