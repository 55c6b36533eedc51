package ui

import (
	"slices"
	"testing"

	"parley/internal/panetest"
	"parley/ui/control"
)

// The tests of panes and controllers name the keys that the workbench has.
func TestTestsNameTheKeysOfTheWorkbench(t *testing.T) {
	t.Parallel()
	m := plainModel()
	for _, id := range panetest.AllBound() {
		if got, want := panetest.Bound(id), m.keys.Key(id); !slices.Equal(got.Keys(), want.Keys()) || got.Help().Key != want.Help().Key {
			t.Errorf("%s: got keys %q shown as %s, want %q shown as %s", id, got.Keys(), got.Help().Key, want.Keys(), want.Help().Key)
		}
	}
}

// The letters about a record and a turn are those of the panes that have a cursor on one.
func TestLettersAboutARecordNeedACursorOnIt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		press []string
		on    control.Focus
		menu  bool
	}{
		{"wire", []string{"tab", "tab", "k", "c"}, control.OnWire, true},
		{"conversation", []string{"tab", "k", "k", "c"}, control.OnChat, true},
		{"agents", []string{"shift+tab", "c"}, control.OnAgents, false},
		{"text field", []string{"c"}, control.OnComposer, false},
		{"agents, a turn", []string{"shift+tab", "B", "B"}, control.OnAgents, false},
		{"wire, a turn", []string{"tab", "tab", "k", "B", "B"}, control.OnWire, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, 120, 40, Options{}, func(d *desk) {
				d.book(allBooked)
				at := d.model.cur
				d.press(c.press...)
				if got := d.model.screen.over == overMenu; got != c.menu || d.model.screen.at != c.on || d.model.cur != at {
					t.Errorf("got menu %t, focus %d and place %v, want %t, %d and %v", got, d.model.screen.at, d.model.cur, c.menu, c.on, at)
				}
			})
		})
	}
}
