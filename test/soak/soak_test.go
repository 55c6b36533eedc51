package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A short soak tests the program of the long one. Under the race detector it finds data races.
func TestSoak(t *testing.T) {
	var out strings.Builder
	page := filepath.Join(t.TempDir(), "page.md")
	before := "before\n<!-- measured: make soak writes what follows -->\n<!-- end of what was measured -->\nafter\n"
	if err := os.WriteFile(page, []byte(before), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run(t.Context(), &out, plan{duration: time.Second, agents: 6, rate: 20_000, journal: 1 << 24, page: page}); err != nil {
		t.Errorf("got error %v, want none\n%s", err, out.String())
	}
	if text, err := os.ReadFile(page); err != nil || !strings.Contains(string(text), "6 agents for ") || !strings.Contains(string(text), "| files left open | 0 | 0 |") {
		t.Errorf("got page %v\n%s", err, text)
	}
	if !strings.Contains(out.String(), "bodies compared") {
		t.Errorf("got no count of bodies:\n%s", out.String())
	}
}

func TestASlopeIsSeen(t *testing.T) {
	w := &watch{}
	for i := range 30 {
		w.samples = append(w.samples, sample{time.Duration(i) * every, uint64(50<<20 + i*(1<<20))})
	}
	if got := w.slope() / (1 << 20); got < 5.99 || got > 6.01 {
		t.Errorf("got %.2f MB a minute, want 6", got)
	}
}
