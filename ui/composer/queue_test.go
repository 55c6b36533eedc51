package composer

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
)

var wait = TargetChoice{Kind: TargetQueue, Label: "queue", Note: "sent when the agent is done", Short: "queue"}

func TestTheTargetDecidesWhetherAMessageWaits(t *testing.T) {
	c := open(60, wait, newTask)
	c.Paste("later")
	if got, _ := press(c, "enter").(Send); !got.Queued || got.Draft.Text != "later" {
		t.Fatalf("got intent %+v for enter, want Send to the queue", got)
	}
	c.Paste("now")
	press(c, "ctrl+t")
	if got, _ := press(c, "enter").(Send); got.Queued {
		t.Errorf("got intent %+v with another target, want Send past the queue", got)
	}
}

func TestTheQueueIsShownAboveTheTarget(t *testing.T) {
	c := open(60, wait)
	c.SetGhost("London")
	c.SetQueue(Queue{Waiting: []Draft{{Text: "one\nmore"}, {Text: "two", Parts: []a2a.Part{report}}, {Parts: []a2a.Part{dates}}}})
	c.SetSize(60, c.Height())
	exact(t, c, 60, 6)
	rows := strings.Split(screen(c), "\n")
	for i, want := range []string{"----", "o one x", "o two +1 part x", "o data  up edits x", "o queue  sent when the agent is done", ">  "} {
		if !strings.HasPrefix(rows[i], want) {
			t.Errorf("row %d: got %q, want prefix %q", i, rows[i], want)
		}
	}
	if cur := c.Cursor(); cur.Y != 5 {
		t.Errorf("got cursor in row %d, want 5", cur.Y)
	}
	if got := press(c, "enter"); got != nil {
		t.Errorf("got intent %v for enter without a text, want none", got)
	}
	click := func(x, y int) Intent { return c.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, x, y) }
	if got := click(3, 2); got != (Unqueue{Index: 1}) {
		t.Errorf("got intent %v for a click on a row, want Unqueue of message 1", got)
	}
	if got := click(len("o two +1 part x")-1, 2); got != (Unqueue{Index: 1, Drop: true}) {
		t.Errorf("got intent %v for a click on the mark, want message 1 dropped", got)
	}
	if got := press(c, "up"); got != (Unqueue{Index: 2}) {
		t.Errorf("got intent %v for up, want Unqueue of message 2", got)
	}
	if got := press(c, "alt+x"); got != (Unqueue{Index: 2, Drop: true}) {
		t.Errorf("got intent %v for alt+x, want message 2 dropped", got)
	}
	c.Paste("words")
	if _, refused := click(3, 2).(Refused); !refused || c.Value() != "words" {
		t.Errorf("got text %q, want a refusal and the draft unchanged", c.Value())
	}
	if got := press(c, "up"); got != nil {
		t.Errorf("got intent %v for up within a text, want none", got)
	}
}

func TestHeldMessagesAreAskedAbout(t *testing.T) {
	for _, w := range []int{1, 10, 30, 80} {
		c := open(w, newTask)
		c.SetGhost("London")
		c.SetQueue(Queue{Waiting: make([]Draft, 20), Held: "the agent asks \x1b[2Jsomething"})
		c.SetSize(w, c.Height())
		exact(t, c, w, 6)
		if w == 80 && (!strings.Contains(screen(c), "the agent asks ⟨ESC⟩something") || !strings.Contains(screen(c), "enter sends them") || !strings.Contains(screen(c), "and 18 more")) {
			t.Errorf("got a screen without the reason, what enter does and the count:\n%s", screen(c))
		}
		if got := press(c, "enter"); got != (Resume{}) {
			t.Errorf("got intent %v for enter, want Resume", got)
		}
		c.Paste("words first")
		if got, _ := press(c, "enter").(Send); got.Draft.Text != "words first" {
			t.Errorf("got intent %+v for enter with a text, want Send", got)
		}
		c.SetSize(w, 2) // no room
		exact(t, c, w, 2)
	}
}
