package ui

import (
	"reflect"
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/ui/terminal"
)

// Of many sizes of a terminal that is behind only the last is drawn, when it has caught up.
func TestAStoppedTerminalIsNotDrawnForEachSize(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		out := &fakeDisplay{behind: true}
		d.model.pace.out = out
		for range 3 {
			d.send(terminal.ResizedMsg{})
		}
		d.wait(time.Second)
		d.outside = nil
		out.behind = false
		d.wait(time.Second)
		asks := reflect.TypeOf(tea.RequestWindowSize()).String()
		if n := len(slices.DeleteFunc(d.outside, func(name string) bool { return name != asks })); n != 1 {
			t.Errorf("asked for the size %d times after catching up, want 1", n)
		}
	})
}

// While the terminal is behind no frame is composed; the newest is drawn when it has caught up,
// even if nothing else happens.
func TestASlowTerminalGetsTheNewestFrame(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allFound)
		d.wait(time.Minute)
		out := &fakeDisplay{behind: true}
		d.model.pace.out = out
		before := d.model.View().Content
		d.write("not to be seen yet")
		d.send(tea.WindowSizeMsg{Width: 120, Height: 40})
		d.wait(time.Second)
		if d.model.View().Content != before {
			t.Fatal("View composed a frame for a terminal that is behind")
		}
		out.behind = false
		d.wait(100 * time.Millisecond)
		d.sees("not to be seen yet")
	})
}
