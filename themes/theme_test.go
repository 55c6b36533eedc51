package themes

import (
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"
)

// texts are the tokens that text is drawn in. Hairline is exempt.
func texts(t Theme) map[string]color.Color {
	return map[string]color.Color{
		"Text": t.Text, "Dim": t.Dim, "Faint": t.Faint, "Accent": t.Accent, "User": t.User, "Agent": t.Agent,
		"OK": t.OK, "Waiting": t.Waiting, "Failed": t.Failed, "Number": t.Number,
	}
}

// shades are the built-in themes that have colours, for 24 bits and for 256 colours. Those of 16
// are the user's.
func shades() map[string]Theme {
	out := map[string]Theme{}
	for _, t := range All() {
		if !t.Colorless() {
			out[t.Name] = t
			out[t.Name+" in 256"] = t.In(Indexes256)
		}
	}
	return out
}

func TestEveryTextTokenIsReadable(t *testing.T) {
	// WCAG 2.2, success criteria 1.4.3 (levels AA and, for high contrast, AAA) and 1.4.11.
	for name, theme := range shades() {
		enough, faint := 4.5, 3.0
		switch theme.Name {
		case "high-contrast":
			enough, faint = 7, 7
		case "dark", "light":
			faint = 4.5
		}
		if theme.Contrast != max(enough, 4.5) {
			t.Errorf("%s: got a wanted contrast of %v, want %v", name, theme.Contrast, enough)
		}
		for token, c := range texts(theme) {
			least, onWell := enough, enough
			if token == "Faint" {
				least, onWell = faint, min(faint, 3.0)
				if theme.Name == "high-contrast" {
					onWell = 7
				}
			}
			if r := Contrast(c, theme.Ground); r < least {
				t.Errorf("%s: %s on Ground: got contrast %.2f:1, want at least %v:1", name, token, r, least)
			}
			if r := Contrast(c, theme.Well); r < onWell {
				t.Errorf("%s: %s on Well: got contrast %.2f:1, want at least %v:1", name, token, r, onWell)
			}
			if r := Contrast(c, theme.Band); r < onWell {
				t.Errorf("%s: %s on Band: got contrast %.2f:1, want at least %v:1", name, token, r, onWell)
			}
			if r := Contrast(selected(theme, c), theme.Selection); r < enough {
				t.Errorf("%s: %s on Selection: got contrast %.2f:1, want at least %v:1", name, token, r, enough)
			}
		}
		for i, c := range theme.Tags {
			if r := Contrast(c, theme.Ground); r < enough {
				t.Errorf("%s: tag %d on Ground: got contrast %.2f:1, want at least %v:1", name, i, r, enough)
			}
			if r := Contrast(c, theme.Band); r < enough {
				t.Errorf("%s: tag %d on Band: got contrast %.2f:1, want at least %v:1", name, i, r, enough)
			}
			if r := Contrast(selected(theme, c), theme.Selection); r < enough {
				t.Errorf("%s: tag %d on Selection: got contrast %.2f:1, want at least %v:1", name, i, r, enough)
			}
		}
		if r := Contrast(theme.Ground, theme.Accent); r < enough {
			t.Errorf("%s: Ground on Accent: got contrast %.2f:1, want at least %v:1", name, r, enough)
		}
	}
}

// selected returns the colour that replaces c on the selected row.
func selected(t Theme, c color.Color) color.Color {
	for _, change := range t.OnSelection() {
		if change.From == c {
			return change.To
		}
	}
	return c
}

func TestAreasCanBeToldApart(t *testing.T) {
	for name, theme := range shades() {
		loudest := 2.5
		if theme.Name == "high-contrast" {
			loudest = 4.5 // its borders are to be seen, but no louder than its faintest text
		}
		if r := Contrast(theme.Selection, theme.Ground); r < 1.6 {
			t.Errorf("%s: Selection on Ground: got contrast %.2f:1, want at least 1.6:1", name, r)
		}
		least := 1.2
		if theme.Depth == Indexes256 {
			least = 1.1 // the greys are steps
		}
		if r := Contrast(theme.Well, theme.Ground); r < least || r >= Contrast(theme.Selection, theme.Ground) {
			t.Errorf("%s: Well on Ground: got contrast %.2f:1, want at least %v:1 and less than the selection", name, r, least)
		}
		well := Contrast(theme.Well, theme.Ground)
		if r := Contrast(theme.Band, theme.Ground); r < 1.06 || r > well || r == well && theme.Depth == Full {
			t.Errorf("%s: Band on Ground: got contrast %.2f:1, want at least 1.06:1 and less than the well, %.2f:1", name, r, well)
		}
		if r := Contrast(theme.Hairline, theme.Ground); r > loudest || r >= Contrast(theme.Faint, theme.Ground) {
			t.Errorf("%s: Hairline on Ground: got contrast %.2f:1, want at most %v:1 and less than faint text", name, r, loudest)
		}
	}
}

func TestContrastFollowsTheDefinition(t *testing.T) {
	black, white := color.Gray{}, color.Gray{Y: 255}
	if r := Contrast(black, white); math.Abs(r-21) > 0.001 {
		t.Errorf("black on white: got contrast %.3f:1, want 21:1", r)
	}
	if r := Contrast(color.Gray{Y: 0x77}, white); math.Abs(r-4.478) > 0.001 {
		t.Errorf("#777777 on white: got contrast %.3f:1, want 4.478:1", r)
	}
}

func TestColoursOfAThemeDiffer(t *testing.T) {
	for name, theme := range shades() {
		seen := map[color.Color]string{}
		for token, c := range texts(theme) {
			if other, ok := seen[c]; ok {
				t.Errorf("%s: got the same colour for %s and %s, want two", name, token, other)
			}
			seen[c] = token
		}
		for i, c := range theme.Tags {
			if slices.Contains(theme.Tags[:i], c) {
				t.Errorf("%s: got tag %d twice, want six tags", name, i)
			}
		}
	}
}

func TestByName(t *testing.T) {
	if n := len(All()); n < 12 {
		t.Errorf("got %d built-in themes, want twelve at least", n)
	}
	for _, theme := range All() {
		if got, ok := ByName(theme.Name); !ok || got != theme {
			t.Errorf("ByName(%q): got %v (%t), want that theme", theme.Name, got, ok)
		}
	}
	if _, ok := ByName("none"); ok {
		t.Error("ByName(none): got a theme, want none")
	}
	for _, pair := range [][2]Theme{{Dark(), named("dark")}, {Light(), named("light")}, {Mono(), named("mono")}} {
		if pair[0] != pair[1] || pair[0].Name == "" {
			t.Errorf("got %v, want %v", pair[0], pair[1])
		}
	}
}

// Every file is a theme, says all that a theme has, and has no mistake.
func TestTheFilesOfBuiltInThemesAreComplete(t *testing.T) {
	entries, err := files.ReadDir("builtin")
	if err != nil || len(entries) != len(builtin) {
		t.Fatalf("got %d files (%v), want %d", len(entries), err, len(builtin))
	}
	for _, name := range builtin {
		content, err := files.ReadFile("builtin/" + name + ".toml")
		if err != nil {
			t.Fatal(err)
		}
		var theme Theme
		for _, mistake := range append(theme.change(name, content), (&file{path: name}).check(content)) {
			if mistake != "" {
				t.Error(mistake)
			}
		}
		if theme.About == "" {
			t.Errorf("%s: got no words about it", name)
		}
		if name == "mono" {
			continue
		}
		for _, k := range tokens { // a band is derived
			if *k.of(&theme) == nil {
				t.Errorf("%s: got no %s", name, k.key)
			}
		}
		if slices.Contains(theme.Tags[:], nil) {
			t.Errorf("%s: got tags %v, want six", name, theme.Tags)
		}
		if got := theme.Shortfalls(); len(got) > 0 && theme.Contrast > 0 {
			t.Errorf("%s: got shortfalls %v", name, got)
		}
		if light := strings.Contains(name, "light") || strings.Contains(name, "latte"); theme.Dark == light {
			t.Errorf("%s: got dark %t", name, theme.Dark)
		}
	}
}

func TestOnlyMonoIsColorless(t *testing.T) {
	for _, theme := range All() {
		if got, want := theme.Colorless(), theme.Name == "mono"; got != want {
			t.Errorf("%s: got Colorless %v, want %v", theme.Name, got, want)
		}
		if got := theme.In(NoColours); !got.Colorless() || got.Name != theme.Name {
			t.Errorf("%s without colours: got %v, want one without colours and of that name", theme.Name, got)
		}
	}
}

// With 16 colours, which are the user's, the two grounds are black and white, and what differs in
// meaning differs in colour where the table has one.
func TestSixteenColoursAreOfTheTable(t *testing.T) {
	for _, theme := range All() {
		if theme.Colorless() {
			continue
		}
		got := theme.In(Indexes16)
		for _, k := range tokens {
			c := *k.of(&got)
			if i, ok := c.(Index); c != nil && (!ok || i > 15) {
				t.Errorf("%s: got %s %v, want one of the 16", theme.Name, k.key, c)
			}
		}
		if want := map[bool]Index{true: 0, false: 15}[theme.Dark]; got.Ground != want {
			t.Errorf("%s: got ground %v, want %v", theme.Name, got.Ground, want)
		}
		roles := []color.Color{got.User, got.Agent, got.OK, got.Waiting, got.Failed}
		for i, c := range roles {
			if slices.Contains(roles[:i], c) || c == got.Text || c == got.Ground {
				t.Errorf("%s: got role %d in %v, which means something else too", theme.Name, i, c)
			}
		}
	}
}

func TestAColourIsMadeLegibleWithItsHue(t *testing.T) {
	ground := color.RGBA{R: 0x2e, G: 0x34, B: 0x40, A: 0xff}
	red := color.RGBA{R: 0xbf, G: 0x61, B: 0x6a, A: 0xff}
	got := Legible(red, ground, 4.5)
	r, g, b, _ := got.RGBA()
	if c := Contrast(got, ground); c < 4.5 || c > 4.7 || r <= g || r <= b {
		t.Errorf("got %v with contrast %.2f:1, want a red of 4.5:1", got, c)
	}
	if got := Legible(red, color.White, 3); got != color.Color(red) {
		t.Errorf("got %v, want a colour that can be read unchanged", got)
	}
	if got := Legible(color.Gray{Y: 100}, color.Gray{Y: 119}, 21); Contrast(got, color.White) < 20 && Contrast(got, color.Black) < 20 {
		t.Errorf("got %v where no colour is enough, want black or white", got)
	}
	if Legible(nil, ground, 4.5) != nil {
		t.Error("got a colour for none")
	}
}

func TestIndexesHaveXtermsColours(t *testing.T) {
	for i, want := range map[Index]color.RGBA{
		0: {A: 0xff}, 1: {R: 205, A: 0xff}, 12: {B: 255, A: 0xff}, 15: {R: 255, G: 255, B: 255, A: 0xff},
		16: {A: 0xff}, 67: {R: 95, G: 135, B: 175, A: 0xff}, 231: {R: 255, G: 255, B: 255, A: 0xff}, 232: {R: 8, G: 8, B: 8, A: 0xff}, 255: {R: 238, G: 238, B: 238, A: 0xff},
	} {
		if got := color.RGBAModel.Convert(i); got != color.Color(want) {
			t.Errorf("index %d: got %v, want %v", i, got, want)
		}
	}
}

// Every text token chooses its colour of 256 once.
func TestEveryTextTokenChoosesAnIndex(t *testing.T) {
	got := slices.Sorted(slices.Values(first256[:]))
	for i, n := range got {
		if n != grounds+i {
			t.Errorf("got tokens %v, want each text token once", got)
		}
	}
	if len(got) != len(tokens)-grounds {
		t.Errorf("got %d tokens, want %d", len(got), len(tokens)-grounds)
	}
	for i, want := range map[int]string{5: "text", 12: "waiting", 13: "failed"} {
		if tokens[i].key != want {
			t.Errorf("got token %d %s, want %s", i, tokens[i].key, want)
		}
	}
}
