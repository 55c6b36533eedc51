package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestImportWritesASession(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	archive, session := filepath.Join(dir, "a.har"), filepath.Join(dir, "s.jsonl")
	if r := parley(t, "export", booked, "-o", archive); r.code != 0 {
		t.Fatalf("got exit %d\n%s", r.code, r.err)
	}
	if r := parley(t, "import", archive, "-o", session); r.code != 0 || !strings.Contains(r.err, "Saved: 26 records of 4 exchanges in ") {
		t.Fatalf("got exit %d, want 0 and what was saved\n%s", r.code, r.err)
	}
	if r := parley(t, "export", session, "--as", "md", "-o", "-"); !strings.Contains(r.out, "### itinerary.md") {
		t.Errorf("got\n%s%s\nwant the conversation", r.out, r.err)
	}
	if r := parley(t, "import", archive, "-o", session); r.code != 2 || !strings.Contains(r.err, "already exists and was not changed") {
		t.Errorf("got exit %d, want 2\n%s", r.code, r.err)
	}
	bad := filepath.Join(dir, "bad.har")
	if err := os.WriteFile(bad, []byte(`{"log":{"entries":[{}]}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, says := range map[string]string{bad: "contains no exchange of A2A", booked: "it is not an HTTP archive", filepath.Join(dir, "none"): "There is no file"} {
		if r := parley(t, "import", path, "-o", filepath.Join(dir, "new.jsonl")); r.code != 2 || !strings.Contains(r.err, says) {
			t.Errorf("%s: got exit %d, want 2 and %q\n%s", path, r.code, says, r.err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "new.jsonl")); err == nil {
		t.Error("got a file of a failed import, want none")
	}
}
