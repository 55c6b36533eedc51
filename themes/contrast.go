package themes

import (
	"fmt"
	"image/color"
	"math"
)

// What texts and areas need (WCAG 2.2, success criteria 1.4.3 and 1.4.11).
const (
	readable = 4.5 // a text
	muted    = 3.0 // a text that is less important than its neighbours
	visible  = 1.6 // the selection on the ground

	middle = 0.18 // the luminance at which black and white have about the same contrast
)

// Contrast returns the contrast ratio of two colours as WCAG 2.2 defines it, from 1 to 21.
func Contrast(a, b color.Color) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

func luminance(c color.Color) float64 {
	if i, ok := c.(Index); ok && i >= firstFixed {
		return palette()[i].luminance
	}
	return brightness(linear(c))
}

func brightness(r, g, b float64) float64 { return 0.2126*r + 0.7152*g + 0.0722*b }

// linear returns the linear components of a colour, from 0 to 1.
func linear(c color.Color) (r, g, b float64) {
	one := func(v uint32) float64 {
		x := float64(v) / 0xffff
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	ri, gi, bi, _ := c.RGBA()
	return one(ri), one(gi), one(bi)
}

// Legible returns c, lightened or darkened as little as possible so that it has the contrast
// least on a background. Its hue stays. Where that is not possible, it is white or black.
func Legible(c, on color.Color, least float64) color.Color {
	if c == nil || on == nil || Contrast(c, on) >= least {
		return c
	}
	const step = 0.005
	from, up := labOf(c), step
	if luminance(on) > middle {
		up = -step
	}
	for l := from.l + up; l > 0 && l < 1; l += up {
		if c := (lab{l, from.a, from.b}).rgb(); Contrast(c, on) >= least {
			return c
		}
	}
	if up > 0 {
		return color.RGBA{R: 0xff, G: 0xff, B: 0xff, A: 0xff}
	}
	return color.RGBA{A: 0xff}
}

// least returns the contrast that a text token needs on the ground, on bands and on wells.
func (t *Theme) least(k token) float64 {
	if k.key == "faint" && t.Contrast <= readable {
		return muted
	}
	return t.Contrast
}

// A Change is a colour of a theme, and the one that replaces it on a background.
type Change struct{ From, To color.Color }

// OnSelection returns the text colours that are replaced on the selected row, where they would be
// too close to the background.
func (t Theme) OnSelection() []Change {
	if t.Colorless() || t.Selection == nil {
		return nil
	}
	var out []Change
	add := func(from, to color.Color) {
		if to = t.legible(to); from != nil && from != to {
			out = append(out, Change{From: from, To: to})
		}
	}
	for _, k := range tokens[grounds:] {
		if c := *k.of(&t); k.key == "faint" {
			add(c, t.Dim)
		} else {
			add(c, c)
		}
	}
	for _, c := range t.Tags {
		add(c, c)
	}
	return out
}

// legible is [Legible] on the selection, among the colours that the terminal has.
func (t *Theme) legible(c color.Color) color.Color {
	switch t.Depth {
	case Full:
		return Legible(c, t.Selection, t.Contrast)
	case Indexes256:
		if c == nil || Contrast(c, t.Selection) >= t.Contrast {
			return c
		}
		from, _ := c.(Index)
		fits := func(i Index) bool { return Contrast(i, t.Selection) >= t.Contrast }
		if hue := nearest(c, func(i Index) bool { return i.grey() == from.grey() && fits(i) }); Contrast(hue, t.Selection) >= t.Contrast {
			return hue
		}
		return nearest(c, fits)
	default:
		return c
	}
}

// Shortfalls says which texts of a theme are hard to read, each in a clause; none if all can be
// read.
func (t Theme) Shortfalls() []string {
	if t.Colorless() || t.Ground == nil || t.Well == nil || t.Selection == nil {
		return nil
	}
	var out []string
	check := func(what string, a color.Color, where string, b color.Color, least float64) {
		if a == nil || b == nil {
			return
		}
		if r := Contrast(a, b); r < least {
			out = append(out, fmt.Sprintf("%s on %s has a contrast of %.1f:1, and needs %v:1", what, where, r, least))
		}
	}
	for _, k := range tokens[grounds:] {
		c := *k.of(&t)
		check(k.key, c, "ground", t.Ground, t.least(k))
		check(k.key, c, "well", t.Well, t.least(k))
		check(k.key, c, "band", t.Band, t.least(k))
	}
	for i, c := range t.Tags {
		check(fmt.Sprintf("tag %d", i+1), c, "ground", t.Ground, t.Contrast)
		check(fmt.Sprintf("tag %d", i+1), c, "band", t.Band, t.Contrast)
	}
	check("ground", t.Ground, "accent", t.Accent, t.Contrast)
	check("selection", t.Selection, "ground", t.Ground, visible)
	return out
}
