package interop

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"

	"parley/a2a"
	"parley/a2a/grpc"
	"parley/session/export"
	"parley/session/export/excerpt"
)

// recordings are sessions over every binding, and one that is hostile.
var recordings = []string{
	"../../session/export/testdata/booking.jsonl", "../../session/export/testdata/hostile.jsonl",
	"../../ui/testdata/grpc.jsonl", "../../ui/testdata/mesh.jsonl", "../../ui/testdata/refused.jsonl",
}

// exported returns a recording in another format.
func exported(t *testing.T, path, format string) []byte {
	t.Helper()
	s, _, err := export.Read(t.Context(), export.Source{Path: path, Formats: map[a2a.Binding]a2a.Format{a2a.BindingGRPC: grpc.NewFormat()}, Report: func(int64, int64) {}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := excerpt.Choose(s, filepath.Base(path), excerpt.Choice{})
	f, known := export.ByName(export.Formats(), format)
	if err != nil || !known {
		t.Fatalf("got %v and format %v, want both", err, known)
	}
	var b bytes.Buffer
	if err := f.Write(t.Context(), &b, p, func(int, int) {}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// The schema of HAR accepts every archive.
func TestArchivesAreValid(t *testing.T) {
	t.Parallel()
	dir := install(t, filepath.Join("readers", "har"))
	for _, path := range recordings {
		cmd := exec.Command("node", filepath.Join(dir, "validate.mjs"))
		cmd.Stdin = bytes.NewReader(exported(t, path, "har"))
		if out, err := cmd.CombinedOutput(); err != nil || !strings.HasPrefix(string(out), "valid ") {
			t.Errorf("%s: got %v, want a valid archive\n%s", path, err, out)
		}
	}
}

// The reader of the OpenTelemetry collector reads every file, and finds the parent of every span.
func TestTracesAreRead(t *testing.T) {
	t.Parallel()
	reader := build(t, filepath.Join("readers", "otlp"), ".")
	for _, path := range recordings {
		cmd := exec.Command(reader)
		cmd.Stdin = bytes.NewReader(exported(t, path, "otlp"))
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%s: got %v, want spans\n%s", path, err, out)
			continue
		}
		spans, parents := map[string]bool{}, 0
		for line := range strings.Lines(string(out)) {
			words := strings.Fields(line)
			if spans[words[0]+words[1]] {
				t.Errorf("%s: got span %s twice", path, words[1])
			}
			spans[words[0]+words[1]] = true
		}
		for line := range strings.Lines(string(out)) {
			words := strings.Fields(line)
			if parent := strings.Trim(words[2], `"`); parent != "" {
				parents++
				if !spans[words[0]+parent] {
					t.Errorf("%s: got no span %s, the parent of %s", path, parent, words[1])
				}
			}
		}
		if strings.Contains(path, "booking") && parents != 4 {
			t.Errorf("%s: got %d spans with a parent, want 4\n%s", path, parents, out)
		}
	}
}

// A player of asciicasts plays every file.
func TestCastsArePlayed(t *testing.T) {
	t.Parallel()
	player, err := exec.LookPath("asciinema")
	if err != nil {
		skipWithout(t, "asciinema is not here")
	}
	for _, path := range recordings {
		file := filepath.Join(t.TempDir(), "session.cast")
		if err := os.WriteFile(file, cast(t, path), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(player, "cat", file)
		terminal, err := pty.Start(cmd) // without one it does not play
		if err != nil {
			t.Fatal(err)
		}
		out, _ := io.ReadAll(terminal) // which ends with an error when the player does
		if err := cmd.Wait(); err != nil || !strings.Contains(string(out), "parley") {
			t.Errorf("%s: got %v, want the screen\n%.500s", path, err, out)
		}
	}
}

// cast returns a recording as an asciicast.
func cast(t *testing.T, path string) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), "out.cast")
	if out, err := exec.Command(build(t, filepath.Join("..", ".."), "."), "export", path, "-o", file).CombinedOutput(); err != nil {
		t.Fatalf("got %v, want an asciicast\n%s", err, out)
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
