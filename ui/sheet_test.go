package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/layout"
	"parley/ui/styles"
)

// accents returns how many frames with the accent of the focus a screen has.
func (d *desk) accents() int {
	st := d.model.st
	return strings.Count(strings.Join(d.rows(), "\n"), st.Focus.On+st.G[styles.TopLeft])
}

func TestAllSheetsHaveOneGeometryAndTheOnlyAccent(t *testing.T) {
	t.Parallel()
	for _, size := range []struct{ w, h int }{{80, 24}, {100, 30}, {120, 40}, {160, 45}, {200, 60}} {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			bubble(t, size.w, size.h, Options{Theme: Theme{Name: "dark"}}, func(d *desk) {
				d.book(asksWhere)
				m := d.model
				page := m.screen.layout.Sheet
				for i := range m.sheets {
					s := &m.sheets[i]
					s.Refresh = nil // the sheet was not opened by its controller
					m.show(s.Name)
					d.send(tea.WindowSizeMsg{Width: size.w, Height: size.h})
					box := m.overlayBox()
					if s.Page && box != page {
						t.Errorf("%s: got frame %+v, want that of all pages, %+v", s.Name, box, page)
					}
					checkPlace(t, string(s.Name), box, page)
					if n := d.accents(); n != 1 {
						t.Errorf("%s: got %d frames with the accent, want 1:\n%s", s.Name, n, d.text())
					}
					m.closeOverlay()
				}
			})
		})
	}
}

// checkPlace fails unless a frame is in the page, in the middle from left to right, and either as wide as the
// page or with a margin at each side.
func checkPlace(t *testing.T, name string, box, page canvas.Rect) {
	t.Helper()
	left, right := box.X-page.X, page.X+page.W-box.X-box.W
	if box.Y < page.Y || box.Y+box.H > page.Y+page.H || right-left > 1 || right < left || left > 0 && left < layout.BoxMargin {
		t.Errorf("%s: got frame %+v, want one in the middle of the page %+v", name, box, page)
	}
}

func TestTheFinderIsInTheMiddleOfThePanes(t *testing.T) {
	t.Parallel()
	for _, size := range []struct{ w, h int }{{80, 24}, {100, 30}, {120, 40}, {160, 45}, {200, 60}} {
		bubble(t, size.w, size.h, Options{}, func(d *desk) {
			d.book(asksWhere)
			d.press("ctrl+p")
			checkPlace(t, fmt.Sprintf("finder at %d×%d", size.w, size.h), d.model.overlayBox(), d.model.screen.layout.Sheet)
		})
	}
}

func TestBehindASheetNothingHasAnAccent(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{Theme: Theme{Name: "dark"}}, func(d *desk) {
		d.book(asksWhere)
		d.press("ctrl+p")
		m := d.model
		box := m.overlayBox()
		for y, row := range d.rows()[m.screen.layout.Header.H : 40-m.screen.layout.Footer.H] {
			y += m.screen.layout.Header.H
			left := canvas.Fit(row, box.X)
			if y < box.Y || y >= box.Y+box.H {
				left = row
			}
			for name, p := range map[string]styles.Paint{"waiting": m.st.Waiting, "user": m.st.User, "agent": m.st.Agent, "text": m.st.Text, "selection": m.st.Selected} {
				if strings.Contains(left, p.On) {
					t.Errorf("row %d: got the colour of %s behind the finder, want none: %q", y, name, left)
				}
			}
		}
	})
}

// The same key has the same meaning in every sheet.
func TestKeysMeanTheSameInEverySheet(t *testing.T) {
	t.Parallel()
	meanings := map[string][]string{"y": {"copy"}, "/": {"filter", "search"}, "j": {"down", "below"}, "k": {"up", "above"}, "esc": {"close", "cancel", "clear", "end", "keep"}}
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(asksWhere)
		d.command("/start") // which can be left now
		for i := range d.model.sheets {
			s := &d.model.sheets[i]
			closes := false
			for _, b := range slices.Concat(s.Keys()...) {
				closes = closes || slices.Contains(b.Keys(), "esc")
				for _, k := range b.Keys() {
					if words := meanings[k]; words != nil && !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(b.Help().Desc, w) }) {
						t.Errorf("%s: %s means %q, want one of %q", s.Name, k, b.Help().Desc, words)
					}
				}
			}
			if !closes {
				t.Errorf("%s: no key is esc, want it to close the sheet", s.Name)
			}
			if short := s.Pane.Hints(nil); !slices.ContainsFunc(short, func(h action.Hint) bool { return slices.Contains(h.Keys.Keys(), "esc") }) {
				t.Errorf("%s: the footer does not name esc, want it", s.Name)
			}
		}
	})
}
