package export_test

import (
	"bytes"
	"fmt"
	"html/template"
	"io"
	"os"
	"path/filepath"
	"testing"

	"parley/session/export"
	"parley/session/export/excerpt"
)

// long writes a recording with a stream of n chunks, and returns its path.
func long(t testing.TB, n int) string {
	t.Helper()
	booking, err := os.ReadFile(filepath.Join("testdata", "booking.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	const before = 10 // lines up to the first event
	var b bytes.Buffer
	for i, line := range bytes.SplitAfterN(booking, []byte("\n"), before+1) {
		if i < before {
			b.Write(line)
		}
	}
	for i := range n {
		end := ""
		if i%20 == 0 {
			end = `.\\n\\n`
		}
		fmt.Fprintf(&b, `{"id":%d,"exchange":7,"kind":"event","dir":"in","time":"2026-11-20T14:%02d:%02d.%06dZ","sse":{},"raw":"data: {\"jsonrpc\":\"2.0\",\"id\":\"c41f-1\",\"result\":{\"artifactUpdate\":{\"taskId\":\"91c2e0d4-77f1-4b7e-9a37-0c59445b3438\",\"contextId\":\"7f3a11b9-02c8-4f5e-8d7a-aa01c2b4e9d1\",\"artifact\":{\"artifactId\":\"essay\",\"parts\":[{\"text\":\"word %d of many %s\"}]},\"append\":true,\"lastChunk\":false}}}\n\n"}`+"\n",
			before+i, 10+i/30000, i/500%60, i%500*2000, i, end)
	}
	path := filepath.Join(t.TempDir(), "long.jsonl")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// BenchmarkHTML exports 100,000 records as a page: the recording is read, and the page written.
func BenchmarkHTML(b *testing.B) {
	path := long(b, 100_000)
	f, _ := export.ByName(export.Formats(), "html")
	for b.Loop() {
		s, _, err := export.Read(b.Context(), export.Source{Path: path, Report: func(int64, int64) {}})
		if err != nil {
			b.Fatal(err)
		}
		p, _ := excerpt.Choose(s, "long", excerpt.Choice{})
		if err := f.Write(b.Context(), io.Discard, p, func(int, int) {}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkHTMLFloor reads the recording, and writes its bytes escaped for a page.
func BenchmarkHTMLFloor(b *testing.B) {
	path := long(b, 100_000)
	for b.Loop() {
		text, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		template.HTMLEscape(io.Discard, text)
	}
}

// The work for a record does not grow with their number.
func TestAPageCostsTheSamePerRecord(t *testing.T) {
	f, _ := export.ByName(export.Formats(), "html")
	perRecord := func(n int) float64 {
		s, _, err := export.Read(t.Context(), export.Source{Path: long(t, n), Report: func(int64, int64) {}})
		if err != nil {
			t.Fatal(err)
		}
		p, _ := excerpt.Choose(s, "long", excerpt.Choice{})
		return testing.AllocsPerRun(1, func() { _ = f.Write(t.Context(), io.Discard, p, func(int, int) {}) }) / float64(n)
	}
	few, many := perRecord(2_000), perRecord(20_000)
	if many > 1.2*few || many > 40 {
		t.Errorf("got %.1f allocations per record of 20,000 and %.1f of 2,000, want about the same and at most 40", many, few)
	}
}
