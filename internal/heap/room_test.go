package heap

import "testing"

// A small heap may grow by the room, a large one may double, and afterwards everything is as it
// was before.
func TestASmallHeapHasRoom(t *testing.T) {
	const room = 16 << 20
	live, set := uint64(0), 70
	r := LeaveRoom(Runtime{Live: func() uint64 { return live }, Set: func(percent int) int {
		before := set
		set = percent
		return before
	}}, room)
	for _, c := range []struct {
		live    uint64
		percent int
	}{{0, 400}, {1 << 20, 400}, {8 << 20, 200}, {16 << 20, 100}, {1 << 30, 100}} {
		if live = c.live; !r.adjust() || set != c.percent {
			t.Errorf("a heap of %d bytes may grow by %d %%, want %d %%", c.live, set, c.percent)
		}
	}
	r.End()
	if r.End(); set != 70 || r.adjust() || set != 70 {
		t.Errorf("got %d %% afterwards, want 70 %% as before", set)
	}
	(*Room)(nil).End()
}
