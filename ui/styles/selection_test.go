package styles_test

import (
	"strings"
	"testing"

	"parley/themes"
	"parley/ui/styles"
)

// On the selected row each paint has the colours that the theme has for it there, wherever they
// stand in a sequence.
func TestColoursAreLiftedOnTheSelection(t *testing.T) {
	for _, name := range []string{"nord", "gruvbox-light"} {
		for _, depth := range []themes.Depth{themes.Full, themes.Indexes256} {
			theme, _ := themes.ByName(name)
			theme = theme.In(depth)
			st := styles.New(theme, styles.Unicode())
			changes := theme.OnSelection()
			if len(changes) < 3 || !st.Lifts() {
				t.Fatalf("%s: got %d colours that change, want some", name, len(changes))
			}
			faint := themes.Theme{Accent: theme.Dim, Text: theme.Dim, Selection: theme.Selection, Contrast: theme.Contrast, Depth: depth}
			want := styles.New(faint, st.G).Lift(st.Dim.On)
			if got := st.Lift(st.Faint.On); got != want || got == st.Faint.On {
				t.Errorf("%s: got %q for faint text, want dim text as it is there: %q", name, got, want)
			}
			accent := strings.TrimSuffix(strings.TrimPrefix(st.Lift(st.Failed.On), "\x1b["), "m")
			bold := "\x1b[1;" + strings.TrimPrefix(strings.TrimSuffix(st.Failed.On, "m"), "\x1b[") + ";4m"
			if got, want := st.Lift(bold), "\x1b[1;"+accent+";4m"; got != want {
				t.Errorf("%s: got %q for %q, want %q", name, got, bold, want)
			}
			for _, same := range []string{styles.Reset, "\x1b[1m", st.Well.On, styles.Pair(theme.Failed, theme.Ground).On, "\x1b[38;2;1;2;3m", "word", "\x1b[38;5m", "\x1b[38m", "\x1b[38;2;1m"} {
				if got := st.Lift(same); got != same {
					t.Errorf("%s: got %q, want %q unchanged", name, got, same)
				}
			}
			if got := st.Lift(st.Band.On); got != "" {
				t.Errorf("%s: got band %q on the selection, want none", name, got)
			}
			if got, want := st.OnSelection(st.Failed).On, st.Selected.On+st.Lift(st.Failed.On); got != want {
				t.Errorf("%s: got paint %q, want %q", name, got, want)
			}
		}
	}
	if st := styles.New(themes.Mono(), styles.Unicode()); st.Lifts() {
		t.Error("got changes without colours, want none")
	}
}

// With 16 colours a selected row has one text colour, and backgrounds on it stay.
func TestSixteenColoursAreFlatOnTheSelection(t *testing.T) {
	for _, theme := range []themes.Theme{themes.Dark(), themes.Light()} {
		st := styles.New(theme.In(themes.Indexes16), styles.Unicode())
		for _, p := range []styles.Paint{st.Text, st.Faint, st.Waiting, st.Bold, st.Tags[0], {On: "\x1b[1;4;97m"}} {
			if got := st.OnSelection(p); got != st.Selected {
				t.Errorf("%s: got %q for %q, want the selection's own colours", theme.Name, got.On, p.On)
			}
		}
		for _, seq := range []string{styles.Reset, st.Mark.On, st.Chip.On, st.Selected.On} {
			if got := st.Lift(seq); got != seq {
				t.Errorf("%s: got %q for %q, want a background unchanged", theme.Name, got, seq)
			}
		}
	}
}

func TestIndexesAreWrittenWithTheirOwnParameters(t *testing.T) {
	dark := themes.Dark()
	if got := styles.New(dark.In(themes.Indexes16), styles.Unicode()); got.Accent.On != "\x1b[94m" || got.Ground.On != "\x1b[97;40m" {
		t.Errorf("got %q and %q, want parameters of 16 colours", got.Accent.On, got.Ground.On)
	}
	if got := styles.New(dark.In(themes.Indexes256), styles.Unicode()); !strings.HasPrefix(got.Accent.On, "\x1b[38;5;") || !strings.HasPrefix(got.Selected.On, "\x1b[48;5;") {
		t.Errorf("got %q and %q, want parameters of 256 colours", got.Accent.On, got.Selected.On)
	}
	if got := styles.Name(themes.Index(12)) + styles.Name(dark.Ground); got != "12#11131a" {
		t.Errorf("got %q, want the notation of Lip Gloss", got)
	}
}
