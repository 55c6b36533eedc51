package ui

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
)

// sizes go from the largest to the smallest, and include invalid ones.
var sizes = []struct{ w, h int }{
	{400, 120}, {20, 5}, {399, 5}, {20, 120}, {200, 60}, {121, 41}, {120, 40}, {119, 39}, {100, 33}, {81, 25}, {80, 24}, {79, 23},
	{60, 20}, {40, 12}, {30, 10}, {24, 9}, {21, 6}, {12, 4}, {8, 3}, {5, 2}, {3, 2}, {2, 1}, {1, 1}, {1, 50}, {300, 1}, {400, 120},
}

func TestResizingBreaksNothingAnywhere(t *testing.T) {
	t.Parallel()
	for _, s := range spots {
		t.Run(s.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := s.desk(t)
				for _, size := range sizes {
					d.send(tea.WindowSizeMsg{Width: size.w, Height: size.h})
					d.rows()
				}
				d.send(tea.WindowSizeMsg{})
				d.send(tea.WindowSizeMsg{Width: 120, Height: 40})
				d.rows()
			})
		})
	}
}

func TestResizingKeepsTheReadersPlace(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allBooked)
		d.press("tab", "g")
		d.sees("Book me a flight")
		for _, size := range []struct{ w, h int }{{80, 24}, {200, 60}, {60, 20}, {120, 40}} {
			d.send(tea.WindowSizeMsg{Width: size.w, Height: size.h})
			d.sees("you  11:32")
		}
	})
}

// act does a random thing that a user, a terminal or an agent may do.
func (d *desk) act(op, x, y byte) {
	keys := allKeys()
	switch at := (tea.Mouse{X: int(x), Y: int(y) % 64, Button: tea.MouseLeft}); op % 16 {
	case 0:
		d.send(tea.MouseClickMsg(at))
	case 1:
		d.send(tea.MouseMotionMsg(at))
	case 2:
		d.send(tea.MouseReleaseMsg(at))
	case 3:
		at.Button = tea.MouseWheelUp + tea.MouseButton(x%2)
		d.send(tea.MouseWheelMsg(at))
	case 4:
		pastes := []string{"", "text", "two\nlines\r\n\tand \x1b[31m\u202e", "한국어 👩‍🚀", string(make([]byte, 300))}
		d.send(tea.PasteMsg{Content: pastes[int(x)%len(pastes)]})
	case 5:
		size := sizes[int(x)%len(sizes)]
		d.send(tea.WindowSizeMsg{Width: size.w, Height: size.h})
	case 6, 7:
		if n := min(int(x%16)+1, len(d.items)-d.fed); n > 0 {
			d.send(batchMsg{Items: d.items[d.fed : d.fed+n]})
			d.fed += n
		}
	case 8:
		d.wait(time.Duration(x) * 20 * time.Millisecond)
	case 9:
		d.send(tea.KeyPressMsg{Code: rune(x) + rune(y)<<8, Text: string(rune(x) + rune(y)<<8), Mod: tea.KeyMod(x % 8)})
	default:
		d.press(keys[(int(x)<<8|int(y))%len(keys)])
	}
	if d.model.screen.w > 0 && d.model.screen.h > 0 {
		d.rows()
	}
}

// allKeys are the keys that have a meaning anywhere.
func allKeys() []string {
	m := New(context.Background(), Options{Engine: RecordingEngine(), Getenv: func(string) string { return "" }, Now: time.Now})
	var keys []string
	for _, b := range slices.Concat(slices.Concat(
		m.keys.everywhere.FullHelp(), m.keys.outside.FullHelp(), m.panes.composer.FullHelp(), m.st.Editing.Help(), m.panes.chat.FullHelp(), m.panes.wire.FullHelp(),
		m.panes.agents.FullHelp(), m.cards.Sheet().Keys(), m.panes.palette.FullHelp())...) {
		keys = append(keys, b.Keys()...)
	}
	slices.Sort(keys)
	return slices.DeleteFunc(slices.Compact(keys), func(name string) bool { return name == "ctrl+m" })
}

func TestWalkingAtRandomBreaksNothing(t *testing.T) {
	t.Parallel()
	for seed := range uint64(8) {
		synctest.Test(t, func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 2))
			o := Options{Present: seed%3 == 2}
			if seed%4 == 3 {
				o.Name = "booking.jsonl"
			}
			d := newDesk(t, o)
			d.send(tea.WindowSizeMsg{Width: 120, Height: 40})
			d.replay("booking.jsonl")
			d.upTo(allFound)
			if seed%2 == 1 {
				d.send(tea.WindowSizeMsg{Width: 200, Height: 60})
				d.tells(elsewhere, "counted", "WORKING", "I count")
				d.press("f8")
			}
			for range 80 {
				d.act(byte(r.UintN(256)), byte(r.UintN(256)), byte(r.UintN(256)))
			}
		})
	}
}

func FuzzKeys(f *testing.F) {
	f.Add([]byte{10, 0, 3, 6, 15, 0, 11, 0, 9, 0, 40, 8, 5, 4, 0})
	f.Add([]byte{6, 15, 0, 6, 15, 0, 6, 15, 0, 6, 15, 0, 6, 15, 0, 5, 1, 0, 12, 1, 1})
	f.Add([]byte("ctrl+p is not the only key"))
	f.Add([]byte("\x05\x0b\x00presenter mode in every size"))
	f.Add([]byte("9\x03\x060")) // an Arabic sign that joins the next character
	f.Fuzz(func(t *testing.T, ops []byte) {
		synctest.Test(t, func(t *testing.T) {
			d := newDesk(t, Options{})
			d.send(tea.WindowSizeMsg{Width: 100, Height: 30})
			d.replay("booking.jsonl")
			d.upTo(allFound)
			for op := range slices.Chunk(ops[:min(len(ops), 120)], 3) {
				op = append(op, 0, 0)
				d.act(op[0], op[1], op[2])
			}
		})
	})
}

// textinput's own deletion of the next word panics there.
func TestDeletingAWordAtTheLastCharacter(t *testing.T) {
	t.Parallel()
	for _, open := range [][]string{{"ctrl+p"}, {"tab", "/"}, {"tab", "tab", "/"}} {
		bubble(t, 120, 40, Options{}, func(d *desk) {
			d.book(allBooked)
			d.press(open...)
			d.write("ab ")
			d.press("left", "alt+d", "alt+delete", "left", "alt+d")
			d.rows()
		})
	}
}
