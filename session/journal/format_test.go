package journal

import (
	"os"
	"path/filepath"
	"strings"
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

// countingFile counts what is read.
type countingFile struct {
	*os.File
	read int
}

func (f *countingFile) ReadAt(p []byte, at int64) (n int, err error) {
	n, err = f.File.ReadAt(p, at)
	f.read += n
	return n, err
}

// A session is recognised by its first line, however long the file is, and what is none is read to a limit.
func TestASessionIsRecognisedByItsBeginning(t *testing.T) {
	t.Parallel()
	head := string(appendHeader(nil, time.Unix(0, 0)))
	for name, c := range map[string]struct {
		text  string
		most  int
		known bool
	}{
		"a session":             {head + strings.Repeat("x\n", recognizeBytes), 8 << 10, true},
		"lines of another file": {strings.Repeat("x\n", recognizeBytes), recognizeBytes, false},
		"a line without end":    {strings.Repeat("x", 2*recognizeBytes), recognizeBytes, false},
		"a giant record":        {`{"id":1,"raw":"` + strings.Repeat("x", 2*recognizeBytes), recognizeBytes, true},
	} {
		path := filepath.Join(t.TempDir(), "session.jsonl")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		f := &countingFile{File: openText(t, path)}
		if err := checkFormat(f); (err == nil) != c.known || f.read > c.most {
			t.Errorf("%s: got error %v after %d bytes, want recognised %t after at most %d", name, err, f.read, c.known, c.most)
		}
	}
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
