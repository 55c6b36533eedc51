package themes

import (
	"image/color"
	"slices"
	"sync"
)

// In returns the theme for a terminal with so many colours. With 256, each colour is the nearest
// one that keeps its contrast and differs from the other meanings. With 16, which look as the
// user's terminal defines them, all themes of one ground are alike.
func (t Theme) In(d Depth) Theme {
	switch {
	case d == NoColours:
		mono := Mono()
		mono.Name, mono.About, mono.Depth = t.Name, t.About, d
		return mono
	case t.Colorless() || d == Full:
		return t
	case d == Indexes256:
		return t.in256()
	default:
		return t.in16()
	}
}

// firstFixed is the first index that looks the same in every terminal.
const firstFixed = 16

// greyish is the chroma below which a text is a grey: the cube has no tones between, and its next
// blue or yellow would be much louder than the one that is meant.
const greyish = 0.065

// grey reports whether a colour has no hue.
func (i Index) grey() bool { return i >= 232 || i >= firstFixed && (i-firstFixed)%43 == 0 }

// A tone is what is known about a colour of the table.
type tone struct {
	lab       lab
	luminance float64
}

// palette returns the colours with an index from firstFixed on.
var palette = sync.OnceValue(func() *[256]tone {
	var out [256]tone
	for i := firstFixed; i < len(out); i++ {
		r, g, b := linear(Index(i))
		out[i] = tone{lab: labOf(Index(i)), luminance: brightness(r, g, b)}
	}
	return &out
})

// nearest returns the index nearest to a colour among those that fit; the nearest of all if none
// does.
func nearest(c color.Color, fits func(i Index) bool) color.Color {
	all, to := palette(), labOf(c)
	best, closest := -1, 0.0
	for i := firstFixed; i < len(all); i++ {
		if d := to.distance(all[i].lab); (best < 0 || d < closest) && fits(Index(i)) {
			best, closest = i, d
		}
	}
	if best < 0 {
		return nearest(c, func(Index) bool { return true })
	}
	return Index(best)
}

// first256 are the text tokens, by index, in the order in which they choose: first the greys, then
// what must not be taken for anything else.
var first256 = [...]int{5, 6, 7, 12, 13, 11, 9, 10, 8, 14}

// in256 is [Theme.In] for 256 colours.
func (t Theme) in256() Theme {
	from := t
	t.Depth = Indexes256
	between := func(least, most float64) func(Index) bool {
		return func(i Index) bool { r := Contrast(i, t.Ground); return r >= least && r <= most }
	}
	t.Ground = nearest(from.Ground, func(Index) bool { return true })
	brightest := color.Color(color.White)
	if !t.Dark {
		brightest = color.Black
	}
	seen := between(visible, mostContrast)
	t.Selection = nearest(from.Selection, func(i Index) bool { return seen(i) && Contrast(i, brightest) >= t.Contrast })
	t.Well = nearest(from.Well, between(1.1, Contrast(t.Selection, t.Ground)-0.1))
	t.Band = nearest(from.Band, between(1.04, Contrast(t.Well, t.Ground)))
	t.Hairline = nearest(from.Hairline, between(1.2, max(2.5, Contrast(from.Hairline, from.Ground))))
	var taken []Index
	for _, n := range first256 {
		k := tokens[n]
		c, least := k.of(&t), t.least(k)
		grey := n < grounds+greys && labOf(*c).chroma() < greyish
		*c = nearest(*c, func(i Index) bool {
			return !slices.Contains(taken, i) && i.grey() == grey && Contrast(i, t.Ground) >= least && Contrast(i, t.Well) >= least
		})
		taken = append(taken, (*c).(Index))
	}
	for n := range t.Tags {
		t.Tags[n] = nearest(t.Tags[n], func(i Index) bool {
			return !slices.Contains(t.Tags[:n], color.Color(i)) && Contrast(i, t.Ground) >= t.Contrast && Contrast(i, t.Band) >= t.Contrast
		})
	}
	return t
}

// in16 is [Theme.In] for 16 colours: the bright ones on black, the others on white. Wells are
// left to an attribute, because no grey of the table is sure to differ from the texts on it.
func (t Theme) in16() Theme {
	const (
		black, red, green, yellow, blue, magenta, cyan, silver = Index(0), Index(1), Index(2), Index(3), Index(4), Index(5), Index(6), Index(7)
		grey, bright                                           = Index(8), Index(8) // bright + red is the bright red
	)
	out := Theme{
		Name: t.Name, About: t.About, Dark: t.Dark, Contrast: t.Contrast, Depth: Indexes16,
		Ground: black, Hairline: grey, Selection: blue, Text: bright + silver, Dim: silver, Faint: grey,
		Accent: bright + blue, User: bright + magenta, Agent: bright + cyan, OK: bright + green,
		Waiting: bright + yellow, Failed: bright + red, Number: yellow,
		Tags: [6]color.Color{cyan, magenta, bright + blue, yellow, green, red},
	}
	if !t.Dark { // yellow cannot be read on white, in whatever table
		out.Ground, out.Hairline, out.Text, out.Dim, out.Faint = bright+silver, silver, black, grey, grey
		out.Accent, out.User, out.Agent, out.OK, out.Waiting, out.Failed, out.Number = blue, blue, cyan, green, magenta, red, blue
		out.Tags = [6]color.Color{blue, magenta, cyan, red, green, yellow}
	}
	if t.Contrast > readable { // the table has no grey that is sure to be readable
		out.Dim, out.Faint, out.Hairline = out.Text, out.Text, silver
	}
	return out
}
