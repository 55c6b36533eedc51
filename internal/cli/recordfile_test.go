package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session/annotation"
	"parley/session/journal"
)

// forced are command lines that record in a file, without its name.
func forced(t *testing.T) map[string][]string {
	t.Helper()
	desk := demos(t)["Travel Desk"]
	return map[string][]string{
		"send":   {"send", "-a", desk, "Hello"},
		"card":   {"card", "get", "-a", desk},
		"script": {"demo", writeScript(t, "Open demo\nSay 'Hello'\n"), "--headless"},
		"screen": {"demo", writeScript(t, "Open demo\nSay 'Hello'\n"), "--render", "--fast"},
	}
}

// Without --force a recording stays as it is; with it, a later run replaces the recording and what
// was written about its records.
func TestForceReplacesARecording(t *testing.T) {
	t.Parallel()
	for name, args := range forced(t) {
		path := filepath.Join(t.TempDir(), "run.jsonl")
		args = append(args, "--record", path)
		if r := parley(t, args...); r.code != 0 {
			t.Fatalf("%s: got exit %d\n%s%s", name, r.code, r.out, r.err)
		}
		writeTo(t, `{}`, annotation.Path(path))
		first := file(t, path)
		if r := parley(t, args...); r.code != 2 || !strings.Contains(r.err, "run.jsonl already exists and was not changed") || !strings.Contains(r.err, "--force") || file(t, path) != first {
			t.Errorf("%s: got exit %d and %s, want the file kept and --force named", name, r.code, r.err)
		}
		if r := parley(t, append(args, "--force")...); r.code != 0 || file(t, path) == first || !strings.HasPrefix(file(t, path), `{"parley":"session"`) {
			t.Errorf("%s: got exit %d and %s, want another recording", name, r.code, r.err)
		}
		if _, err := os.Stat(annotation.Path(path)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: got the annotations of the recording that is gone, want none", name)
		}
		fresh := filepath.Join(t.TempDir(), "fresh.jsonl")
		if r := parley(t, append(args[:len(args)-1:len(args)-1], fresh, "--force")...); r.code != 0 {
			t.Errorf("%s: got exit %d and %s, want --force without a file to be fine", name, r.code, r.err)
		}
	}
}

// No other file gives way: none that is no recording, no folder, and none that a Parley writes.
func TestForceReplacesNothingElse(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeTo(t, "my thesis\n", dir, "thesis.jsonl")
	writeTo(t, "", dir, "target.txt")
	held, err := journal.Create(filepath.Join(dir, "held.jsonl"), journal.Options{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	for name, args := range forced(t) {
		for path, want := range map[string]string{"thesis.jsonl": "it is not a recorded session", "held.jsonl": "a Parley records it now", ".": "director"} {
			r := parley(t, append(args, "--record", filepath.Join(dir, path), "--force")...)
			if r.code != 2 || !strings.Contains(r.err, "was not replaced: ") || !strings.Contains(r.err, want) {
				t.Errorf("%s %s: got exit %d and %s, want a refusal with %q", name, path, r.code, r.err, want)
			}
		}
		if r := parley(t, append(args, "--force")...); r.code != 2 || !strings.Contains(r.err, "--record names none") {
			t.Errorf("%s: got exit %d and %s, want --force refused without --record", name, r.code, r.err)
		}
	}
	if got := file(t, filepath.Join(dir, "thesis.jsonl")); got != "my thesis\n" {
		t.Errorf("got %q, want the file as it was", got)
	}
}
