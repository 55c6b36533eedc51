package a2a

import "testing"

func TestWhatATaskReceivesFollowsDialectAndState(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		state                            State
		v01, v02, v03, v03rest, v10, sam Reception
	}{
		{StateInputRequired, Expected, Expected, Expected, Expected, Expected, Expected},
		{StateAuthRequired, Unspecified, Unspecified, Unspecified, Unspecified, Unspecified, Unspecified},
		{StateSubmitted, Unspecified, Unspecified, Unspecified, Unspecified, Unspecified, Unspecified},
		{StateUnknown, Unspecified, Unspecified, Unspecified, Unspecified, Unspecified, Unspecified},
		{StateOther, Unspecified, Unspecified, Unspecified, Unspecified, Unspecified, Unspecified},
		{StateCompleted, Unspecified, Unspecified, Forbidden, Forbidden, Forbidden, Forbidden},
		{StateRejected, Unspecified, Unspecified, Forbidden, Forbidden, Forbidden, Forbidden},
		{StateCanceled, Unspecified, Unspecified, Forbidden, Forbidden, Forbidden, Forbidden},
	} {
		for name, want := range map[DialectName]Reception{V01: c.v01, V02: c.v02, V03: c.v03, V03REST: c.v03rest, V10: c.v10, SAMHTTP: c.sam} {
			d, _ := LookupDialect(name)
			if got := d.Receives(c.state); got != want {
				t.Errorf("%s, task in state %s: got reception %d, want %d", name, c.state, got, want)
			}
		}
	}
}
