package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/internal/panetest"
	"parley/session/replay"
	"parley/ui/styles"
)

// Every size is drawn exactly, a screen without room says what is needed, and what was there comes
// back with the size.
func TestATerminalThatIsTooSmallSaysSo(t *testing.T) {
	t.Parallel()
	for _, o := range []Options{{}, {ASCII: true}, {Present: true}, {Theme: Theme{Name: "mono"}}} {
		bubble(t, 100, 30, o, func(d *desk) {
			d.book(midStream)
			d.write("half a mess")
			before := d.text()
			for _, size := range [][2]int{{1, 1}, {20, 3}, {19, 5}, {2, 40}, {200, 1}, {0, 0}, {20, 5}, {20, 4}, {1, 1}} {
				d.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
				v := d.root.View()
				if size[0] > 0 {
					d.rows()
				}
				if small := size[0] < 20 || size[1] < 4; small == (v.MouseMode != tea.MouseModeNone) || small && v.Cursor != nil {
					t.Errorf("%v: got cursor %v and mouse %v, want them with the panes alone", size, v.Cursor, v.MouseMode)
				}
				d.write("a") // keys still arrive
			}
			d.press(strings.Fields("backspace backspace backspace backspace backspace backspace backspace backspace backspace")...)
			d.send(tea.WindowSizeMsg{Width: 60, Height: 3})
			d.sees("Enlarge this terminal: Parley needs 20" + d.model.st.G[styles.Times] + "5 cells.")
			d.send(tea.WindowSizeMsg{Width: 100, Height: 30})
			if got := d.text(); got != before {
				t.Errorf("got another screen after it was small:\n%s\nwant\n%s", got, before)
			}
		})
	}
	bubble(t, 1, 1, Options{}, func(d *desk) { // from the start
		d.book(asksWhere)
		d.rows()
		d.send(tea.WindowSizeMsg{Width: 80, Height: 24})
		d.sees("Where would you like")
	})
}

func TestAReplayThatIsTooSmallSaysSo(t *testing.T) {
	t.Parallel()
	replayed(t, booked, 60, 20, replay.Options{Step: true}, func(d *desk) {
		d.goesTo("60")
		for _, size := range [][2]int{{1, 1}, {20, 4}, {19, 8}, {20, 5}} {
			d.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			panetest.Exact(t, strings.Split(d.root.View().Content, "\n"), size[0], size[1])
		}
		d.send(tea.WindowSizeMsg{Width: 30, Height: 4})
		d.sees("Enlarge this terminal")
		d.send(tea.WindowSizeMsg{Width: 60, Height: 20})
		d.sees("London")
	})
}
