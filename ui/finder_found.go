package ui

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/ui/control"
	"parley/ui/palette"
)

// finder is what the finder finds besides commands and places.
type finder struct{ m *Model }

// mainList is the value of the list that has everything.
type mainList struct{}

// sessions reads the recorded sessions in the background. They are added to the list on the screen
// if that is still the one that has everything.
func (f finder) sessions() tea.Cmd {
	return f.m.sessions.Find(func() {
		if f.m.screen.over == overPalette && f.m.panes.palette.Shows(mainList{}) {
			f.m.panes.palette.SetEntries(f.m.entries())
			f.m.touch()
		}
	})
}

// record returns the command that shows a record by its number, such as #144 or 144. It is sure if
// the text can be nothing else.
func (f finder) record(text string) (c control.Command, sure, ok bool) {
	digits, sure := strings.CutPrefix(text, "#")
	n, err := strconv.ParseUint(digits, 10, 63)
	if err != nil || n == 0 {
		return control.Command{}, false, false
	}
	id := a2a.RecordID(n)
	newest := f.m.state.Log.Len()
	c = control.Command{Group: "record", Name: "Record " + digits}
	switch {
	case n <= uint64(newest):
		c.Name += ": " + f.m.panes.wire.Describe(id)
		c.Run = func() tea.Cmd { return f.show(id) }
	case newest == 0:
		c.Why = "there are no records yet"
	default:
		c.Why = "the newest record of this session is #" + strconv.Itoa(newest)
	}
	return c, sure, sure || c.Why == ""
}

// show selects a record in the wire, which gets the focus.
func (f finder) show(id a2a.RecordID) tea.Cmd {
	f.m.setFocus(control.OnWire)
	f.m.presses.chosen = true
	f.m.arrange()
	f.m.panes.wire.Select(id)
	f.m.touch()
	return nil
}

// typed returns the entry that uses the typed text itself: it shows a record, pins what the text says
// or opens an address.
func (f finder) typed(text string) (e palette.Entry, sure, ok bool) {
	c, sure, ok := f.record(text)
	if !ok {
		c, ok = f.m.pins.Typed(text)
		sure = ok
	}
	if !ok {
		c, sure, ok = f.m.agents.Typed(text)
	}
	return palette.Entry{Group: c.Group, Name: c.Name, Why: c.Why, Value: c}, sure, ok
}
