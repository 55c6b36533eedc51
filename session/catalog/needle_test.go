package catalog

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The byte that is looked for is one of the rarest of its text in recorded sessions, so that few
// places are compared.
func TestFewPlacesAreCompared(t *testing.T) {
	paths, err := filepath.Glob("../../ui/testdata/*.jsonl")
	if err != nil || len(paths) == 0 {
		t.Fatal("no recordings: ", err)
	}
	var all []byte
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, bytes.ToLower(text)...)
	}
	count := func(c byte) int { return bytes.Count(all, []byte{lower(c)}) }
	for _, text := range []string{"the otter sees", `"b64":"`, "quiet zebra", "London, 12", "status 404", "plan a trip"} {
		n := newNeedle(text, false)
		least := len(all)
		for i := range len(text) {
			least = min(least, count(text[i]))
		}
		if got, most := count(text[n.rare]), 2*least+len(all)/200; got > most {
			t.Errorf("%q: %q is looked for, which occurs %d times; want at most %d, as another of its bytes occurs %d times", text, text[n.rare], got, most, least)
		}
	}
}
