package ui

import (
	"slices"
	"strings"
	"testing"

	"charm.land/bubbles/v2/key"

	"parley/internal/config"
	"parley/ui/control"
)

// One key goes to the text field from every pane and every sheet.
func TestAKeyGoesToTheTextFieldFromEverywhere(t *testing.T) {
	t.Parallel()
	for _, s := range spots {
		if s.o.Name != "" {
			continue // a recording has no text field
		}
		bubble(t, 120, 40, s.o, func(d *desk) {
			s.play(d)
			draft := d.model.panes.composer.Value()
			d.press("ctrl+l")
			if m := d.model; m.screen.over != noOverlay || m.screen.at != control.OnComposer || m.panes.composer.Value() != draft {
				t.Errorf("%s: got overlay %q, focus %d and draft %q, want the text field with %q", s.name, m.screen.over, m.screen.at, m.panes.composer.Value(), draft)
			}
		})
	}
	for name, keys := range map[string][]string{
		"conversation": {"tab"}, "wire": {"tab", "tab"}, "agents": {"shift+tab"}, "findings": {"tab", "F"}, "card": {"f2"}, "stream": {"tab", "tab", "s", "d", "j"},
	} {
		bubble(t, 120, 40, Options{}, func(d *desk) {
			d.book(allBooked)
			d.press(keys...)
			d.press("i")
			d.write("hi")
			if d.model.screen.over != noOverlay || d.model.panes.composer.Value() != "hi" {
				t.Errorf("%s: got text %q after i, want hi\n%s", name, d.model.panes.composer.Value(), d.text())
			}
		})
	}
	bubble(t, 120, 40, Options{}, func(d *desk) { // where i is another key, it stays that
		d.tasked()
		d.press("f3", "i")
		if d.model.screen.over == noOverlay {
			t.Error("i closed the tasks, want that it gets a task by its id")
		}
	})
}

// Letters that are meant as text run no command that sends, cancels or opens an editor, unless
// the user chose the pane.
func TestLettersTypedTooEarlyDoNothing(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"edit this please", "!xkrc", "Ed, Bob"} {
		bubble(t, 120, 40, Options{}, func(d *desk) {
			d.book(midStream)
			d.press("tab", "tab", "d", "esc") // the text field does not have the focus yet
			calls := len(d.engine.Calls)
			d.press(string(text[0]))
			if d.model.screen.over != noOverlay || len(d.engine.Calls) != calls {
				t.Errorf("%q: got overlay %q and calls %q, want none", text, d.model.screen.over, d.engine.Calls[calls:])
			}
		})
	}
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allBooked)
		d.press("tab", "tab", "k", "k", "d", "esc", "e")
		d.says("press e again to edit and resend request; i writes a message")
		d.press("k", "e")
		d.sees("press e again")
		d.press("e")
		if d.model.screen.over == noOverlay {
			t.Error("a second press opened nothing, want the request")
		}
	})
	bubble(t, 120, 40, Options{}, func(d *desk) { // who kept a filter works in the wire
		d.book(allBooked)
		d.press("tab", "tab", "d", "esc", "/", "k", "enter", "e")
		if d.model.screen.over == noOverlay {
			t.Error("e opened nothing after a filter was kept, want the request")
		}
	})
	bubble(t, 120, 40, Options{}, func(d *desk) { // where the user went on purpose, one press is enough
		d.book(allBooked)
		d.press("tab", "tab", "e")
		if d.model.screen.over == noOverlay {
			t.Error("e opened nothing in a pane that was chosen, want the request")
		}
	})
}

func TestAnExampleIsWrittenAndSentByASecondKey(t *testing.T) {
	t.Parallel()
	for _, keys := range [][]string{{"alt+1"}, {"tab", "1"}, {"ctrl+o", "1"}} {
		bubble(t, 120, 40, Options{}, func(d *desk) {
			d.book(allFound)
			calls := len(d.engine.Calls)
			d.press(keys...)
			text := d.model.panes.composer.Value()
			if text == "" || len(d.engine.Calls) != calls || d.model.screen.at != control.OnComposer {
				t.Fatalf("%q: got text %q and calls %q, want an example and no call", keys, text, d.engine.Calls[calls:])
			}
			d.press("enter")
			if last := d.engine.Calls[len(d.engine.Calls)-1]; !strings.HasPrefix(last, "send ") {
				t.Errorf("%q: got last call %q, want the message sent", keys, last)
			}
		})
	}
}

// The card and the finder write an example into the text field of a new conversation, as the
// greeting does.
func TestExamplesOfCardAndFinderAreWrittenFirst(t *testing.T) {
	t.Parallel()
	for name, keys := range map[string][]string{
		"digit in the card": {"f2", "2"}, "enter in the card": {"f2", "n", "n", "enter"}, "finder": {"ctrl+p"},
	} {
		bubble(t, 120, 40, Options{}, func(d *desk) {
			d.book(allBooked)
			d.write("half a thought")
			was, calls := d.model.cur, len(d.engine.Calls)
			d.press(keys...)
			if name == "finder" {
				d.write("Book me a flight to Lisbon")
				d.sees("prompt ")
				d.press("down", "enter")
			}
			m := d.model
			if m.panes.composer.Value() != "Book me a flight to Lisbon" || len(d.engine.Calls) != calls || m.screen.over != noOverlay || m.screen.at != control.OnComposer || m.cur.Conversation != 0 {
				t.Fatalf("%s: got text %q, calls %q, overlay %q and place %v, want the example in a new conversation and no call\n%s",
					name, m.panes.composer.Value(), d.engine.Calls[calls:], m.screen.over, m.cur, d.text())
			}
			d.press("enter")
			if last := d.engine.Calls[len(d.engine.Calls)-1]; !strings.HasPrefix(last, "send ") {
				t.Errorf("%s: got last call %q, want the message sent", name, last)
			}
			m.goTo(was)
			if got := m.panes.composer.Value(); got != "half a thought" {
				t.Errorf("%s: got draft %q in the conversation that was left, want half a thought", name, got)
			}
		})
	}
}

// Every key with alt has an equal without it, for terminals that send no alt.
func TestAPrefixStandsForAlt(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allFound)
		d.press("ctrl+o")
		d.sees("t choose theme", "esc cancel")
		d.press("t")
		d.sees("─ themes ─")
		d.press("esc")
		d.write("one")
		d.press("ctrl+o", "enter")
		d.write("two")
		if got := d.model.panes.composer.Value(); got != "one\ntwo" {
			t.Errorf("got text %q, want two lines", got)
		}
		d.press("ctrl+o", "esc", "x")
		if got := d.model.panes.composer.Value(); got != "one\ntwox" {
			t.Errorf("got text %q, want that esc cancels the prefix", got)
		}
		d.press("f7")
		d.sees("─ find")
	})
}

func TestKeysCanBeRemapped(t *testing.T) {
	t.Parallel()
	o := Options{Keys: []config.Keys{
		{Action: "everywhere.find-anything", Press: []string{"f12"}},
		{Action: "wire.mark-record", Press: []string{"b"}},
		{Action: "findings.mute-rule", Press: []string{"u"}},
		{Action: "record.inject-faults", Press: []string{"X"}},
		{Action: "wire.mark-recrd", Press: []string{"x"}, Place: "config.toml:5"},
		{Action: "nowhere.mark", Press: []string{"x"}, Place: "config.toml:6"},
		{Action: "wire.fold-exchange", Press: []string{"z"}, Place: "config.toml:7"},
	}}
	bubble(t, 200, 60, o, func(d *desk) {
		text := strings.Join(d.model.opts.Warnings, "\n")
		for _, want := range []string{"config.toml:5: there is no action keys.wire.mark-recrd", "config.toml:6: there is no action keys.nowhere.mark", `config.toml:7: "z" for keys.wire.fold-exchange is the key of keys.outside.zoom-pane already; space stays its key.`} {
			if !strings.Contains(text, want) {
				t.Errorf("got warnings %q, want %q", text, want)
			}
		}
		if len(d.model.opts.Warnings) != 3 {
			t.Errorf("got warnings %q, want three", d.model.opts.Warnings)
		}
		d.book(midStream)
		d.press("ctrl+p")
		if d.model.screen.over != noOverlay {
			t.Error("ctrl+p opened the finder, want f12 alone")
		}
		d.press("f12")
		d.sees("─ find")
		d.press("esc", "tab", "tab", "X")
		d.sees("cut now")
		d.press("esc")
		if !slices.ContainsFunc(d.model.panes.wire.FullHelp()[0], func(b key.Binding) bool { return b.Help().Key == "b" }) {
			t.Error("the keys of the wire lack b")
		}
	})
}
