package looks

import (
	"testing"
	"time"

	"parley/a2a"
	"parley/session/log"
	"parley/themes"
	"parley/ui/styles"
)

func TestEachEndingHasItsSign(t *testing.T) {
	st := styles.New(themes.Mono(), styles.ASCII())
	end := func(why a2a.EndReason) *log.Stream { return &log.Stream{End: &a2a.End{Reason: why}} }
	seen := map[styles.Glyph]bool{}
	now := time.Date(2026, 11, 20, 14, 2, 0, 0, time.UTC)
	stalls := &log.Stream{Start: now.Add(-4 * time.Second), Events: 1}
	for _, s := range []*log.Stream{{Start: now, Events: 1}, stalls, end(a2a.Ended), end(a2a.Cancelled), end(a2a.Cut)} {
		sign, _ := Ending(st, s, now)
		if seen[sign] {
			t.Errorf("got sign %q twice", st.G[sign])
		}
		seen[sign] = true
	}
}
