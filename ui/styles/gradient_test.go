package styles_test

import (
	"image/color"
	"strings"
	"testing"

	"parley/themes"
	"parley/ui/styles"
)

// A gradient runs from the accent to the agents' colour through colours that can be read, in a user's theme
// too; terminals with fewer colours have one.
func TestAGradientRunsBetweenTwoColoursOfTheTheme(t *testing.T) {
	own, mistakes := themes.Read("own", "own.toml", []byte("accent = \"#ff5f87\"\nagent = \"#5fd787\""))
	if len(mistakes) > 0 {
		t.Fatal(mistakes)
	}
	for _, theme := range append(themes.All(), own) {
		st := styles.New(theme, styles.Unicode())
		const n = 32
		got := st.Gradient(n)
		if theme.Colorless() {
			if got[0] != got[n-1] || strings.Contains(got[0].On, "8;") {
				t.Errorf("%s: got %q, want bold alone", theme.Name, got[0].On)
			}
			continue
		}
		for i, want := range map[int]color.Color{0: theme.Accent, n - 1: theme.Agent} {
			if pair := styles.Pair(want, nil); strings.TrimPrefix(got[i].On, "\x1b[1;") != strings.TrimPrefix(pair.On, "\x1b[") {
				t.Errorf("%s: got paint %d %q, want the colour of %q", theme.Name, i, got[i].On, pair.On)
			}
		}
		for i := range n {
			c := themes.Between(theme.Accent, theme.Agent, float64(i)/(n-1))
			if r := themes.Contrast(c, theme.Ground); r < 3 { // of large signs
				t.Errorf("%s: got contrast %.2f:1 in step %d", theme.Name, r, i)
			}
		}
		if middle := got[n/2]; theme.Accent != theme.Agent && (middle == got[0] || middle == got[n-1]) {
			t.Errorf("%s: got %q in the middle, want another colour", theme.Name, middle.On)
		}
		for _, depth := range []themes.Depth{themes.Indexes256, themes.Indexes16} {
			st := styles.New(theme.In(depth), styles.Unicode())
			if got := st.Gradient(n); got[0] != got[n-1] || got[0] != st.Accent.Bold() {
				t.Errorf("%s, depth %d: got %q to %q, want the accent", theme.Name, depth, got[0].On, got[n-1].On)
			}
		}
	}
	if got := styles.New(themes.Dark(), styles.Unicode()).Gradient(1); len(got) != 1 || len(got[0].On) == 0 {
		t.Errorf("got %v for one step", got)
	}
}
