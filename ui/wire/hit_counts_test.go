package wire

import (
	"slices"
	"testing"

	"parley/a2a"
	"parley/themes"
)

// The counts of an exchange are those of the records that the filter lists, however these came.
func TestHitsAreCountedByExchange(t *testing.T) {
	f := booking()
	p := openPane(f, themes.Mono(), 100, 30)
	if p.CountHits(1, 0, 11) != 0 || p.FilterText() != "" {
		t.Error("got hits without a filter, want none")
	}
	check := func(what string) {
		t.Helper()
		ids := p.rows.log.Exchange(1)
		for from := range len(ids) {
			for to := from; to <= len(ids); to++ {
				want := 0
				for _, id := range ids[from:to] {
					if p.rows.hits.has(id) {
						want++
					}
				}
				if got := p.CountHits(1, from, to); got != want {
					t.Fatalf("%s: got %d hits from %d to %d, want %d", what, got, from, to, want)
				}
			}
		}
	}
	version := p.HitsVersion()
	p.Filter("kind:artifact")
	check("a filter")
	if p.HitsVersion() == version || p.FilterText() != "kind:artifact" {
		t.Errorf("got version %d and filter %q, want another version and the filter", p.HitsVersion(), p.FilterText())
	}
	version = p.HitsVersion()
	p.AddRecords(f.Event(5, chunk("map", "map.png", `{"text":"more"}`)))
	check("a new record")
	if p.HitsVersion() != version {
		t.Error("got another version for a hit of a known exchange, want the same")
	}
	p.Filter("zzz")
	p.rows.addHits([]a2a.RecordID{7, 3, 11, 3})
	check("hits of a job")
	if got := p.CountHits(1, 0, 99); got != 3 {
		t.Errorf("got %d hits, want 3", got)
	}
	p.Filter("")
	check("no filter")
}

func TestMarksAreSetByNumber(t *testing.T) {
	p := openPane(booking(), themes.Mono(), 100, 30)
	version := p.MarksVersion()
	p.Mark(5)
	p.Mark(2)
	p.Mark(99)
	if got := slices.Collect(p.Marks()); !slices.Equal(got, []a2a.RecordID{2, 5}) || p.MarksVersion() == version {
		t.Errorf("got marks %v with version %d, want 2 and 5 with a new one", got, p.MarksVersion())
	}
	p.Select(5)
	press(p, "m")
	if p.Marked(5) {
		t.Error("got a mark on record 5 after m, want none")
	}
}
