package page

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReplaceWritesOnePlaceAlone(t *testing.T) {
	file := filepath.Join(t.TempDir(), "page.md")
	before := "# Title\n" + begin("make bench") + "old\n" + end + "between\n" + begin("make soak") + "kept\n" + end + "after\n"
	if err := os.WriteFile(file, []byte(before), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Replace(file, "make bench", "new\n"); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Replace(before, "old\n", "new\n", 1); string(got) != want {
		t.Errorf("the file is\n%s\nwant\n%s", got, want)
	}
	if err := Replace(file, "make tea", "new\n"); err == nil {
		t.Error("a place is found that is not there")
	}
}

// The page has a place for everything that writes into it.
func TestThePageHasItsPlaces(t *testing.T) {
	text, err := os.ReadFile(filepath.FromSlash("../../../docs/performance.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"make bench", "make soak"} {
		_, rest, ok := strings.Cut(string(text), begin(command))
		if !ok || !strings.Contains(rest, end) {
			t.Errorf("there is no place for %s", command)
		}
	}
}
