package card

import "testing"

// Nobody approved what Parley saw first, and of a card of an older file nothing is claimed.
func TestAnApprovalSaysWhoseItIs(t *testing.T) {
	for a, want := range map[Approval][3]string{
		ByUser:       {"since you approved it on 4 Mar", "as you approved it on 4 Mar", "approved"},
		AtFirstSight: {"since Parley first saw it on 4 Mar", "as Parley first saw it on 4 Mar", "first seen"},
		"":           {"since 4 Mar", "as on 4 Mar", "approved"},
		"\x1b[31m":   {"since 4 Mar", "as on 4 Mar", "approved"},
	} {
		if got := [3]string{a.Since("4 Mar"), a.As("4 Mar"), a.Label()}; got != want {
			t.Errorf("%q: got %q, want %q", a, got, want)
		}
	}
}
