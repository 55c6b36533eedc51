package ui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"parley/a2a"
	"parley/session/log"
	"parley/ui/control"
)

// A notice stands in the border of the panes: neither the keys of the footer nor the text field
// are hidden, whatever its length.
func TestANoticeHidesNeitherKeysNorText(t *testing.T) {
	t.Parallel()
	for _, size := range []struct{ w, h int }{{20, 5}, {40, 12}, {80, 24}, {120, 40}, {200, 60}} {
		for _, words := range []int{1, 8, 30, 200} {
			t.Run(fmt.Sprintf("%dx%d, %d words", size.w, size.h, words), func(t *testing.T) {
				bubble(t, size.w, size.h, Options{}, func(d *desk) {
					d.book(asksWhere)
					d.write("Paris")
					before := d.rows()
					d.run(d.model.say("started"+strings.Repeat(" word", words), true))
					d.settle()
					d.draw()
					rows := d.rows()
					if last := len(rows) - 1; d.model.screen.layout.Footer.H > 0 && rows[last] != before[last] {
						t.Errorf("got footer %q, want %q", rows[last], before[last])
					}
					if size.h > 6 {
						d.sees("Paris", "started")
					}
				})
			})
		}
	}
}

func TestANoticeSaysWhatWasCopied(t *testing.T) {
	t.Parallel()
	for what, want := range map[string]string{"record 13": "copied 303 B of record 13", "the id of the task": "copied the id of the task, 303 B", "all findings": "copied all findings, 303 B", "": "copied 303 B"} {
		if got := copied(303, what); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allBooked)
		d.press("tab", "tab", "y")
		d.sees(" of record ")
	})
}

// A notice about something that goes on ends with it, not with time.
func TestANoticeEndsWithWhatItTellsOf(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allFound)
		at := control.Place{Agent: 1, Conversation: 50}
		d.tells(at, "older", "WORKING", "")
		d.model.goTo(at)
		d.press("ctrl+x")
		d.sees("asked Travel Desk to cancel task older")
		turn := d.model.conversation().Turns[0].ID
		d.unanswered(at, a2a.OpCancel, turn, "older")
		d.sees("asked Travel Desk to cancel")
		request := a2a.RecordID(d.model.state.Log.Len())
		d.send(batchMsg{Items: []log.Item{{Record: a2a.Record{
			ID: request + 1, Exchange: request, Kind: a2a.KindEnd, Time: d.model.opts.Now(), End: &a2a.End{Reason: a2a.Cut, Sentence: "The connection broke."},
		}}}})
		if text := d.text(); strings.Contains(text, "asked Travel Desk") {
			t.Errorf("got the notice after the end of the request, want none:\n%s", text)
		}
	})
}

// What a second press would do is no longer said when another key was pressed.
func TestANoticeAboutASecondPressEndsWithAnotherKey(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allBooked)
		d.press("ctrl+c")
		d.sees("ctrl+c again quits")
		d.write("x")
		if strings.Contains(d.text(), "again quits") {
			t.Errorf("got the notice after another key, want it gone:\n%s", d.text())
		}
		d.press("tab", "tab", "k", "k", "d", "esc", "e")
		d.sees("press e again")
		d.press("k")
		if strings.Contains(d.text(), "press e again") {
			t.Errorf("got the notice after another key, want it gone:\n%s", d.text())
		}
	})
}

// A notice that nobody could read yet is not replaced: the next one waits until it was shown for a
// while, or a key was pressed.
func TestNoticesWaitForEachOther(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allBooked)
		d.run(tea.Batch(d.model.say("first of them", false), d.model.say("second of them", true), d.model.say("second of them", true), d.model.say("third of them", false)))
		for _, want := range []string{"first of them  +2 ", "second of them  +1 ", "third of them "} {
			d.draw()
			if text := d.text(); !strings.Contains(text, want) || strings.Count(text, "of them") != 1 {
				t.Fatalf("frame shows not %q alone:\n%s", want, text)
			}
			d.wait(unreadTime)
		}
		d.sees("third of them") // nothing waits for it to go
		d.wait(noticeTime)
		if text := d.text(); strings.Contains(text, "of them") {
			t.Errorf("got a notice after its time, want none:\n%s", text)
		}
	})
}

// Who presses a key or clicks has seen the notice: what the key itself says comes next, then what
// waited.
func TestAKeyPressEndsANotice(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allBooked)
		d.run(tea.Batch(d.model.say("first of them", false), d.model.say("second of them", false)))
		d.press("ctrl+c")
		d.sees("ctrl+c again quits")
		d.press("x")
		d.sees("second of them")
		d.press("backspace")
		d.sees("second of them") // nothing else waits
		d.run(d.model.say("third of them", false))
		d.send(tea.MouseClickMsg{X: 60, Y: 10, Button: tea.MouseLeft})
		d.sees("third of them")
	})
}

// What is over before its turn is not shown, and of a flood only the newest notices are.
func TestNoticesThatWaitForNothing(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allBooked)
		over := false
		d.run(tea.Batch(d.model.say("first of them", false), d.model.sayUntil("second of them", false, func() bool { return over }), d.model.say("third of them", false)))
		over = true
		d.wait(unreadTime)
		d.sees("third of them")
		for i := range 1000 {
			d.run(d.model.say(fmt.Sprintf("number %d of a flood \x1b[2J", i), true))
		}
		if got := len(d.model.notices.waiting); got != noticesWaiting {
			t.Errorf("got %d notices that wait, want %d", got, noticesWaiting)
		}
		d.draw()
		d.sees("third of them  +8  992 not shown ")
		d.wait(unreadTime * (noticesWaiting + 1))
		d.sees("number 999 of a flood")
	})
}

// A notice lets the frames of the panes whole: neither a corner nor a side of any of them is hidden,
// whatever the screen, the length of the notice and the pane with the focus.
func TestANoticeLeavesFramesWhole(t *testing.T) {
	t.Parallel()
	for _, size := range []struct{ w, h int }{{40, 12}, {60, 20}, {80, 24}, {100, 30}, {120, 40}, {160, 45}, {200, 60}} {
		bubble(t, size.w, size.h, Options{}, func(d *desk) {
			d.book(allBooked)
			for _, keys := range [][]string{nil, {"tab"}, {"tab"}, {"alt+z"}, {"alt+z", "f3"}, {"esc", "ctrl+p"}} {
				d.press(keys...)
				d.settle()
				d.draw()
				before := plain(d)
				for n := 1; n < 220; n += 3 {
					d.model.notices.shown = notice{text: strings.Repeat("word ", n/5) + strings.Repeat("x", 1+n%5)}
					d.model.touch()
					for y, row := range plain(d) {
						if lost := lost(before[y], row, "╭╮╰╯"); len(lost) > 0 {
							t.Fatalf("%dx%d after %v: a notice of %d characters hides the frame at columns %v of\n%s\nit was\n%s", size.w, size.h, keys, n, lost, row, before[y])
						}
					}
				}
				d.model.notices.shown = notice{}
			}
		})
	}
}

// plain returns the rows of the screen without their colours.
func plain(d *desk) []string {
	rows := d.rows()
	for y := range rows {
		rows[y] = ansi.Strip(rows[y])
	}
	return rows
}

// lost returns the cells of a row that had one of these signs and have it no more.
func lost(before, row, signs string) (at []int) {
	is := []rune(row)
	for x, c := range []rune(before) {
		if strings.ContainsRune(signs, c) && (x >= len(is) || is[x] != c) {
			at = append(at, x)
		}
	}
	return at
}

// A notice of several rows covers the record in the wire, never its rows: one who follows sees the newest.
func TestANoticeHidesNoRowOfTheWire(t *testing.T) {
	t.Parallel()
	for _, size := range []struct{ w, h int }{{40, 12}, {60, 14}, {60, 20}, {80, 14}, {80, 24}, {120, 40}, {160, 45}} {
		for _, o := range []Options{{}, {Name: "booking.jsonl"}} {
			bubble(t, size.w, size.h, o, func(d *desk) {
				d.book(allBooked)
				for d.model.screen.at != control.OnWire {
					d.press("tab")
				}
				if !d.model.panes.wire.Following() {
					t.Fatal("the wire does not follow")
				}
				l, before := d.model.screen.layout.WireBody, plain(d)
				rows := l.H - max(0, d.model.panes.wire.Spare())
				for n := 10; n < 400; n += 30 {
					d.model.notices.shown = notice{text: strings.Repeat("word ", n/5)}
					d.model.touch()
					after := plain(d)
					for y := l.Y; y < l.Y+rows; y++ {
						if was, is := []rune(before[y])[l.X:l.X+l.W], []rune(after[y])[l.X:l.X+l.W]; string(was) != string(is) {
							t.Fatalf("%dx%d: a notice of %d characters hides %q: got %q", size.w, size.h, n, string(was), string(is))
						}
					}
				}
			})
		}
	}
}
