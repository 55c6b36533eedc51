package ui

import (
	"strings"
	"testing"
)

// The footer names the key that ends what is under way, as long as something is.
func TestTheFooterNamesTheWayOut(t *testing.T) {
	footer := func(d *desk) string {
		rows := strings.Split(strings.TrimRight(d.text(), "\n"), "\n")
		return rows[len(rows)-1]
	}
	is := func(d *desk, when, want string) {
		t.Helper()
		got := footer(d)
		if want == "" && strings.Contains(got, "ctrl+x") || !strings.Contains(got, want) {
			t.Errorf("%s the footer is %q, want %q", when, got, want)
		}
	}
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.replay("booking.jsonl")
		d.upTo(allFound)
		is(d, "before anything was sent", "")
		d.press("enter")
		d.upTo(allFound + 1)
		is(d, "while the agent has named no task", "ctrl+x stop waiting")
		d.upTo(asksWhere)
		is(d, "while the task asks", "ctrl+x cancel task")
		d.press("tab")
		is(d, "in the conversation", "ctrl+x cancel task")
		d.press("tab", "tab")
		is(d, "in the list of all conversations", "")
		d.press("tab")
		d.upTo(allBooked)
		is(d, "when the task has ended", "")
	})
	bubble(t, 120, 40, Options{Name: "booking.jsonl"}, func(d *desk) {
		d.book(midStream)
		is(d, "in a recording", "")
	})
}
