package styles_test

import (
	"strings"
	"testing"

	"parley/themes"
	"parley/ui/styles"
)

// The text of an area can be read on its colour, in every theme, and the cells beside the text have the same
// ground.
func TestTheTextOfAnAreaCanBeRead(t *testing.T) {
	for _, theme := range themes.All() {
		for _, depth := range []themes.Depth{themes.Full, themes.Indexes256} {
			st := styles.New(theme.In(depth), styles.Unicode())
			areas := append([]styles.Area{st.AgentArea, st.WaitingArea, st.FailedArea, st.OKArea, st.DimArea}, st.TagAreas...)
			for i, b := range areas {
				if theme.Colorless() {
					if got := st.TextIn(b, true); strings.Contains(got.On, "7") || got.On == "" || st.TextIn(b, false) != b.Text {
						t.Errorf("%s: got text %q on a selected row without colours, want no reverse video, which is the row", theme.Name, got.On)
					}
					if b.Text.On != "\x1b[1;7m" || b.Fill.On != "" {
						t.Errorf("%s: got area %d %q without colours, want bold reverse text between signs", theme.Name, i, b)
					}
					continue
				}
				if st.TextIn(b, true) != b.Text {
					t.Errorf("%s: got other text in area %d of a selected row", theme.Name, i)
				}
				text, ground := coloursOf(t, b.Text)
				sign, fill := coloursOf(t, b.Fill)
				if text == nil || ground == nil || ground != fill || sign != fill {
					t.Fatalf("%s: area %d has the colours of %q, want text on a ground, and that ground alone", theme.Name, i, b)
				}
				if r := themes.Contrast(text, ground); r < theme.Contrast {
					t.Errorf("%s, depth %d: the text of area %d has a contrast of %.2f:1, want at least %v:1", theme.Name, depth, i, r, theme.Contrast)
				}
			}
		}
		if st := styles.New(theme.In(themes.Indexes16), styles.Unicode()); !theme.Colorless() && strings.Contains(st.FailedArea.Text.On, "38;") {
			t.Errorf("%s: got %q with 16 colours, want one of them", theme.Name, st.FailedArea.Text.On)
		}
	}
}
