package ui

import (
	"strings"
	"testing"

	"parley/ui/control"
)

func TestTabCompletesTheFilterAndElsewhereGoesOn(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allBooked)
		d.press("tab", "tab", "/")
		d.sees("dir:", "direction of the bytes", "tab complete")
		if strings.Contains(d.text(), "tab pane") {
			t.Error("the footer says that tab goes to the next pane")
		}
		d.write("agent:tr")
		d.press("tab")
		d.sees(`/ agent:"Travel Desk"`)
		if d.model.screen.at != control.OnWire {
			t.Fatalf("got focus %v after tab in the filter, want the wire", d.model.screen.at)
		}
		d.press("enter", "tab")
		if d.model.screen.at == control.OnWire {
			t.Error("got focus on the wire after tab, want the next pane")
		}
	})
}

func TestTheFinderHasFilters(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.press("ctrl+p")
		d.write("wire failures")
		d.sees("there are no records yet")
		d.press("esc")
		d.book(allBooked)
		for _, c := range []struct{ find, line string }{
			{"wire this agent", `/ agent:"Travel Desk"  esc clears`}, {"wire: this task", "/ task:"}, {"wire: failures", "/ error  esc clears"},
		} {
			d.press("ctrl+p")
			d.write(c.find)
			d.press("enter")
			d.sees(c.line)
			if d.model.screen.at != control.OnWire || d.model.panes.wire.Typing() {
				t.Errorf("%s: got focus %v and typing %v, want the rows of the wire", c.find, d.model.screen.at, d.model.panes.wire.Typing())
			}
		}
		d.press("ctrl+p")
		d.write("wire: all records")
		d.press("enter")
		if d.model.panes.wire.Filtered() {
			t.Error("the filter is still set")
		}
		d.press("ctrl+p")
		d.write("filter the wire")
		d.press("enter")
		if !d.model.panes.wire.Typing() {
			t.Error("the filter line is not open")
		}
	})
}
