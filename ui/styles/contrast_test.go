package styles_test

import (
	"image/color"
	"strconv"
	"strings"
	"testing"

	"parley/themes"
	"parley/ui/styles"
)

// coloursOf returns the colours that a paint sets, nil for none.
func coloursOf(t *testing.T, p styles.Paint) (text, ground color.Color) {
	t.Helper()
	for seq := range strings.SplitSeq(p.On, "m") {
		list := strings.Split(strings.TrimPrefix(seq, "\x1b["), ";")
		number := func(i int) uint8 {
			n, err := strconv.ParseUint(list[i], 10, 8)
			if err != nil {
				t.Fatalf("got sequence %q: %v", seq, err)
			}
			return uint8(n)
		}
		for i := 0; i < len(list); i++ {
			which := list[i]
			if of16, is := colourOf16(which); is && (which[0] == '4' || strings.HasPrefix(which, "10")) {
				ground = of16
			} else if is {
				text = of16
			}
			if which != "38" && which != "48" {
				continue
			}
			var c color.Color
			if list[i+1] == "2" {
				c, i = color.RGBA{R: number(i + 2), G: number(i + 3), B: number(i + 4), A: 0xff}, i+4
			} else {
				c, i = themes.Index(number(i+2)), i+2
			}
			if which == "38" {
				text = c
			} else {
				ground = c
			}
		}
	}
	return text, ground
}

// colourOf16 returns the colour of a parameter that sets one of 16.
func colourOf16(param string) (themes.Index, bool) {
	n, err := strconv.Atoi(param)
	if err != nil {
		return 0, false
	}
	for _, of := range []struct{ base, first int }{{30, 0}, {40, 0}, {90, 8}, {100, 8}} {
		if n >= of.base && n < of.base+8 {
			return themes.Index(n - of.base + of.first), true
		}
	}
	return 0, false
}

// The text of a solid block can be read on each of its colours, in every theme and with however many colours.
// It is bold, and two blocks of different meanings differ.
func TestSolidBlocksAreReadable(t *testing.T) {
	for _, theme := range themes.All() {
		if theme.Colorless() {
			continue
		}
		for _, depth := range []themes.Depth{themes.Full, themes.Indexes256, themes.Indexes16} {
			st := styles.New(theme.In(depth), styles.Unicode())
			seen := map[color.Color]bool{}
			for name, p := range map[string]styles.Paint{"agent": st.AgentArea.Text, "waiting": st.WaitingArea.Text, "failed": st.FailedArea.Text, "ok": st.OKArea.Text} {
				text, ground := coloursOf(t, p)
				if text == nil || ground == nil || seen[ground] {
					t.Fatalf("%s, depth %d: the block %s has the colours of %q, want two, and a ground of its own", theme.Name, depth, name, p.On)
				}
				seen[ground] = true
				if r := themes.Contrast(text, ground); r < 4.5 {
					t.Errorf("%s, depth %d: the block %s has a contrast of %.2f:1, want at least 4.5:1", theme.Name, depth, name, r)
				}
				if !strings.HasPrefix(p.On, "\x1b[1;") {
					t.Errorf("%s, depth %d: got %q for the block %s, want bold", theme.Name, depth, p.On, name)
				}
			}
		}
	}
}

// Every paint can be read on every background that it is drawn on: the ground, bands, wells and
// chips, and the selection, in 24 bits and in 256 colours.
func TestEveryPaintIsReadableWhereItIsDrawn(t *testing.T) {
	for _, theme := range themes.All() {
		if theme.Colorless() {
			continue
		}
		for _, depth := range []themes.Depth{themes.Full, themes.Indexes256} {
			st := styles.New(theme.In(depth), styles.Unicode())
			check := func(what string, p styles.Paint, least float64) {
				t.Helper()
				text, ground := coloursOf(t, p)
				if text == nil || ground == nil {
					t.Fatalf("%s: %s sets no two colours: %q", theme.Name, what, p.On)
				}
				if r := themes.Contrast(text, ground); r < least {
					t.Errorf("%s, depth %d: %s has a contrast of %.2f:1, want at least %v:1", theme.Name, depth, what, r, least)
				}
			}
			muted := 3.0
			if theme.Contrast > 4.5 {
				muted = theme.Contrast
			}
			for name, p := range paints(st) {
				switch text, ground := coloursOf(t, p); {
				case text != nil && ground != nil:
					check(name, p, theme.Contrast)
				case name == "Selected":
					check("text without a paint on Selected", st.Ground.And(p), theme.Contrast)
				case text == nil || name == "Hairline":
				case name == "Faint":
					check("Faint on Ground", st.Ground.And(p), muted)
					check("Faint on Well", st.Well.And(p), muted)
					check("Faint on Band", st.Band.And(p), muted)
					check("Faint on Selected", st.OnSelection(p), theme.Contrast)
				default:
					check(name+" on Ground", st.Ground.And(p), theme.Contrast)
					check(name+" on Chip", st.Chip.And(p), theme.Contrast)
					check(name+" on Band", st.Band.And(p), theme.Contrast)
					check(name+" on Selected", st.OnSelection(p), theme.Contrast)
				}
			}
			for _, p := range st.Tags {
				check("a tag on Ground", st.Ground.And(p), theme.Contrast)
				check("a tag on Band", st.Band.And(p), theme.Contrast)
				check("a tag on Selected", st.OnSelection(p), theme.Contrast)
			}
		}
	}
}
