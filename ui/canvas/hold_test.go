package canvas

import (
	"strings"
	"testing"

	"parley/themes"
	"parley/ui/styles"
)

// The selected row is filled where the focus is, and elsewhere bold with a thin bar at its left. Every
// state has its own sign without colours.
func TestOnlyTheFocusHasAFilledRow(t *testing.T) {
	for _, theme := range []themes.Theme{themes.Dark(), themes.Dark().In(themes.Indexes16), themes.Mono()} {
		st := styles.New(theme, styles.Unicode())
		g := &st.G
		content := []string{Select(st.Text.S("selected ")+st.Faint.S("1 kB"), st), Hold("held", st), st.Bold.S("bold"), "plain"}
		for _, c := range []struct {
			name   string
			f      Frame
			filled bool
			edges  []styles.Glyph // of the first two rows
		}{
			{"with the focus", Frame{Focused: true}, true, []styles.Glyph{styles.Bar, styles.Hair}},
			{"without", Frame{}, false, []styles.Glyph{styles.Hair, styles.Hair}},
			{"beside an input", Frame{Picks: true}, true, []styles.Glyph{glyphless, styles.Hair}},
		} {
			var m Memo
			for range 2 { // the second is of the cache
				rows := m.Box(st, c.f, 24, 6, content)
				checkBlock(t, rows, 24, 6)
				if filled := strings.Contains(rows[1], st.Selected.On); filled != c.filled {
					t.Errorf("%s %s: got the selected row filled: %t, want %t: %q", theme.Name, c.name, filled, c.filled, rows[1])
				}
				if bold := strings.Contains(rows[1], st.Held.On+"selected") || strings.Contains(rows[1], st.Held.On+st.Text.On); bold == c.filled {
					t.Errorf("%s %s: got the selected row bold: %t, want %t: %q", theme.Name, c.name, bold, !c.filled, rows[1])
				}
				for y, edge := range c.edges {
					sign := " "
					if edge != glyphless {
						sign = g[edge]
					}
					if got, want := Plain(rows[1+y])[:len(g[styles.Vertical]+sign)], g[styles.Vertical]+sign; got != want {
						t.Errorf("%s %s: got %q left of row %d, want %q", theme.Name, c.name, got, y, want)
					}
				}
				for _, row := range rows[3:5] {
					if !strings.HasPrefix(Plain(row), g[styles.Vertical]+" ") {
						t.Errorf("%s %s: got %q, want no sign left of other rows", theme.Name, c.name, row)
					}
				}
			}
		}
	}
}

const glyphless styles.Glyph = 255

// Focus that comes and goes draws the row again.
func TestARowOfTheCacheFollowsTheFocus(t *testing.T) {
	var m Memo
	st := dark()
	content := []string{Select("row", st)}
	for _, focused := range []bool{true, false, true} {
		if got := strings.Contains(m.Box(st, Frame{Focused: focused}, 12, 3, content)[1], st.Selected.On); got != focused {
			t.Errorf("focus %t: got the row filled: %t", focused, got)
		}
	}
}
