package ui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/internal/panetest"
	"parley/ui/canvas"
	"parley/ui/control/signin"
	"parley/ui/layout"
	"parley/ui/menu"
)

// box returns the frame of the open sheet, after drawing it.
func (d *desk) box() canvas.Rect {
	d.t.Helper()
	d.rows()
	return d.model.overlayBox()
}

// The message that was refused and the text field stay in view beside a sheet that says little.
func TestABoxLeavesTheRefusedMessageInView(t *testing.T) {
	t.Parallel()
	for _, size := range []struct{ w, h int }{{120, 40}, {160, 45}, {200, 60}} {
		bubble(t, size.w, size.h, Options{SignIn: &fakeSignIn{}}, func(d *desk) {
			d.guarded(deskKey)
			d.refuses("hello there")
			box, text := d.box(), d.model.screen.layout.Composer
			if d.model.screen.over != signin.SheetName || box.W != layout.BoxWidth || box.Y+box.H > text.Y {
				t.Errorf("%d×%d: got %q in frame %+v, want the sign-in as a box above the text field %+v", size.w, size.h, d.model.screen.over, box, text)
			}
			if above := panetest.Text(d.rows()[:box.Y]); !strings.Contains(above, "hello there") {
				t.Errorf("%d×%d: got no message above the box:\n%s", size.w, size.h, d.text())
			}
		})
	}
}

// A box keeps its top and the rows that it had, whatever its pane says then. Where it has no room to
// grow, it takes the page, and keeps it.
func TestABoxGrowsAndNeverShrinks(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.hooked()
		d.press("f4")
		small := d.box()
		d.press("a") // the form has more rows
		large := d.box()
		if large.H <= small.H || large.Y != small.Y {
			t.Errorf("got frame %+v for the form, want one that is higher than %+v and begins there", large, small)
		}
		d.press("esc")
		if got := d.box(); got != large {
			t.Errorf("got frame %+v without the form, want still %+v", got, large)
		}
		d.press("esc", "f4")
		if got := d.box(); got != small {
			t.Errorf("got frame %+v after opening it again, want %+v", got, small)
		}
		hooks := d.task().Push.Hooks
		for range 60 {
			d.task().Push.Hooks = append(d.task().Push.Hooks, hooks[0])
		}
		d.model.touch()
		page := d.model.screen.layout.Sheet
		if got := d.box(); got != page {
			t.Errorf("got frame %+v for 62 webhooks, want the page %+v", got, page)
		}
		d.task().Push.Hooks = hooks
		d.model.touch()
		if got := d.box(); got != page {
			t.Errorf("got frame %+v when they are gone, want still the page %+v", got, page)
		}
	})
}

// A menu of many choices takes the page, one of few a box.
func TestAMenuOfManyChoicesTakesThePage(t *testing.T) {
	t.Parallel()
	for n, page := range map[int]bool{1: false, 7: false, 60: true} {
		bubble(t, 120, 40, Options{}, func(d *desk) {
			d.book(asksWhere)
			var items []menu.Item
			for i := range n {
				items = append(items, menu.Item{Key: "x", Name: fmt.Sprintf("choice %d", i)})
			}
			d.model.openMenu("choose", "", items)
			if got, want := d.box(), d.model.screen.layout.Sheet; (got == want) != page || !page && got.H != n+2 {
				t.Errorf("%d choices: got frame %+v, want the page %+v: %v", n, got, want, page)
			}
			for range n - 1 {
				d.press("down")
			}
			d.sees(fmt.Sprintf("choice %d", n-1))
		})
	}
}

// Every sheet is drawn whole at each size, also if the size changes while it is open, and a box is
// measured again then.
func TestABoxFollowsTheSizeOfTheScreen(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(asksWhere)
		m := d.model
		for i := range m.sheets {
			s := &m.sheets[i]
			s.Refresh = nil // the sheet was not opened by its controller
			m.show(s.Name)
			for _, size := range []struct{ w, h int }{{20, 6}, {500, 200}, {80, 24}, {40, 10}, {120, 40}, {1, 1}, {160, 45}} {
				d.send(tea.WindowSizeMsg{Width: size.w, Height: size.h})
				box, page := d.box(), m.screen.layout.Sheet
				if tooSmall(size.w, size.h) {
					continue
				}
				checkPlace(t, string(s.Name), box, page)
				if size.h < 10 && box != page {
					t.Errorf("%s at %+v: got frame %+v, want the page %+v", s.Name, size, box, page)
				}
			}
			m.closeOverlay()
		}
	})
}

// A long text of an agent makes no box that has no room.
func TestALongChallengeLeavesTheSignInUsable(t *testing.T) {
	t.Parallel()
	for _, size := range []struct{ w, h int }{{20, 6}, {80, 24}, {120, 40}, {500, 200}} {
		bubble(t, size.w, size.h, Options{SignIn: &fakeSignIn{}}, func(d *desk) {
			d.guarded(deskKey)
			d.challenge = `ApiKey realm="` + strings.Repeat("word ", 4000) + `"`
			d.refuses("hello there")
			d.model.show(signin.SheetName)
			checkPlace(t, "sign-in", d.box(), d.model.screen.layout.Sheet)
			d.paste("key")
			if c := d.model.View().Cursor; c == nil || !d.box().Contains(c.X, c.Y) {
				t.Errorf("%d×%d: got cursor %+v, want it in the box %+v", size.w, size.h, c, d.box())
			}
		})
	}
}

// A click in a box means the row that is shown there, one beside it closes the sheet.
func TestClicksInABoxMeanTheirRows(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.wrong()
		d.press("tab", "F")
		box := d.box()
		for y, row := range strings.Split(d.text(), "\n") {
			if strings.Contains(row, "W SSE-005") {
				d.send(tea.MouseClickMsg{X: box.X + 10, Y: y, Button: tea.MouseLeft})
			}
		}
		d.sees("SSE-005 · warning · 1 finding")
		d.press("/")
		d.write("sec")
		c := d.model.View().Cursor
		if got := d.box(); c == nil || c.Y != got.Y+got.H-2 || got.H != box.H+1 || !strings.Contains(panetest.Text(d.rows()[c.Y:c.Y+1]), "/ sec") {
			t.Errorf("got cursor %+v in frame %+v, want it in the last row of one that is a row higher than %+v:\n%s", c, got, box, d.text())
		}
		d.send(tea.MouseClickMsg{X: box.X + 10, Y: box.Y - 1, Button: tea.MouseLeft})
		if d.model.sheet() != nil {
			t.Error("the sheet is open after a click outside, want it closed")
		}
	})
}

// What the program says about an open box stands in its border, a long text below it.
func TestANoticeStandsAtTheBox(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.wrong()
		d.press("f3")
		inside := unwrapped(d.model, d.model.View().Content)
		d.run(d.model.say("it is done", false))
		d.draw()
		box := d.box()
		if border := panetest.Text(d.rows()[box.Y+box.H-1 : box.Y+box.H]); !strings.Contains(border, "• it is done ╯") {
			t.Errorf("got %q, want the notice in it", border)
		}
		d.press("esc", "f3")
		d.run(d.model.say(strings.Repeat("words ", 60), false))
		d.draw()
		if got := unwrapped(d.model, d.model.View().Content); got != inside {
			t.Errorf("got a box with %q under a long notice, want %q", got, inside)
		}
		d.says("words words words")
	})
}
