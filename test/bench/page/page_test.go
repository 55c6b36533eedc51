package page

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
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
		t.Errorf("got file\n%s\nwant\n%s", got, want)
	}
	if err := Replace(file, "make tea", "new\n"); err == nil {
		t.Error("Replace: got no error for a command without a section, want one")
	}
}

// The page has a section for every command that writes into it.
func TestThePageHasItsPlaces(t *testing.T) {
	text, err := os.ReadFile(filepath.FromSlash("../../../docs/performance.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"make bench", "make soak"} {
		_, rest, ok := strings.Cut(string(text), begin(command))
		if !ok || !strings.Contains(rest, end) {
			t.Errorf("got no section for %s in the page, want one", command)
		}
	}
}

// The tests that the page names exist.
func TestThePageNamesTestsThatExist(t *testing.T) {
	text, err := os.ReadFile(filepath.FromSlash("../../../docs/performance.md"))
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile("`(Test[A-Z]\\w+)`").FindAllSubmatch(text, -1)
	if len(names) == 0 {
		t.Error("got no names of tests in the page, want some")
	}
	var source strings.Builder
	err = filepath.WalkDir(filepath.FromSlash("../../.."), func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		code, err := os.ReadFile(path)
		source.Write(code)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if !strings.Contains(source.String(), "func "+string(name[1])+"(t *testing.T)") {
			t.Errorf("got test %s in the page, want only tests that exist", name[1])
		}
	}
}
