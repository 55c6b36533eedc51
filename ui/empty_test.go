package ui

import (
	"fmt"
	"strings"
	"testing"

	"parley/internal/golden"
)

// An empty pane says in one sentence what will appear there, and which key makes it appear.
func TestEmptyPanesTeachOneThing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		play  func(d *desk)
		words string
	}{
		{"conversation", func(*desk) {}, "Press ctrl+p and type its address"},
		{"wire", func(*desk) {}, "Every request, answer and event appears here as it crosses the wire: ctrl+p opens an agent, enter sends it a message."},
		{"agents", func(*desk) {}, "Agents that you open appear here: a opens one by its address."},
		{"greeting", func(d *desk) { d.book(allFound) }, "to try one, or write your own message below"},
		{"lanes", func(d *desk) { d.press("f6") }, "Each exchange appears here as a lane, all on one time axis: esc goes back, where a message makes the first."},
		{"findings", func(d *desk) { d.command("/findings") }, "A record that breaks a rule of it appears here, and enter goes to it."},
		{"tasks", func(d *desk) { d.book(allFound); d.press("f3") }, "This session has no task yet"},
		{"webhooks", func(d *desk) { d.book(allFound); d.press("f4") }, "There is no task here yet, and a webhook belongs to a task"},
		{"credentials", func(d *desk) { d.book(allFound); d.press("f5") }, "nothing was entered here: enter uses what stands above"},
		{"inbox", func(d *desk) { d.press("ctrl+g") }, "Nothing waits for you; a task that asks for input or credentials will."},
		{"absent card", func(d *desk) { d.replay("refused.jsonl"); d.upTo(100); d.press("f2") }, "The card appears here when the agent answers; r tries now."},
		{"card", func(d *desk) { d.press("f2") }, "No agent is open: press ctrl+p and paste the URL of one."},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, 200, 50, Options{}, func(d *desk) {
				c.play(d)
				var text strings.Builder // each column of panes by itself
				for _, part := range columnTexts(strings.Split(d.text(), "\n")) {
					text.WriteString(strings.Join(strings.Fields(part), " "))
				}
				if got := text.String(); !strings.Contains(got, c.words) {
					t.Errorf("got no %q in\n%s", c.words, d.text())
				}
			})
		})
	}
}

// columnTexts returns the texts between the vertical lines of the same columns.
func columnTexts(rows []string) (out []string) {
	columns := map[int]*strings.Builder{}
	var order []int
	for _, row := range rows {
		for i, part := range strings.Split(strings.ReplaceAll(row, "││", "│"), "│") {
			if columns[i] == nil {
				columns[i] = &strings.Builder{}
				order = append(order, i)
			}
			fmt.Fprintln(columns[i], part)
		}
	}
	for _, i := range order {
		out = append(out, columns[i].String()+"\n")
	}
	return out
}

func TestEmptyPanesAreDrawn(t *testing.T) {
	t.Parallel()
	for _, size := range []struct{ w, h int }{{120, 40}, {80, 24}, {60, 20}} {
		name := fmt.Sprintf("%dx%d/empty", size.w, size.h)
		t.Run(name, func(t *testing.T) {
			bubble(t, size.w, size.h, Options{}, func(d *desk) { golden.Compare(t, "frames/"+name, d.text()) })
		})
	}
}
