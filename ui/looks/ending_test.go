package looks

import (
	"testing"

	"parley/a2a"
	"parley/session/log"
	"parley/themes"
	"parley/ui/styles"
)

func TestEachEndingHasItsSign(t *testing.T) {
	st := styles.New(themes.Mono(), styles.ASCII())
	end := func(why a2a.EndReason) *log.Stream { return &log.Stream{End: &a2a.End{Reason: why}} }
	seen := map[styles.Glyph]bool{}
	for _, s := range []*log.Stream{{}, {Stalled: &log.Signal{}}, end(a2a.Ended), end(a2a.Cancelled), end(a2a.Cut)} {
		sign, _ := Ending(st, s)
		if seen[sign] {
			t.Errorf("got sign %q twice", st.G[sign])
		}
		seen[sign] = true
	}
}
