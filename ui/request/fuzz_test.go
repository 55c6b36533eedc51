package request

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/a2a"
)

// Any text parses, the place of each problem is in the text, and a request that can be sent
// parses the same after formatting.
func FuzzText(f *testing.F) {
	f.Add("POST http://h/ HTTP/1.1\r\nA: b\r\n\r\n{\"a\": [1, \"•••1\"]}")
	f.Add("http://h/\n\n{\n")
	f.Add("\n: \n\x00\xff")
	paths, _ := filepath.Glob("../../a2a/testdata/vectors/*/*.json")
	for _, path := range paths {
		if body, err := os.ReadFile(path); err == nil && len(body) < 8<<10 {
			f.Add("POST http://h/a2a\nContent-Type: application/json\n\n" + string(body))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		lines := strings.Split(text, "\n")
		p := parse(lines)
		p.addFindings(lines, []a2a.Finding{{Offset: len(text)}, {Offset: 3, Pointer: "/a"}, {Offset: -1}})
		for _, at := range p.problems {
			if at.line >= len(lines) || at.line >= 0 && (at.col < 0 || at.col > len(lines[at.line])) {
				t.Fatalf("got a problem at %+v, want it inside %q", at, text)
			}
		}
		if p.blocked() != "" {
			return
		}
		again := parse(strings.Split(format(&p.request), "\n"))
		if again.request.URL != p.request.URL || len(again.request.Header) != len(p.request.Header) || again.blocked() != "" {
			t.Fatalf("%+v parses again as %+v, %s; want the same", p.request, again.request, again.blocked())
		}
		if !bytes.Equal(compact(again.request.Body), compact(p.request.Body)) {
			t.Fatalf("body %q parses again as %q, want the same", p.request.Body, again.request.Body)
		}
	})
}

func BenchmarkAFrameOfALargeText(b *testing.B) {
	p := newBench(b).pane
	d := draft()
	d.Request.Body = bytes.Repeat([]byte("{\"key\": \"some text that is in the way\", \"n\": 12345}\n"), 100_000)
	p.Open(d)
	p.edit.GoTo(50_000, 10)
	for b.Loop() {
		p.Lines()
	}
}
