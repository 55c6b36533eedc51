package themes

import (
	"image/color"
	"math"
)

// A lab is a colour in OKLab (Björn Ottosson, 2020): lightness and two axes of hue, in which equal
// distances look equally large.
type lab struct{ l, a, b float64 }

func labOf(c color.Color) lab {
	r, g, b := linear(c)
	l := math.Cbrt(0.4122214708*r + 0.5363325363*g + 0.0514459929*b)
	m := math.Cbrt(0.2119034982*r + 0.6806995451*g + 0.1073969566*b)
	s := math.Cbrt(0.0883024619*r + 0.2817188376*g + 0.6299787005*b)
	return lab{
		l: 0.2104542553*l + 0.7936177850*m - 0.0040720468*s,
		a: 1.9779984951*l - 2.4285922050*m + 0.4505937099*s,
		b: 0.0259040371*l + 0.7827717662*m - 0.8086757660*s,
	}
}

// rgb returns the colour; one that no screen shows is made greyer until one does, so that its hue
// stays.
func (c lab) rgb() color.RGBA {
	const steps = 40
	r, g, b := c.linear()
	for k := steps - 1; k >= 0 && !shown(r, g, b); k-- {
		paler := float64(k) / steps
		r, g, b = lab{c.l, c.a * paler, c.b * paler}.linear()
	}
	one := func(x float64) uint8 {
		x = min(max(x, 0), 1)
		if x <= 0.0031308 {
			x *= 12.92
		} else {
			x = 1.055*math.Pow(x, 1/2.4) - 0.055
		}
		return uint8(math.Round(x * 0xff))
	}
	return color.RGBA{R: one(r), G: one(g), B: one(b), A: 0xff}
}

// shown reports whether a screen has the linear components.
func shown(components ...float64) bool {
	const rounding = 0.0005
	return min(components[0], components[1], components[2]) >= -rounding && max(components[0], components[1], components[2]) <= 1+rounding
}

// linear returns the linear components.
func (c lab) linear() (red, green, blue float64) {
	cube := func(x float64) float64 { return x * x * x }
	l := cube(c.l + 0.3963377774*c.a + 0.2158037573*c.b)
	m := cube(c.l - 0.1055613458*c.a - 0.0638541728*c.b)
	s := cube(c.l - 0.0894841775*c.a - 1.2914855480*c.b)
	return 4.0767416621*l - 3.3077115913*m + 0.2309699292*s,
		-1.2684380046*l + 2.6097574011*m - 0.3413193965*s,
		-0.0041960863*l - 0.7034186147*m + 1.7076147010*s
}

// Between returns the colour that lies between two others for the eye: a for 0, b for 1.
func Between(a, b color.Color, part float64) color.Color {
	return labOf(a).between(labOf(b), part).rgb()
}

// between returns the colour that lies between two others: c for 0, d for 1.
func (c lab) between(d lab, part float64) lab {
	mix := func(from, to float64) float64 { return from + (to-from)*part }
	return lab{mix(c.l, d.l), mix(c.a, d.a), mix(c.b, d.b)}
}

// chroma returns how far a colour is from grey.
func (c lab) chroma() float64 { return math.Hypot(c.a, c.b) }

// distance returns the square of the distance of two colours, in which hue counts more than
// lightness: a darker amber is still amber, a red is not.
func (c lab) distance(d lab) float64 {
	const hue = 3
	l, a, b := c.l-d.l, c.a-d.a, c.b-d.b
	return l*l + hue*(a*a+b*b)
}
