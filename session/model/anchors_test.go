package model

import (
	"math/rand/v2"
	"testing"

	"parley/a2a"
)

// However often records are placed, each is found at its last place.
func TestAnchorsAreWhatWasSet(t *testing.T) {
	type placed struct {
		anchor
		offset int
	}
	rng := rand.New(rand.NewPCG(7, 11))
	for range 200 {
		var l anchors
		var want []placed
		for range 1 + rng.IntN(60) {
			switch n := len(want); {
			case n == 0 || rng.IntN(3) > 0:
				l.add()
				want = append(want, placed{})
				if rng.IntN(4) == 0 {
					continue // visible nowhere
				}
				fallthrough
			default:
				i := len(want) - 1
				if rng.IntN(3) == 0 {
					i = rng.IntN(len(want))
				}
				p := placed{anchor{turn: a2a.TurnID(rng.IntN(2) + 1), entry: int32(rng.IntN(2))}, rng.IntN(100)}
				l.set(i, p.anchor, p.offset)
				want[i] = p
			}
		}
		for i, p := range want {
			if a, offset := l.at(i); a != p.anchor || offset != p.offset {
				t.Fatalf("record %d: got place %+v %d, want %+v", i, a, offset, p)
			}
		}
		for k := 1; k < len(l.runs); k++ {
			if l.runs[k-1].first >= l.runs[k].first {
				t.Fatalf("got runs %+v, want them in ascending order", l.runs)
			}
		}
	}
}

// The chunks of an artifact are one run, also after all of them were moved to another artifact.
func TestChunksInARowShareAnAnchor(t *testing.T) {
	var l anchors
	for i := range 1000 {
		l.add()
		l.set(i, anchor{turn: 1, entry: 1}, i)
	}
	if len(l.runs) != 1 {
		t.Errorf("got %d runs, want 1", len(l.runs))
	}
	for i := range 1000 {
		l.set(i, anchor{turn: 1, entry: 2}, i)
		if len(l.runs) > 2 {
			t.Fatalf("got %d runs after %d moved records, want at most 2", len(l.runs), i+1)
		}
	}
	if len(l.runs) != 1 {
		t.Errorf("got %d runs after all records were moved, want 1", len(l.runs))
	}
}
