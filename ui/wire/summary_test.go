package wire

import (
	"testing"
	"time"

	"parley/session/log"
	"parley/ui/styles"
)

func TestTheSummaryHasOnlyFiguresThatExist(t *testing.T) {
	g := styles.Unicode()
	one := &log.Stream{Events: 1, Head: 1, FirstByte: 70 * time.Millisecond, FirstArtifact: -1}
	two := &log.Stream{Events: 2, Head: 1, FirstByte: 70 * time.Millisecond, FirstArtifact: 90 * time.Millisecond}
	two.Gaps = log.Gaps{Count: 1, Max: 400 * time.Millisecond, After: 2}
	for _, c := range []struct {
		name string
		s    *log.Stream
		w    int
		want string
	}{
		{"no event", &log.Stream{Head: 1}, 60, ""},
		{"an event without a head", &log.Stream{Events: 1, Head: -1, FirstArtifact: -1}, 60, ""},
		{"one event has no gap", one, 60, "── ttfb 70 ms"},
		{"several events", two, 60, "── ttfb 70 ms · artifact 90 ms · gap max 400 ms"},
		{"no room for the artifact", two, 40, "── ttfb 70 ms · gap max 400 ms"},
		{"room for one figure", two, 20, "── gap max 400 ms"},
	} {
		if got := summary(c.s, &g, c.w); got != c.want || hasSummary(c.s) != (c.want != "") {
			t.Errorf("%s: got summary %q, row %v, want %q", c.name, got, hasSummary(c.s), c.want)
		}
	}
}
