package journal

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"parley/a2a"
)

// A file of any bytes is recognised or refused with a sentence, and a journal's beginning is
// recognised whatever follows.
func FuzzRecognize(f *testing.F) {
	head := string(appendHeader(nil, time.Unix(0, 0)))
	for _, text := range []string{"", "\n", head, head[:10], `{"id":1,"kind":"note"}` + "\n", `{"id":`, "\xff\xfe", "[]\n{}\n", `{"name":"card","skills":[]}`} {
		f.Add(text)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		for _, begin := range []string{"", head} {
			path := filepath.Join(dir, "session.jsonl")
			if err := os.WriteFile(path, []byte(begin+text), 0o600); err != nil {
				t.Fatal(err)
			}
			file, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			err = checkFormat(file)
			_ = file.Close()
			switch {
			case begin != "" && err != nil:
				t.Errorf("a session with %q behind its first line was refused: %v", text, err)
			case err == nil:
				_ = Read(openText(t, path), func(a2a.Record) error { return nil }) // must not panic
			}
		}
	})
}

func openText(t *testing.T, path string) *os.File {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}
