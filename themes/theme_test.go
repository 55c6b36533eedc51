package themes

import (
	"image/color"
	"math"
	"testing"
)

// texts are the tokens that text is drawn in. Hairline is exempt.
func texts(t Theme) map[string]color.Color {
	return map[string]color.Color{
		"Text": t.Text, "Dim": t.Dim, "Faint": t.Faint, "Accent": t.Accent, "User": t.User, "Agent": t.Agent,
		"OK": t.OK, "Waiting": t.Waiting, "Failed": t.Failed, "Number": t.Number,
	}
}

func TestEveryTextTokenIsReadable(t *testing.T) {
	const enough = 4.5 // WCAG 2.2, success criterion 1.4.3, level AA
	for _, theme := range All() {
		if theme.Colorless() {
			continue
		}
		for name, c := range texts(theme) {
			if r := contrast(c, theme.Ground); r < enough {
				t.Errorf("%s: %s on Ground: got contrast %.2f:1, want at least %v:1", theme.Name, name, r, enough)
			}
			if r := contrast(c, theme.Well); name != "Faint" && r < enough {
				t.Errorf("%s: %s on Well: got contrast %.2f:1, want at least %v:1", theme.Name, name, r, enough)
			}
			if name == "Faint" {
				continue // on a selected row faint text is drawn in Dim
			}
			if r := contrast(c, theme.Selection); r < enough {
				t.Errorf("%s: %s on Selection: got contrast %.2f:1, want at least %v:1", theme.Name, name, r, enough)
			}
		}
		if r := contrast(theme.Selection, theme.Ground); r < 1.6 {
			t.Errorf("%s: Selection on Ground: got contrast %.2f:1, want at least 1.6:1", theme.Name, r)
		}
		if r := contrast(theme.Well, theme.Ground); r < 1.2 || r >= contrast(theme.Selection, theme.Ground) {
			t.Errorf("%s: Well on Ground: got contrast %.2f:1, want at least 1.2:1 and less than the selection", theme.Name, r)
		}
		if r := contrast(theme.Ground, theme.Accent); r < enough {
			t.Errorf("%s: Ground on Accent: got contrast %.2f:1, want at least %v:1", theme.Name, r, enough)
		}
		if r := contrast(theme.Hairline, theme.Ground); r > 2.5 {
			t.Errorf("%s: Hairline on Ground: got contrast %.2f:1, want at most 2.5:1", theme.Name, r)
		}
	}
}

func TestContrastFollowsTheDefinition(t *testing.T) {
	black, white := color.Gray{}, color.Gray{Y: 255}
	if r := contrast(black, white); math.Abs(r-21) > 0.001 {
		t.Errorf("black on white: got contrast %.3f:1, want 21:1", r)
	}
	if r := contrast(color.Gray{Y: 0x77}, white); math.Abs(r-4.478) > 0.001 {
		t.Errorf("#777777 on white: got contrast %.3f:1, want 4.478:1", r)
	}
}

// contrast is the contrast ratio of WCAG 2.2.
func contrast(a, b color.Color) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

func luminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	linear := func(v uint32) float64 {
		x := float64(v) / 0xffff
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}

func TestColoursOfAThemeDiffer(t *testing.T) {
	for _, theme := range All() {
		if theme.Colorless() {
			continue
		}
		seen := map[color.Color]string{}
		for name, c := range texts(theme) {
			if other, ok := seen[c]; ok {
				t.Errorf("%s: got the same colour for %s and %s, want two", theme.Name, name, other)
			}
			seen[c] = name
		}
	}
}

func TestByName(t *testing.T) {
	for _, theme := range All() {
		if got, ok := ByName(theme.Name); !ok || got != theme {
			t.Errorf("ByName(%q): got %v (%t), want that theme", theme.Name, got, ok)
		}
	}
	if _, ok := ByName("none"); ok {
		t.Error("ByName(none): got a theme, want none")
	}
}

func TestOnlyMonoIsColorless(t *testing.T) {
	for _, theme := range All() {
		if got, want := theme.Colorless(), theme.Name == "mono"; got != want {
			t.Errorf("%s: got Colorless %v, want %v", theme.Name, got, want)
		}
	}
}
