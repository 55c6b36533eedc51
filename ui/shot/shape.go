package shot

import (
	"image"
	"math"
	"strconv"
	"strings"

	"golang.org/x/image/vector"
)

// A shape draws lines and areas into a mask, in pixels.
type shape struct {
	m *image.Alpha
	r *vector.Rasterizer
}

func (p *pen) shape(m *image.Alpha) *shape {
	return &shape{m: m, r: vector.NewRasterizer(m.Rect.Dx(), m.Rect.Dy())}
}

// end puts what was drawn into the mask, over what is there.
func (d *shape) end() { d.r.Draw(d.m, d.m.Rect, image.Opaque, image.Point{}) }

// area fills a polygon. All have one direction, so that they add up where they overlap.
func (d *shape) area(at ...[2]float64) {
	sum := 0.0
	for i, a := range at {
		b := at[(i+1)%len(at)]
		sum += a[0]*b[1] - b[0]*a[1]
	}
	for i := range at {
		k := i
		if sum < 0 {
			k = len(at) - 1 - i
		}
		if x, y := float32(at[k][0]), float32(at[k][1]); i == 0 {
			d.r.MoveTo(x, y)
		} else {
			d.r.LineTo(x, y)
		}
	}
	d.r.ClosePath()
}

// line draws a straight line of a width.
func (d *shape) line(x0, y0, x1, y1, width float64) {
	long := math.Hypot(x1-x0, y1-y0)
	if long == 0 {
		return
	}
	nx, ny := -(y1-y0)/long*width/2, (x1-x0)/long*width/2
	d.area([2]float64{x0 + nx, y0 + ny}, [2]float64{x1 + nx, y1 + ny}, [2]float64{x1 - nx, y1 - ny}, [2]float64{x0 - nx, y0 - ny})
}

// arc draws a part of a circle, in degrees clockwise from the right.
func (d *shape) arc(x, y, radius, from, to, width float64) {
	const step = 6.0
	var outer, inner [][2]float64
	for n, i := int(math.Ceil((to-from)/step)), 0; i <= n; i++ {
		sin, cos := math.Sincos((from + (to-from)*float64(i)/float64(n)) * math.Pi / 180)
		outer = append(outer, [2]float64{x + cos*(radius+width/2), y + sin*(radius+width/2)})
		inner = append([][2]float64{{x + cos*(radius-width/2), y + sin*(radius-width/2)}}, inner...)
	}
	d.area(append(outer, inner...)...)
}

// disc fills a circle.
func (d *shape) disc(x, y, radius float64) { d.sector(x, y, radius, 0, 360) }

// sector fills a part of a circle between two angles.
func (d *shape) sector(x, y, radius, from, to float64) {
	const steps = 40
	var at [][2]float64
	for i := range steps + 1 {
		sin, cos := math.Sincos((from + (to-from)*float64(i)/steps) * math.Pi / 180)
		at = append(at, [2]float64{x + cos*radius, y + sin*radius})
	}
	d.area(at...)
}

// own draws one of Parley's signs, and reports whether it is one. A drawing is in a square of the
// width of a cell: l is a line through points, p a polygon, c a disc (middle, radius), o a ring, a
// an arc and s a half of a disc (with angles).
func (p *pen) own(m *image.Alpha, r rune) bool {
	drawing := drawingOf(r)
	if drawing == "" {
		return false
	}
	d, size := p.shape(m), float64(p.w)*1.1
	left, top := (float64(m.Rect.Dx())-size)/2, float64(p.h)*0.52-size/2
	width := float64(p.scale) * 1.3
	for command := range strings.SplitSeq(drawing, ";") {
		fields := strings.Fields(command)
		v := make([]float64, len(fields)-1)
		for i, f := range fields[1:] {
			v[i], _ = strconv.ParseFloat(f, 64) // they are written below
		}
		x, y := func(v float64) float64 { return left + v*size }, func(v float64) float64 { return top + v*size }
		switch fields[0] {
		case "l":
			for i := 0; i+3 < len(v); i += 2 {
				d.line(x(v[i]), y(v[i+1]), x(v[i+2]), y(v[i+3]), width)
			}
		case "p":
			var at [][2]float64
			for i := 0; i+1 < len(v); i += 2 {
				at = append(at, [2]float64{x(v[i]), y(v[i+1])})
			}
			d.area(at...)
		case "c":
			d.disc(x(v[0]), y(v[1]), v[2]*size)
		case "o":
			d.arc(x(v[0]), y(v[1]), v[2]*size, 0, 360, width)
		case "a":
			d.arc(x(v[0]), y(v[1]), v[2]*size, v[3], v[4], width)
		case "s":
			d.sector(x(v[0]), y(v[1]), v[2]*size, v[3], v[4])
		}
	}
	d.end()
	return true
}

// drawingOf returns how a sign that the fonts lack is drawn, empty for others.
func drawingOf(r rune) string {
	switch r {
	case '✓', '✔':
		return "l .1 .55 .38 .85 .9 .15"
	case '✕', '✗', '✘':
		return "l .15 .15 .85 .85;l .85 .15 .15 .85"
	case '◐':
		return "o .5 .5 .4;s .5 .5 .4 90 270"
	case '◒':
		return "o .5 .5 .4;s .5 .5 .4 0 180"
	case '◌':
		return "c .5 .1 .08;c .78 .22 .08;c .9 .5 .08;c .78 .78 .08;c .5 .9 .08;c .22 .78 .08;c .1 .5 .08;c .22 .22 .08"
	case '⊘':
		return "o .5 .5 .42;l .22 .78 .78 .22"
	case '⊗':
		return "o .5 .5 .42;l .22 .22 .78 .78;l .22 .78 .78 .22"
	case '◆':
		return "p .5 .02 .94 .5 .5 .98 .06 .5"
	case '◇':
		return "l .5 .05 .9 .5 .5 .95 .1 .5 .5 .05"
	case '▸', '▶':
		return "p .2 .08 .9 .5 .2 .92"
	case '▾':
		return "p .05 .25 .95 .25 .5 .9"
	case '⚑':
		return "l .18 0 .18 1.1;p .18 .02 .98 .3 .18 .62"
	case '✎':
		return "l .2 .85 .85 .15;l .05 1 .3 .8;l .72 .05 .95 .28"
	case '❯':
		return "l .25 0 .75 .5 .25 1"
	case '⟩':
		return "l .3 -.2 .6 .5 .3 1.2"
	case '⟨':
		return "l .6 -.2 .3 .5 .6 1.2"
	case '‖':
		return "l .32 -.05 .32 1.05;l .68 -.05 .68 1.05"
	case '↻':
		return "a .5 .55 .38 -10 260;p .62 -.08 1.08 .1 .68 .44"
	case '↩':
		return "l .1 .62 .6 .62;a .6 .37 .25 -90 90;l .6 .12 .35 .12;p 0 .62 .4 .32 .4 .92"
	case '⏎':
		return "l .9 .2 .9 .62 .1 .62;l .35 .38 .1 .62 .35 .86"
	case '␣':
		return "l .08 .75 .08 1.02 .92 1.02 .92 .75"
	case '↗':
		return "l .12 .88 .8 .2;l .35 .15 .85 .15 .85 .65"
	case '↯':
		return "l .68 -.05 .3 .42 .7 .5 .38 .9;p .2 1.08 .28 .64 .62 .9"
	case '⑂':
		return "l .5 1.05 .5 .6 .15 .1;l .5 .6 .85 .1"
	case '▤':
		return "l .06 0 .94 0 .94 1 .06 1 .06 0;l .06 .34 .94 .34;l .06 .67 .94 .67"
	case '▣':
		return "l .06 .06 .94 .06 .94 .94 .06 .94 .06 .06;p .3 .3 .7 .3 .7 .7 .3 .7"
	default:
		return ""
	}
}
