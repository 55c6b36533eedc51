package main

import (
	"strings"
	"testing"
	"time"
)

// A short soak, so that the long one does not rot. Under the race detector it is the
// proof that nothing of it races.
func TestSoak(t *testing.T) {
	var out strings.Builder
	if err := run(t.Context(), &out, plan{duration: time.Second, agents: 6, rate: 20_000, journal: 1 << 24}); err != nil {
		t.Errorf("%v\n%s", err, out.String())
	}
	if !strings.Contains(out.String(), "bodies compared") {
		t.Errorf("it said:\n%s", out.String())
	}
}

func TestASlopeIsSeen(t *testing.T) {
	w := &watch{}
	for i := range 30 {
		w.samples = append(w.samples, sample{time.Duration(i) * every, uint64(50<<20 + i*(1<<20))})
	}
	if got := w.slope() / (1 << 20); got < 5.99 || got > 6.01 {
		t.Errorf("a MB in ten seconds is %.2f MB a minute", got)
	}
}
