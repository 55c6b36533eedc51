package history

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

var start = time.Date(2026, 11, 20, 11, 0, 0, 0, time.UTC)

func add(t *testing.T, f *File, n int, text string) {
	t.Helper()
	if err := f.Add(Entry{Time: start.Add(time.Duration(n) * time.Second), Agent: "Desk", Text: text}); err != nil {
		t.Fatal(err)
	}
}

func texts(t *testing.T, f *File) []string {
	t.Helper()
	all, err := f.Load()
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range all {
		out = append(out, e.Text)
	}
	return out
}

func TestWhatWasWrittenIsThereInALaterRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "parley", "history.jsonl")
	f := Open(path)
	if got := texts(t, f); len(got) != 0 {
		t.Fatalf("new file: got %q, want nothing", got)
	}
	want := []string{"one", "two\nlines", "<b> & \x00\x1b[2J \u202e 안녕", `"quoted"`}
	for i, text := range want {
		add(t, f, i, text)
	}
	add(t, f, 9, "")
	if got := texts(t, Open(path)); strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("got %q, want %q", got, want)
	}
	if runtime.GOOS == "windows" {
		return
	}
	for p, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
		if info, err := os.Stat(p); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: got mode %v, %v, want %v", p, info.Mode(), err, want)
		}
	}
}

func TestAFileThatOthersCouldReadIsClosedToThem(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("this system has no such modes")
	}
	path := filepath.Join(t.TempDir(), "history.jsonl")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	add(t, Open(path), 1, "x")
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
		t.Errorf("got mode %v, want 0600", info.Mode())
	}
}

func TestItIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.jsonl")
	f := Open(path)
	long := strings.Repeat("x", maxText-10)
	for i := range 100 {
		add(t, f, i, fmt.Sprintf("%d %s", i, long))
		if info, err := os.Stat(path); err != nil || info.Size() > maxFile+maxText {
			t.Fatalf("after %d messages: got %d bytes, %v, want at most %d", i+1, info.Size(), err, maxFile+maxText)
		}
	}
	got := texts(t, f)
	if !strings.HasPrefix(got[len(got)-1], "99 ") || len(got) < 10 {
		t.Errorf("got %d messages, want the newest, at least 10", len(got))
	}
	add(t, f, 200, strings.Repeat("y", maxText+1))
	if again := texts(t, f); len(again) != len(got) {
		t.Error("got a message that is too long, want it left out")
	}
	if names, _ := filepath.Glob(path + ".*"); len(names) > 0 {
		t.Errorf("got temporary files %q, want none", names)
	}
}

func TestDamageCostsOnlyTheDamagedLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.jsonl")
	broken := `{"time":"2026-11-20T11:00:00Z","agent":"a","text":"first"}` + "\n\x00\xff\n[]\n{}\nnull\n" +
		strings.Repeat("[", 100_000) + "\n" + `{"time":"bad","text":"no"}` + "\n" + `{"time":"2026-11-20T11:00:01Z","agent":"a","te`
	if err := os.WriteFile(path, []byte(broken), 0o600); err != nil {
		t.Fatal(err)
	}
	f := Open(path)
	add(t, f, 5, "after")
	if got := strings.Join(texts(t, f), "|"); got != "first|after" {
		t.Errorf("got %q, want first and after", got)
	}
}

func TestOfAnEnormousFileTheEndIsRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.jsonl")
	if err := os.WriteFile(path, []byte(strings.Repeat("x", 5*maxFile)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f := Open(path)
	add(t, f, 1, "new")
	if got := strings.Join(texts(t, f), "|"); got != "new" {
		t.Errorf("got %.40q, want new", got)
	}
	if info, _ := os.Stat(path); info.Size() > maxFile {
		t.Errorf("got %d bytes, want at most %d", info.Size(), maxFile)
	}
}

func TestWhatIsNoFileIsNotWaitedFor(t *testing.T) {
	dir := t.TempDir()
	if err := Open(dir).Add(Entry{Text: "x"}); err == nil {
		t.Error("Add to a directory: got no error")
	}
	if _, err := Open(dir).Load(); err == nil {
		t.Error("Load of a directory: got no error")
	}
}

func TestSeveralRunsAddAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.jsonl")
	var wg sync.WaitGroup
	for run := range 8 {
		f := Open(path)
		wg.Go(func() {
			for i := range 20 {
				if err := f.Add(Entry{Time: start, Agent: "a", Text: fmt.Sprint(run, i)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if got := texts(t, Open(path)); len(got) != 160 {
		t.Errorf("got %d messages, want 160", len(got))
	}
}

func TestAnAgentKeepsItsNameInOtherLetters(t *testing.T) {
	for endpoint, want := range map[string]string{
		"http://127.0.0.1:4100/a": "Desk 127.0.0.1", "http://localhost:9": "Desk localhost", "http://[::1]:9": "Desk ::1",
		"http://①②⑦.⓪.⓪.①:4100": "Desk 127.0.0.1", "https://Bücher.example:1/": "Desk xn--bcher-kva.example:1", "card.json": "Desk",
	} {
		if got := AgentName("Desk", endpoint); got != want {
			t.Errorf("%s: got name %q, want %q", endpoint, got, want)
		}
	}
}
