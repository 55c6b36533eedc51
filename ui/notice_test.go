package ui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

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
