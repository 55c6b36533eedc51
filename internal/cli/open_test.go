package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestOpenRefusesWhatIsNoSession(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"empty": "", "notes.txt": "hello\n", "card.json": `{"name":"A"}`, "binary": "\x7fELF\x00\n",
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		r := parley(t, "open", path)
		if r.code != 2 || r.out != "" || !strings.Contains(r.err, path+" cannot be opened: it is ") || !strings.Contains(r.err, "no") {
			t.Errorf("%s: got exit %d, want 2 and the reason\n%s", name, r.code, r.err)
		}
	}
	if r := parley(t, "open", filepath.Join(t.TempDir(), "none")); r.code != 2 || !strings.Contains(r.err, "There is no file") {
		t.Errorf("missing file: got exit %d, want 2\n%s", r.code, r.err)
	}
}

func TestOpenWithoutAFileListsSessions(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	env := []string{"XDG_STATE_HOME=" + state}
	r := commandLine{args: []string{"open"}, env: env}.run(t)
	if r.code != 0 || r.out != "" || !strings.Contains(r.err, "no recorded sessions") {
		t.Errorf("missing folder: got exit %d and %q, want 0 and nothing\n%s", r.code, r.out, r.err)
	}
	dir := filepath.Join(state, "parley", "sessions")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	const sessions = listedSessions + 3
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for i := range sessions {
		path := filepath.Join(dir, at.Add(time.Duration(i)*time.Hour).Format("20060102-150405")+"-abc.jsonl")
		if err := os.WriteFile(path, []byte("{}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at.Add(time.Duration(i)*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "other.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r = commandLine{args: []string{"open"}, env: env}.run(t)
	lines := strings.Split(strings.TrimSpace(r.out), "\n")
	newest := at.Add((sessions - 1) * time.Hour).Format("20060102-150405")
	if r.code != 0 || len(lines) != listedSessions || !strings.Contains(lines[0], newest) || !strings.Contains(r.err, "3 older sessions") || strings.Contains(r.out, "other.txt") {
		t.Errorf("got exit %d, want 0 and the newest sessions\n%s\n%s", r.code, r.out, r.err)
	}
}
