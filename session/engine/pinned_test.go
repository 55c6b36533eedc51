package engine

import (
	"slices"
	"testing"

	"parley/a2a"
)

func TestAPinnedHeaderTakesThePlaceOfAnother(t *testing.T) {
	t.Parallel()
	set := []a2a.HeaderPair{{Name: "x-team", Value: "a"}, {Name: "X-Other", Value: "b"}}
	got := withPins(set, []a2a.HeaderPair{{Name: "X-Team", Value: "c"}})
	want := []a2a.HeaderPair{{Name: "X-Other", Value: "b"}, {Name: "X-Team", Value: "c", Pinned: true}}
	if !slices.Equal(got, want) || set[0].Value != "a" {
		t.Errorf("got headers %+v, want %+v and the originals unchanged", got, want)
	}
}
