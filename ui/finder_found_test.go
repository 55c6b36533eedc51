package ui

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/ui/control"
)

// finds types a text into the finder and returns the names that it finds.
func (d *desk) finds(text string) (names []string) {
	d.t.Helper()
	if d.model.screen.over != overPalette {
		d.press("ctrl+p")
	}
	d.model.panes.palette.Type(text)
	d.model.touch()
	d.send(nil)
	for _, e := range d.model.panes.palette.Found() {
		names = append(names, e.Name)
	}
	return names
}

func TestARecordIsFoundByItsNumber(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(asksWhere)
		for _, text := range []string{"#22", "22"} {
			d.model.setFocus(control.OnComposer)
			if names := d.finds(text); len(names) == 0 || !strings.HasPrefix(names[0], "Record 22: ") {
				t.Fatalf("%s finds %q, want the record first", text, names)
			}
			d.sees(d.model.panes.wire.Describe(22))
			d.press("enter")
			if got := d.model.panes.wire.Selected(); got != 22 || d.model.screen.at != control.OnWire || d.model.screen.over != noOverlay {
				t.Errorf("%s: got record %d with the focus on %v, want record 22 in the wire", text, got, d.model.screen.at)
			}
			d.press("k") // the wire has the keys
			if got := d.model.panes.wire.Selected(); got >= 22 {
				t.Errorf("%s: got record %d after up, want one above 22", text, got)
			}
		}
		calls, text := len(d.engine.Calls), "#9999"
		if d.finds(text); len(d.model.panes.palette.Found()) != 1 {
			t.Errorf("%s finds %v, want what is wrong with it", text, d.model.panes.palette.Found())
		}
		d.press("enter")
		d.sees("Not possible now: the newest record of this session is #34", text)
		d.write(" hello")
		d.press("enter", "esc")
		if len(d.engine.Calls) != calls || !d.model.panes.composer.Empty() {
			t.Errorf("got calls %v and text %q, want nothing sent and nothing typed elsewhere", d.engine.Calls[calls:], d.model.panes.composer.Value())
		}
		for _, text := range []string{"#0", "#", "#-1", "#99999999999999999999", "0", "# 3"} {
			for _, name := range d.finds(text) {
				if strings.HasPrefix(name, "Record") {
					t.Errorf("%s finds %s, want no record", text, name)
				}
			}
		}
	})
}

// A record that a filter and another scope hide is shown all the same.
func TestARecordThatIsHiddenIsShown(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(asksWhere)
		d.run(d.model.records.Filter("error"))
		d.settle()
		d.finds("#3")
		d.press("enter")
		if got := d.model.panes.wire.Selected(); got != 3 {
			t.Errorf("got record %d, want 3", got)
		}
	})
}

func TestTasksAndConversationsAreFound(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(asksWhere)
		id := d.model.tasks.All()[0].ID
		for _, text := range []string{id[:4], id, "travel flight", "flight desk"} {
			if names := d.finds(text); len(names) == 0 || !strings.Contains(names[0], "Book me a flight") {
				t.Errorf("%s finds %q, want the task or its conversation", text, names)
			}
		}
		d.model.goTo(control.Place{Agent: 2})
		d.finds(id)
		d.press("enter")
		if d.model.cur != (control.Place{Agent: 1, Conversation: 1}) {
			t.Errorf("got place %v, want the task's conversation", d.model.cur)
		}
	})
}

func TestTheLongestGapIsFound(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allBooked)
		d.finds("longest gap")
		d.press("enter")
		sel := d.model.panes.wire.Selected()
		d.says("The longest gap of the ", "before record "+strconv.FormatUint(uint64(sel), 10))
		if d.model.screen.at != control.OnWire {
			t.Errorf("got the focus on %v, want the wire", d.model.screen.at)
		}
		most := func(id a2a.RecordID) (gap float64) {
			it := d.model.state.Log.At(id)
			for i := id - 1; i > 0 && it.Record.Exchange != 0; i-- {
				if before := d.model.state.Log.At(i); before.Record.Exchange == it.Record.Exchange {
					return it.Record.Time.Sub(before.Record.Time).Seconds()
				}
			}
			return 0
		}
		for id := a2a.RecordID(1); id <= a2a.RecordID(d.model.state.Log.Len()); id++ {
			if o, ok := d.model.state.Anchor(id); ok && o.Conversation == 1 && most(id) > most(sel) {
				t.Errorf("record %d came after %v s, record %d after %v s, want the longest", id, most(id), sel, most(sel))
			}
		}
	})
}

func TestTheConversationIsSearchedFromTheFinder(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(asksWhere)
		d.finds("search the conversation")
		d.press("enter")
		if d.model.screen.at != control.OnChat || !d.model.panes.chat.Typing() {
			t.Errorf("got focus %v, typing %v; want the search of the conversation", d.model.screen.at, d.model.panes.chat.Typing())
		}
	})
}

// What a command that is not possible says, and what is typed at it, stays in the finder.
func TestAnImpossibleCommandSwallowsNothing(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allFound)
		calls := len(d.engine.Calls)
		d.finds("subscribe nothing") // there is no such entry
		d.finds("edit and resend the message")
		d.press("enter")
		d.sees("Not possible now: ", "edit and resend the message")
		d.write(" of this turn")
		d.press("enter", "enter")
		d.sees("edit and resend the message of this turn")
		d.press("esc")
		if len(d.engine.Calls) != calls || !d.model.panes.composer.Empty() {
			t.Errorf("got calls %v and text %q, want nothing sent and nothing typed elsewhere", d.engine.Calls[calls:], d.model.panes.composer.Value())
		}
	})
}

func TestSettingsAreListedAndLeadToTheFile(t *testing.T) {
	t.Parallel()
	o := freshDesk()
	o.Settings.List[0] = Setting{Name: "theme", Value: "\x1b[31mred", Source: "flag"}
	bubble(t, 120, 40, o, func(d *desk) {
		d.book(allFound)
		d.write("/settings")
		d.press("enter")
		d.sees("─ settings", "Edit ~/.config/parley/config.toml", "theme: ", "built-in default")
		d.clean()
		d.write("timeo")
		d.sees("timeout: none")
		d.press("esc")
		d.finds("record-max")
		d.press("enter")
		d.sees("─ settings", "record-max: none")
	})
}

func TestTheFinderHoldsAnyTextAtAnySize(t *testing.T) {
	t.Parallel()
	items := hostile(t)
	for _, size := range []struct{ w, h int }{{20, 5}, {40, 12}, {80, 24}, {200, 60}} {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := freshDesk()
				o.Settings.List = append(o.Settings.List, Setting{Name: graffiti, Value: graffiti, Source: graffiti})
				d := newDesk(t, o)
				d.send(tea.WindowSizeMsg{Width: size.w, Height: size.h})
				d.items = items
				d.upTo(allBooked)
				d.press("ctrl+p")
				for _, text := range []string{"", "t", "book", "#30", "30", "#9999", "task", "form", "edit and resend", "setting", graffiti, strings.Repeat("x ", 500), "/"} {
					d.finds("")
					d.paste(text)
					d.clean()
					d.press("down", "pgdown")
					d.clean()
				}
				d.finds("edit and resend")
				d.press("enter")
				d.clean()
			})
		})
	}
}
