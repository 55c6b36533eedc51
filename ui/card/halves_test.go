package card

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/internal/panetest"
	"parley/ui/canvas"
)

// In a wide pane the skills stand beside the facts, and each row of an entry is clicked in its half.
func TestAWidePaneHasTwoColumns(t *testing.T) {
	for _, w := range []int{twoColumns, 166, 460} {
		p := paneOf(known())
		p.SetSize(w, 400)
		rows := p.Lines()
		panetest.Exact(t, rows, w, 400)
		x := p.half + gutter
		found := false
		for _, row := range rows {
			text := panetest.Text([]string{row})
			found = found || strings.HasPrefix(text, "Skills") || strings.Contains(canvas.Fit(text, p.half), "Book it")
		}
		if !found || p.half == 0 {
			t.Fatalf("%d columns: got no skill at the left, want it:\n%s", w, panetest.Text(rows))
		}
		for i := range p.entries {
			e := &p.entries[i]
			if e.right != (e.example == nil) {
				t.Errorf("%d columns: entry %d is in the right half: %v, want examples left and evidence right", w, i, e.right)
			}
			at, beside := 5, x+5
			if e.right {
				at, beside = beside, at
			}
			for y := e.from; y < e.to; y++ {
				click := tea.MouseClickMsg{Y: y, Button: tea.MouseLeft}
				p.at = -1
				if p.Mouse(click, at, y); p.at != i {
					t.Errorf("%d columns: a click at %d, %d chooses %d, want %d", w, at, y, p.at, i)
				}
				p.at = -1
				if p.Mouse(click, beside, y); p.at == i {
					t.Errorf("%d columns: a click at %d, %d chooses %d, which is in the other half", w, beside, y, i)
				}
			}
			p.at = i
			panetest.Exact(t, p.Lines(), w, 400)
		}
	}
}

// Both columns scroll together, and every entry can be chosen with keys.
func TestTheColumnsScrollTogether(t *testing.T) {
	for _, h := range []int{3, 9, 40} {
		p := paneOf(known())
		p.SetSize(140, h)
		seen := map[int]bool{}
		for _, key := range []string{"down", "up"} {
			for range 400 {
				p.Key(panetest.Key(key))
				panetest.Exact(t, p.Lines(), 140, h)
				seen[p.at] = true
			}
		}
		p.Key(panetest.Key("w"))
		p.Lines()
		if e := p.entries[p.at]; !e.right || e.from < p.top || e.from >= p.top+h {
			t.Errorf("%d rows: got entry %+v at row %d, want the first evidence in the window", h, e, p.top)
		}
		for i := range p.entries {
			if !seen[i] {
				t.Errorf("%d rows: the keys never choose entry %d, %+v", h, i, p.entries[i])
			}
		}
	}
}
