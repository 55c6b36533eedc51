package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What cannot be played is refused in one sentence, before a terminal is needed.
func TestReplayRefusesWhatCannotBePlayed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	session := write("session.jsonl", `{"parley":"session","version":1,"created":"2026-11-20T14:02:07Z"}`+"\n")
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"replay"}, 2, "parley replay takes one session"},
		{[]string{"replay", session, session}, 2, "parley replay takes one session"},
		{[]string{"replay", write("empty.jsonl", "")}, 2, "cannot be opened: it is empty"},
		{[]string{"replay", write("notes.txt", "hello\n")}, 2, "cannot be opened: it is not a recorded session"},
		{[]string{"replay", dir}, 2, "cannot be opened: it is a directory"},
		{[]string{"replay", filepath.Join(dir, "none")}, 2, "There is no file"},
		{[]string{"replay", session, "--speed", "0.1"}, 2, "--speed 0.1 is out of range"},
		{[]string{"replay", session, "--speed", "NaN"}, 2, "is out of range"},
		{[]string{"replay", session, "--max-gap", "-2s"}, 2, "--max-gap -2s is negative"},
		{[]string{"replay", session}, 2, "needs a terminal"},
		{[]string{"open", "--follow"}, 2, "parley open --follow needs the file"},
		{[]string{"open", "--follow", filepath.Join(dir, "none")}, 2, "There is no file"},
		{[]string{"open", "--follow", filepath.Join(dir, "empty.jsonl")}, 2, "needs a terminal"},
	} {
		r := parley(t, c.args...)
		if r.code != c.code || r.out != "" || !strings.Contains(r.err, c.says) {
			t.Errorf("%q: got exit %d and %q, want %d and %q", c.args, r.code, r.err, c.code, c.says)
		}
	}
}
