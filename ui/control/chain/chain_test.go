package chain

import (
	"testing"
	"time"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/ui/control/controltest"
	"parley/ui/styles"
)

// The items of a session without taps cost the controller nothing.
func TestOwnItemsAreIgnoredWithoutAllocating(t *testing.T) {
	state := model.NewState()
	c := New(controltest.NewHost(state), new(styles.Styles), Options{Now: time.Now})
	it := log.Item{Record: a2a.Record{ID: 1, Exchange: 1, Kind: a2a.KindRequest, Call: &a2a.Call{Agent: 1, Op: a2a.OpStream}}}
	state.Apply(it)
	if n := testing.AllocsPerRun(100, func() { c.OnItem(&it) }); n != 0 {
		t.Errorf("got %v allocations, want none", n)
	}
	if n := c.forest.Len(); n != 0 {
		t.Errorf("got %d exchanges, want none", n)
	}
}

// An exchange that passed through a tap is in the forest.
func TestItemsOfTapsAreJoined(t *testing.T) {
	state := model.NewState()
	c := New(controltest.NewHost(state), new(styles.Styles), Options{Now: time.Now})
	call := &a2a.Call{Agent: 1, Op: a2a.OpStream, Tapped: &a2a.Tapped{Tap: "planner"}}
	it := log.Item{Record: a2a.Record{ID: 1, Exchange: 1, Kind: a2a.KindRequest, Call: call}}
	state.Apply(it)
	c.OnItem(&it)
	if n := c.forest.Node(1); n == nil || n.Tap != "planner" {
		t.Errorf("got %+v, want the exchange of the tap planner", n)
	}
}
