package export_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"parley/a2a/lint"
	"parley/internal/golden"
	"parley/session/export"
	"parley/session/export/excerpt"
	"parley/session/export/redact"
	"parley/session/log"
	"parley/session/model"
)

// read reads a recording of testdata.
func read(t testing.TB, name string, patterns ...string) *model.State {
	t.Helper()
	p, err := redact.Compile(patterns)
	if err != nil {
		t.Fatal(err)
	}
	read, size := int64(0), int64(1)
	s, faults, err := export.Read(t.Context(), export.Source{
		Path: filepath.Join("testdata", name+".jsonl"), Redact: p, Rules: func() log.Checker { return lint.New() },
		Report: func(r, s int64) { read, size = r, s },
	})
	if err != nil || len(faults) > 0 {
		t.Fatalf("got %v and %q, want the recording", err, faults)
	}
	if read != size {
		t.Errorf("got %d of %d bytes reported, want all", read, size)
	}
	return s
}

// write writes an excerpt of a recording.
func write(t testing.TB, format, name string, s *model.State, c excerpt.Choice) string {
	t.Helper()
	f, ok := export.ByName(export.Formats(), format)
	p, err := excerpt.Choose(s, name, c)
	if !ok || err != nil {
		t.Fatalf("%s: got %v and %v, want a format and an excerpt", format, ok, err)
	}
	var b bytes.Buffer
	last, total := -1, 0
	if err := f.Write(t.Context(), &b, p, func(done, of int) {
		if done < last || done > of {
			t.Errorf("%s: got progress %d of %d after %d, want it to grow", format, done, of, last)
		}
		last, total = done, of
	}); err != nil {
		t.Fatal(err)
	}
	if last != total {
		t.Errorf("%s: got progress %d of %d at the end, want all", format, last, total)
	}
	return b.String()
}

func TestFormats(t *testing.T) {
	for _, name := range []string{"booking", "hostile"} {
		s := read(t, name)
		for _, f := range export.Formats() {
			t.Run(name+f.Ending, func(t *testing.T) {
				golden.Compare(t, name+f.Ending, write(t, f.Name, name, s, excerpt.Choice{}))
			})
		}
	}
}

// Nothing hostile controls a terminal or hides text.
func TestFormatsMakeHostileTextVisible(t *testing.T) {
	s := read(t, "hostile")
	for _, f := range export.Formats() {
		if f.Name == "jsonl" { // which contains the exact bytes, with the escapes of JSON
			continue
		}
		text := write(t, f.Name, "hostile", s, excerpt.Choice{})
		if i := strings.IndexFunc(text, func(r rune) bool {
			return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e
		}); i >= 0 || !utf8.ValidString(text) {
			t.Errorf("%s: got %q, want no character that controls or hides", f.Name, text[max(i-20, 0):min(i+20, len(text))])
		}
	}
}

func TestAnExportEndsWithItsContext(t *testing.T) {
	s := read(t, "booking")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, f := range export.Formats() {
		p, _ := excerpt.Choose(s, "booking", excerpt.Choice{})
		if err := f.Write(ctx, &bytes.Buffer{}, p, func(int, int) {}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v, want the end of the context", f.Name, err)
		}
	}
}

func TestAPartIsChosen(t *testing.T) {
	s := read(t, "booking")
	for _, c := range []struct {
		choice excerpt.Choice
		n      int
		fails  string
	}{
		{excerpt.Choice{}, 26, ""},
		{excerpt.Choice{Conversation: "2"}, 4, ""},
		{excerpt.Choice{Conversation: "7F3A11"}, 16, ""},
		{excerpt.Choice{Conversation: "what is the weather?"}, 4, ""},
		{excerpt.Choice{Conversation: "flight"}, 16, ""},
		{excerpt.Choice{Filter: "kind:event gap>2s"}, 1, ""},
		{excerpt.Choice{Filter: "gap:max"}, 1, ""},
		{excerpt.Choice{Filter: "task:91c2 kind:request"}, 2, ""},
		{excerpt.Choice{Filter: "kind:request", Conversation: "2"}, 1, ""},
		{excerpt.Choice{Filter: `agent:"Travel Desk" status:503`}, 2, ""},
		{excerpt.Choice{Conversation: "9"}, 0, "no such conversation: it has 1 (Book me a flight to London), 2 (What is the weather?)"},
		{excerpt.Choice{Conversation: "a"}, 0, "several conversations have that name: choose one by its number: 1 ("},
		{excerpt.Choice{Filter: "kind:("}, 0, "the filter is wrong: "},
	} {
		p, err := excerpt.Choose(s, "booking", c.choice)
		if c.fails != "" {
			if err == nil || !strings.Contains(err.Error(), c.fails) {
				t.Errorf("%+v: got error %v, want %q", c.choice, err, c.fails)
			}
			continue
		}
		if err != nil || p.Len() != c.n {
			t.Errorf("%+v: got %v and %d records, want %d", c.choice, err, p.Len(), c.n)
		}
	}
}

// A part of a session that is written as a session file can be read again.
func TestAPartIsASessionFile(t *testing.T) {
	s := read(t, "booking")
	for want, choice := range map[string]excerpt.Choice{"itinerary.md": {Filter: "kind:artifact"}, "Booked.": {Conversation: "1"}, "is busy": {}} {
		path := filepath.Join(t.TempDir(), "part.jsonl")
		if err := os.WriteFile(path, []byte(write(t, "jsonl", "booking", s, choice)), 0o600); err != nil {
			t.Fatal(err)
		}
		again, faults, err := export.Read(t.Context(), export.Source{Path: path, Report: func(int64, int64) {}})
		if err != nil || len(faults) > 0 {
			t.Fatalf("%+v: got %v and %q, want a session", choice, err, faults)
		}
		if a := again.Agent(1); a == nil || a.Name() != "Travel Desk" {
			t.Errorf("%+v: got agent %+v, want the Travel Desk", choice, a)
		}
		if text := write(t, "md", "part", again, excerpt.Choice{}); !strings.Contains(text, want) {
			t.Errorf("%+v: got\n%s\nwant %q", choice, text, want)
		}
	}
}

// An agent restarted under another name: every format keeps the old one above what it answered before.
func TestAnAnswerKeepsTheNameOfItsTime(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "booking.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	const restarted = `{"id":27,"exchange":27,"kind":"request","dir":"out","time":"2026-11-20T15:00:00Z","call":{"agent":1,"op":"card","endpoint":"http://127.0.0.1:4711/card.json"},"head":{"method":"GET","url":"http://127.0.0.1:4711/card.json"}}
{"id":28,"exchange":27,"kind":"body","dir":"in","time":"2026-11-20T15:00:00Z","raw":"{\"name\":\"Night\\u001b[2J Desk\",\"url\":\"http://127.0.0.1:4711/a2a\",\"protocolVersion\":\"1.0\",\"skills\":[],\"capabilities\":{}}"}
{"id":29,"exchange":27,"kind":"end","dir":"in","time":"2026-11-20T15:00:00Z","end":{"reason":"ended"}}
{"id":30,"kind":"note","time":"2026-11-20T15:00:00Z","note":{"type":"opened","attrs":{"agent":"1","ref":"http://127.0.0.1:4711","index":"0","record":"28"}}}
`
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, append(text, restarted...), 0o600); err != nil {
		t.Fatal(err)
	}
	s, faults, err := export.Read(t.Context(), export.Source{Path: path, Report: func(int64, int64) {}})
	if err != nil || len(faults) > 0 || !strings.HasPrefix(s.Agent(1).Name(), "Night") {
		t.Fatalf("got %v, %q and agent %q, want the recording of the renamed agent", err, faults, s.Agent(1).Name())
	}
	for format, old := range map[string]string{
		"md": "## Travel Desk, task", "html": `<p class="who"><b>Travel Desk</b>`, "otlp": `{"key":"a2a.agent.name","value":{"stringValue":"Travel Desk"}}`,
	} {
		got := write(t, format, "booking", s, excerpt.Choice{})
		if n, want := strings.Count(got, old), strings.Count(write(t, format, "booking", read(t, "booking"), excerpt.Choice{}), old); format != "otlp" && n != want || n == 0 {
			t.Errorf("%s: got the old name %d times, want %d", format, n, want)
		}
		if strings.Contains(got, strings.Replace(old, "Travel", "Night", 1)) {
			t.Errorf("%s: an old answer has the new name:\n%s", format, got)
		}
	}
}

// What a pattern matches is in no format, also where chunks divide it.
// What came after an answer is no part of it: not of its body in an archive, and it does not hide the end
// of its exchange.
func TestASurplusIsNoPartOfAnAnswer(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "booking.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	const surplus = `{"id":27,"exchange":23,"kind":"surplus","dir":"in","time":"2026-11-20T15:00:00Z","call":{"agent":1,"conversation":2,"turn":3,"op":"send"},"raw":"of somebody else"}` + "\n"
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, append(text, surplus...), 0o600); err != nil {
		t.Fatal(err)
	}
	s, faults, err := export.Read(t.Context(), export.Source{Path: path, Report: func(int64, int64) {}})
	if err != nil || len(faults) > 0 {
		t.Fatalf("got %v and %q, want the recording", err, faults)
	}
	before := read(t, "booking")
	if got, want := write(t, "har", "booking", s, excerpt.Choice{}), write(t, "har", "booking", before, excerpt.Choice{}); got != want {
		t.Errorf("got an archive with a surplus\n%s\nwant the one without\n%s", got, want)
	}
	part := write(t, "jsonl", "booking", s, excerpt.Choice{Filter: "kind:surplus"})
	for _, want := range []string{"of somebody else", `"exchange":7,"kind":"end"`} {
		if !strings.Contains(part, want) {
			t.Errorf("got part\n%s\nwant %q", part, want)
		}
	}
}

func TestRedactionReachesEveryFormat(t *testing.T) {
	s := read(t, "booking", `London`, `(\d{4} ){3}\d{4}`, `Departs`)
	for _, f := range export.Formats() {
		text := write(t, f.Name, "booking", s, excerpt.Choice{})
		for _, secret := range []string{"London", "4111 1111", "arts | Seats", "Flight | Dep"} {
			if strings.Contains(text, secret) {
				t.Errorf("%s: got %q, want it masked", f.Name, secret)
			}
		}
		if !strings.Contains(text, "•••") && f.Name != "curl" && f.Name != "otlp" { // variables; no contents
			t.Errorf("%s: got no mask, want one", f.Name)
		}
	}
}

func TestSaveNeverOverwritesUnasked(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.md")
	put := func(text string) func(w io.Writer) error {
		return func(w io.Writer) error { _, err := w.Write([]byte(text)); return err }
	}
	save := func(force bool, text string) error {
		write := put(text)
		return export.Save(path, force, func(w io.Writer) error { return write(w) })
	}
	if err := save(false, "one"); err != nil {
		t.Fatal(err)
	}
	if err := save(false, "two"); err == nil || !strings.Contains(err.Error(), "already exists and was not changed") {
		t.Errorf("got %v, want a refusal", err)
	}
	failure := errors.New("stopped")
	if err := export.Save(path, true, func(w io.Writer) error { _, _ = w.Write([]byte("half")); return failure }); !errors.Is(err, failure) {
		t.Errorf("got %v, want the error of the writer", err)
	}
	if got, _ := os.ReadFile(path); string(got) != "one" {
		t.Errorf("got %q, want the file as it was", got)
	}
	if err := save(true, "three"); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(path); string(got) != "three" {
		t.Errorf("got %q, want the new content", got)
	}
	if files, _ := os.ReadDir(dir); len(files) != 1 {
		t.Errorf("got %d files, want one", len(files))
	}
	for bad, says := range map[string]string{dir: "is a folder", filepath.Join(dir, "no", "x.md"): "its folder does not exist", "/dev/full": "the disk is full"} {
		if _, err := os.Stat("/dev/full"); err != nil && bad == "/dev/full" {
			continue
		}
		if err := export.Save(bad, true, func(w io.Writer) error { _, err := w.Write([]byte("x")); return err }); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: got %v, want %q", bad, err, says)
		}
	}
}
