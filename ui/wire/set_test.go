package wire

import (
	"math/rand/v2"
	"slices"
	"testing"

	"parley/a2a"
)

func TestASetAnswersAsASortedListWould(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 40 {
		var s set
		var list []a2a.RecordID
		most := 1 + rng.IntN(20_000)
		if rng.IntN(3) == 0 {
			last := a2a.RecordID(rng.IntN(most))
			s.fill(last)
			for id := a2a.RecordID(1); id <= last; id++ {
				list = append(list, id)
			}
		}
		for range rng.IntN(3000) {
			id := a2a.RecordID(1 + rng.IntN(most))
			i, has := slices.BinarySearch(list, id)
			switch {
			case rng.IntN(3) > 0:
				if s.add(id) == has {
					t.Fatalf("add(%d) = %v, want %v", id, has, !has)
				}
				if !has {
					list = slices.Insert(list, i, id)
				}
			default:
				if s.remove(id) != has {
					t.Fatalf("remove(%d) = %v, want %v", id, !has, has)
				}
				if has {
					list = slices.Delete(list, i, i+1)
				}
			}
		}
		compare(t, &s, list, rng, most)
		other := s.clone()
		half := s.clone()
		half.intersect(&other)
		compare(t, &half, list, rng, most)
		for _, id := range list[len(list)/2:] {
			other.remove(id)
		}
		half.intersect(&other)
		compare(t, &half, list[:len(list)/2], rng, most)
		other = s.clone()
		s.clear()
		if s.len() != 0 || s.next(0) != 0 || s.at(0) != 0 {
			t.Errorf("cleared set has %d members, want 0", s.len())
		}
		s.add(1)
		compare(t, &other, list, rng, most)
	}
}

func compare(t *testing.T, s *set, list []a2a.RecordID, rng *rand.Rand, most int) {
	t.Helper()
	if got := slices.Collect(s.all()); !slices.Equal(got, list) || s.len() != len(list) {
		t.Fatalf("got %d members, want %d", len(got), len(list))
	}
	for i, id := range list {
		if got := s.at(i); got != id {
			t.Fatalf("at(%d) = %d, want %d", i, got, id)
		}
	}
	for i, id := range slices.Backward(list) {
		if got := s.at(i); got != id {
			t.Fatalf("at(%d) = %d after at(%d), want %d", i, got, i+1, id)
		}
	}
	for range 500 {
		id := a2a.RecordID(rng.IntN(most + 200))
		i, has := slices.BinarySearch(list, id)
		if s.rank(id) != i || s.has(id) != has {
			t.Fatalf("id %d: below %d, has %v; want %d, %v", id, s.rank(id), s.has(id), i, has)
		}
		var prev, next a2a.RecordID
		if i > 0 {
			prev = list[i-1]
		}
		if has {
			i++
		}
		if i < len(list) {
			next = list[i]
		}
		if s.prev(id) != prev || s.next(id) != next {
			t.Fatalf("id %d: prev %d, next %d; want %d, %d", id, s.prev(id), s.next(id), prev, next)
		}
	}
	if s.at(-1) != 0 || s.at(len(list)) != 0 {
		t.Errorf("at(-1) = %d, at(%d) = %d; want 0", s.at(-1), len(list), s.at(len(list)))
	}
}
