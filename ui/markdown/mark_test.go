package markdown

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Two streams at two widths alternate, so that marks of other rows come between.
func TestRowsWithAMarkInCommonAreTheSame(t *testing.T) {
	for seed := range rounds(t, 300) {
		rnd := rand.New(rand.NewPCG(uint64(seed), 5))
		streams := []*Stream{still(), still()}
		var mark Mark
		var rows []string
		for range 60 {
			s := streams[min(rnd.IntN(8), 1)]
			text := hostile(rnd)
			switch rnd.IntN(12) {
			case 0:
				s.Reset([]byte(text))
			case 1:
				s.Restyle(dark())
			case 2:
				s.Close()
			case 3, 4, 5:
				settle(s, 40)
			default:
				s.Append([]byte(text[:rnd.IntN(len(text)+1)]))
			}
			w := 40
			if rnd.IntN(10) == 0 {
				w = 25
			}
			now := s.Lines(w)
			kept := min(s.Mark().Unchanged(mark), len(rows), len(now))
			if !slices.Equal(now[:kept], rows[:kept]) {
				t.Fatalf("seed %d: got changes in %d rows that Unchanged reported, want none\n%q\n%q", seed, kept, rows, now)
			}
			rows, mark = slices.Clone(now), s.Mark()
		}
	}
}

func TestFinishedRowsKeepTheirMark(t *testing.T) {
	s := still()
	for range 500 {
		s.Append([]byte("A paragraph that ends.\n\n"))
	}
	settle(s, 40)
	all := len(s.Lines(40))
	before := s.Mark()
	s.Append([]byte("One more "))
	s.Lines(40)
	settle(s, 40)
	s.Lines(40)
	if kept := s.Mark().Unchanged(before); kept < all-5 {
		t.Errorf("got %d unchanged rows of %d, want at most 5 fewer", kept, all)
	}
}
