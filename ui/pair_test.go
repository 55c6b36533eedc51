package ui

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/golden"
	"parley/session/log"
	"parley/ui/control"
	"parley/ui/layout"
)

// elsewhere is a conversation of another agent than the one that books.
var elsewhere = control.Place{Agent: 2, Conversation: 50}

// pairs plays the booking up to a record and a conversation of Scribe that works.
func (d *desk) pairs(upTo a2a.RecordID) {
	d.t.Helper()
	d.book(upTo)
	d.tells(elsewhere, "counted", "WORKING", "I count to one hundred")
}

// half returns the columns of a pane on the screen as text.
func (d *desk) half(right bool) string {
	l := d.model.screen.layout
	from, to := l.Agents.W, l.Edge().X
	if right {
		from, to = to, d.model.screen.w
	}
	return cut(d.model.View().Content, [2]int{from, to})
}

// expects fails unless the halves of the screen have these words.
func (d *desk) expects(left, right string) {
	d.t.Helper()
	if got := d.half(false); !strings.Contains(got, left) {
		d.t.Errorf("got left half\n%s\nwant %q in it", got, left)
	}
	if got := d.half(true); !strings.Contains(got, right) {
		d.t.Errorf("got right half\n%s\nwant %q in it", got, right)
	}
}

const (
	desksHalf   = "─ Travel Desk ─"
	scribesHalf = "─ Scribe ─"
)

func TestASecondConversationTakesTheWiresPlace(t *testing.T) {
	t.Parallel()
	bubble(t, 200, 60, Options{}, func(d *desk) {
		d.pairs(midStream)
		d.expects("Asking three airlines", "wire · conversation")
		d.press("f8")
		d.expects(desksHalf, scribesHalf)
		d.expects("Asking three airlines", "I count to one hundred")
		if strings.Contains(d.text(), "wire ·") || d.model.screen.at != control.OnComposer || d.model.cur.Agent != 1 {
			t.Errorf("got focus %d at %+v after f8, want the text field as before and no wire:\n%s", d.model.screen.at, d.model.cur, d.text())
		}
		d.tells(elsewhere, "counted", "INPUT_REQUIRED", "Shall I go on?")
		d.expects("Asking three airlines", "Shall I go on?")
		if strings.Contains(d.text(), "goes there") {
			t.Errorf("got a notice about what the second conversation shows:\n%s", d.text())
		}
		d.tells(control.Place{Agent: 1, Conversation: 1}, "second", "COMPLETED", "all is booked")
		d.expects("all is booked", "Shall I go on?")
		d.press("f8")
		d.expects("─ conversation ─", "wire · conversation")
	})
}

func TestFramesOfTwoConversations(t *testing.T) {
	t.Parallel()
	for _, size := range []struct{ w, h int }{{160, 45}, {200, 60}} {
		name := fmt.Sprintf("frames/%dx%d/pair", size.w, size.h)
		bubble(t, size.w, size.h, Options{}, func(d *desk) {
			d.pairs(allBooked)
			d.press("f8", "f9")
			golden.Compare(t, name, d.text())
		})
	}
}

func TestTheUserActsOnOneOfTwoConversations(t *testing.T) {
	t.Parallel()
	bubble(t, 160, 45, Options{}, func(d *desk) {
		d.pairs(allBooked)
		d.press("f8")
		d.write("for the desk")
		d.expects("❯ for the desk", scribesHalf)
		d.press("f9")
		if d.model.cur != elsewhere || d.model.screen.at != control.OnComposer {
			t.Fatalf("got focus %d at %+v after f9, want the text field of %+v", d.model.screen.at, d.model.cur, elsewhere)
		}
		d.expects(desksHalf, "❯")
		d.write("for the scribe")
		d.expects(desksHalf, "❯ for the scribe")
		if strings.Contains(d.half(false), "❯") {
			t.Errorf("got a text field in both conversations:\n%s", d.text())
		}
		d.sees("Scribe  A2A 0.3") // in the header
		d.press("enter")
		if last := d.engine.Calls[len(d.engine.Calls)-1]; !strings.Contains(last, `send "for the scribe"`) || !strings.Contains(last, "2") {
			t.Errorf("got call %s, want the message to Scribe", last)
		}
		d.press("f9")
		d.expects("❯ for the desk", scribesHalf)
	})
}

func TestTabGoesThroughBothConversations(t *testing.T) {
	t.Parallel()
	for _, refuses := range []string{"", "booking.jsonl"} {
		bubble(t, 160, 45, Options{Name: refuses}, func(d *desk) {
			d.pairs(allBooked)
			if refuses != "" {
				d.model.goTo(control.Place{Agent: 1, Conversation: 1})
			}
			d.press("f8")
			order := []string{"0 at 2", "1 at 2", "1 at 1", "3 at 1", "0 at 1", "1 at 1", "1 at 2", "3 at 2", "0 at 2"}
			if refuses != "" {
				order = []string{"1 at 2", "3 at 2", "1 at 1", "1 at 2", "3 at 2", "1 at 1"}
			} else {
				d.press("f9")
			}
			at := func() string { return fmt.Sprintf("%d at %d", d.model.screen.at, d.model.cur.Agent) }
			var got []string
			for range len(order) {
				if refuses == "" || len(got) > 0 {
					got = append(got, at())
					d.press("tab")
				} else {
					d.press("tab")
					got = append(got, at())
					d.press("tab")
				}
			}
			if !slices.Equal(got, order) {
				t.Errorf("recording %q: got focus %v, want %v", refuses, got, order)
			}
			was := at()
			d.press("tab", "shift+tab")
			if got := at(); got != was {
				t.Errorf("recording %q: got focus %s after tab and shift+tab, want %s", refuses, got, was)
			}
		})
	}
}

func TestTheSecondConversationNeedsWidthAndComesBack(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.pairs(allBooked)
		d.press("f8")
		d.says("need 160 columns", "has 120", "f9 goes to the other")
		d.expects("─ conversation ─", "wire · conversation")
		d.send(tea.WindowSizeMsg{Width: 160, Height: 45})
		d.expects("─ conversation ─", "wire · conversation")
		d.press("f8", "f9")
		d.expects(desksHalf, scribesHalf)
		d.send(tea.WindowSizeMsg{Width: 120, Height: 40})
		d.expects("─ conversation ─", "wire · conversation")
		d.sees("I count to one hundred")
		d.press("f9")
		if d.model.cur.Agent != 1 {
			t.Errorf("got %+v after f9 on a narrow screen, want the other conversation", d.model.cur)
		}
		d.press("f9")
		d.send(tea.WindowSizeMsg{Width: 160, Height: 45})
		d.expects(desksHalf, scribesHalf)
		d.press("alt+z")
		if l := d.model.screen.layout; l.Second.W > 0 || l.Talk.W != 160 {
			t.Errorf("got %+v while zoomed, want one conversation", l)
		}
		d.press("f8")
		d.expects(desksHalf, scribesHalf)
	})
}

func TestARecordIsShownInThePlaceOfTheOtherConversation(t *testing.T) {
	t.Parallel()
	bubble(t, 200, 60, Options{}, func(d *desk) {
		d.pairs(allBooked)
		d.press("f8", "tab", "enter")
		d.expects("Before you go", "wire · conversation")
		if d.model.screen.at != control.OnWire {
			t.Fatalf("got focus %d after enter, want the wire", d.model.screen.at)
		}
		d.press("esc")
		d.expects(desksHalf, scribesHalf)
		d.press("f9", "tab", "enter")
		d.expects("wire · conversation", "I count")
		d.press("f8") // the wire keeps its place
		d.expects("I count", "wire · conversation")
		d.press("f8")
		if d.model.screen.at != control.OnChat || d.model.cur.Agent != 1 {
			t.Errorf("got focus %d at %+v after f8 in the wire, want the conversation that took its place", d.model.screen.at, d.model.cur)
		}
		d.expects(scribesHalf, desksHalf)
	})
}

func TestTheSecondConversationIsChosen(t *testing.T) {
	t.Parallel()
	bubble(t, 200, 60, Options{}, func(d *desk) {
		d.pairs(allBooked)
		d.tells(control.Place{Agent: 2, Conversation: 51}, "sung", "WORKING", "I sing of tides")
		d.press("shift+tab", "end")
		d.model.panes.agents.SetShown(2, 51) // the selection
		d.press("b")
		d.expects(desksHalf, "I sing of tides")
		d.press("esc")
		d.write("/beside ")
		d.press("enter")
		d.sees("show beside", "help me", "Scribe")
		d.press("down", "enter")
		first := d.model.pair.Other()
		if first == 0 || first == 1 {
			t.Errorf("got conversation %d beside, want the chosen one", first)
		}
		d.model.goTo(elsewhere)
		d.send(nil)
		d.press("f8", "f8")
		d.expects("I count", desksHalf) // the one that was in view before
	})
	bubble(t, 200, 60, Options{}, func(d *desk) {
		d.press("f8")
		d.says("no other conversation yet")
		if d.model.pair.Wanted() != layout.NoPair {
			t.Error("got a pair, want none without conversations")
		}
	})
}

func TestTheWireReturnsWhenTheSecondAgentIsClosed(t *testing.T) {
	t.Parallel()
	bubble(t, 200, 60, Options{}, func(d *desk) {
		d.pairs(allBooked)
		d.press("f8")
		d.tells(elsewhere, "counted", "COMPLETED", "done")
		note := a2a.Record{
			ID: a2a.RecordID(d.model.state.Log.Len() + 1), Kind: a2a.KindNote, Time: d.model.opts.Now(),
			Note: &a2a.Note{Type: log.NoteClosed, Attrs: map[string]string{"agent": "2"}},
		}
		d.send(batchMsg{Items: []log.Item{{Record: note}}})
		d.expects("─ conversation ─", "wire · conversation")
	})
}

func TestTheMouseWorksInTheSecondConversation(t *testing.T) {
	t.Parallel()
	bubble(t, 200, 60, Options{}, func(d *desk) {
		d.pairs(allBooked)
		d.press("f8")
		body := d.model.screen.layout.SecondBody
		d.send(tea.MouseWheelMsg{X: body.X + 3, Y: body.Y + 3, Button: tea.MouseWheelUp})
		if d.model.cur.Agent != 1 {
			t.Errorf("got %+v after the wheel, want the focus unchanged", d.model.cur)
		}
		edge := d.model.screen.layout.Edge().X
		d.send(tea.MouseClickMsg{X: body.X + 3, Y: body.Y, Button: tea.MouseLeft})
		if d.model.cur != elsewhere || d.model.screen.at != control.OnChat || d.model.panes.chat.Selected() == 0 {
			t.Errorf("got focus %d at %+v after a click, want the clicked line of %+v", d.model.screen.at, d.model.cur, elsewhere)
		}
		d.send(tea.MouseClickMsg{X: edge, Y: 20, Button: tea.MouseLeft})
		d.send(tea.MouseMotionMsg{X: edge - 9, Y: 20, Button: tea.MouseLeft})
		d.send(tea.MouseReleaseMsg{X: edge - 9, Y: 20})
		if got := d.model.screen.layout.Edge().X; got != edge-9 {
			t.Errorf("got the border at column %d, want it where it was dragged: %d", got, edge-9)
		}
	})
}

func TestTheReadersPlaceMovesWithTheConversation(t *testing.T) {
	t.Parallel()
	bubble(t, 160, 30, Options{}, func(d *desk) {
		d.pairs(allBooked)
		d.press("tab", "g", "j", "j", "f8")
		d.expects("Book me a flight", "I count")
		at := d.model.panes.chat.Selected()
		d.press("f9", "f9")
		d.expects("Book me a flight", "I count")
		if got := d.model.panes.chat.Selected(); at == 0 || got != at {
			t.Errorf("got the cursor at record %d after going to the other conversation and back, want %d", got, at)
		}
		d.press("f9", "f8", "f9")
		if got := d.model.panes.chat.Selected(); got != at {
			t.Errorf("got the cursor at record %d without the pair, want %d", got, at)
		}
	})
}

// The clock of a running task goes on while another conversation is on the screen.
func TestARunningTaskShowsItsTimeAtOnce(t *testing.T) {
	t.Parallel()
	bubble(t, 160, 45, Options{}, func(d *desk) {
		d.book(midStream)
		d.model.goTo(control.Place{Agent: 2})
		d.send(nil)
		d.wait(20*time.Second + 300*time.Millisecond)
		d.press("f9")
		if got := d.half(false); !regexp.MustCompile(`‖ working 2\d`).MatchString(got) {
			t.Errorf("got\n%s\nwant the time since the task began to work", got)
		}
	})
}
