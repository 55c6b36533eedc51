package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/ui/action"
	"parley/ui/canvas"
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
					if s.Size == nil && box != page {
						t.Errorf("%s: got frame %+v, want that of all sheets, %+v", s.Name, box, page)
					}
					checkFlush(t, string(s.Name), box, page, m.screen.layout.Talk)
					if n := d.accents(); n != 1 {
						t.Errorf("%s: got %d frames with the accent, want 1:\n%s", s.Name, n, d.text())
					}
					m.closeOverlay()
				}
			})
		})
	}
}

// checkFlush fails unless a frame begins where the page begins and ends at the right edge of the
// page or of the conversation.
func checkFlush(t *testing.T, name string, box, page, talk canvas.Rect) {
	t.Helper()
	right := box.X + box.W
	if box.X != page.X || box.Y != page.Y || box.H > page.H || right != page.X+page.W && right != talk.X+talk.W {
		t.Errorf("%s: got frame %+v, want one flush with the page %+v or the conversation %+v", name, box, page, talk)
	}
}

func TestTheFinderIsFlushWithThePanes(t *testing.T) {
	t.Parallel()
	for _, size := range []struct{ w, h int }{{80, 24}, {100, 30}, {120, 40}, {160, 45}, {200, 60}} {
		bubble(t, size.w, size.h, Options{}, func(d *desk) {
			d.book(asksWhere)
			d.press("ctrl+p")
			l := &d.model.screen.layout
			checkFlush(t, fmt.Sprintf("finder at %d×%d", size.w, size.h), d.model.overlayBox(), l.Sheet, l.Talk)
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
