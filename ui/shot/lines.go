package shot

import (
	"image"
	"strings"
)

// arms are the lines of U+2500 to U+257F that meet in the middle of a cell: to the top, the right,
// the bottom and the left, each absent (0), light (1), heavy (2) or double (3). Those without a
// number are drawn otherwise.
const arms = `0101 0202 1010 2020 .... .... .... .... .... .... .... .... 0110 0210 0120 0220
0011 0012 0021 0022 1100 1200 2100 2200 1001 1002 2001 2002 1110 1210 2110 1120
2120 2210 1220 2220 1011 1012 2011 1021 2021 2012 1022 2022 0111 0112 0211 0212
0121 0122 0221 0222 1101 1102 1201 1202 2101 2102 2201 2202 1111 1112 1211 1212
2111 1121 2121 2112 2211 1122 1221 2212 1222 2122 2221 2222 .... .... .... ....
0303 3030 0310 0130 0330 0013 0031 0033 1300 3100 3300 1003 3001 3003 1310 3130
3330 1013 3031 3033 0313 0131 0333 1303 3101 3303 1313 3131 3333 .... .... ....
.... .... .... .... 0001 1000 0100 0010 0002 2000 0200 0020 0201 1020 0102 2010`

// line draws a character of a box, so that it meets those in the neighbouring cells. It reports
// whether it knows the character.
func (p *pen) line(m *image.Alpha, r rune) bool {
	if r < 0x2500 || r > 0x257f {
		return false
	}
	if of := strings.Fields(arms)[r-0x2500]; of != "...." {
		for side, weight := range of {
			p.arm(m, side, int(weight-'0'))
		}
		return true
	}
	switch {
	case r >= 0x256d && r <= 0x2570:
		p.corner(m, int(r-0x256d))
	case r >= 0x2571 && r <= 0x2573:
		p.diagonals(m, r)
	default:
		p.dashes(m, r)
	}
	return true
}

// thin returns the width of a light line.
func (p *pen) thin() int { return max(1, p.scale) }

// arm draws a line from the middle of a cell to a side.
func (p *pen) arm(m *image.Alpha, side, weight int) {
	t := p.thin()
	switch weight {
	case 1:
		p.strip(m, side, 0, t)
	case 2:
		p.strip(m, side, 0, 3*t)
	case 3:
		p.strip(m, side, -2*t, t)
		p.strip(m, side, 2*t, t)
	}
}

// strip draws a line of a width from the middle to a side, moved sideways.
func (p *pen) strip(m *image.Alpha, side, by, width int) {
	t := p.thin()
	x, y := (p.w-t)/2, (p.h-t)/2 // of the thin lines that meet
	from, to := by-(width-t)/2, by-(width-t)/2+width
	reach := 0 // beyond the middle, so that corners are filled
	if width > t || by != 0 {
		reach = max(to-t, -from)
	}
	switch side {
	case 0:
		fill(m, image.Rect(x+from, 0, x+to, y+t+reach), 0xff)
	case 1:
		fill(m, image.Rect(x-reach, y+from, p.w, y+to), 0xff)
	case 2:
		fill(m, image.Rect(x+from, y-reach, x+to, p.h), 0xff)
	case 3:
		fill(m, image.Rect(0, y+from, x+t+reach, y+to), 0xff)
	}
}

// corner draws a round corner: 0 opens to the right and the bottom, the others follow clockwise.
func (p *pen) corner(m *image.Alpha, which int) {
	t := p.thin()
	x, y := float64((p.w-t)/2)+float64(t)/2, float64((p.h-t)/2)+float64(t)/2
	radius := float64(p.w) - x
	d := p.shape(m)
	switch which {
	case 0:
		d.arc(x+radius, y+radius, radius, 180, 270, float64(t))
		fill(m, image.Rect((p.w-t)/2, int(y+radius), (p.w-t)/2+t, p.h), 0xff)
	case 1:
		d.arc(x-radius, y+radius, radius, 270, 360, float64(t))
		fill(m, image.Rect((p.w-t)/2, int(y+radius), (p.w-t)/2+t, p.h), 0xff)
	case 2:
		d.arc(x-radius, y-radius, radius, 0, 90, float64(t))
		fill(m, image.Rect((p.w-t)/2, 0, (p.w-t)/2+t, int(y-radius+0.5)), 0xff)
	case 3:
		d.arc(x+radius, y-radius, radius, 90, 180, float64(t))
		fill(m, image.Rect((p.w-t)/2, 0, (p.w-t)/2+t, int(y-radius+0.5)), 0xff)
	}
	d.end()
}

// diagonals draws lines from corner to corner.
func (p *pen) diagonals(m *image.Alpha, r rune) {
	d, w, h := p.shape(m), float64(p.w), float64(p.h)
	if r != 0x2572 {
		d.line(0, h, w, 0, float64(p.thin()))
	}
	if r != 0x2571 {
		d.line(0, 0, w, h, float64(p.thin()))
	}
	d.end()
}

// dashes draws a line with gaps.
func (p *pen) dashes(m *image.Alpha, r rune) {
	n := 3
	switch {
	case r >= 0x254c:
		n = 2
	case r >= 0x2508:
		n = 4
	}
	t := p.thin()
	width := t
	if r%2 == 1 {
		width = 3 * t
	}
	upright := r&2 != 0
	if r >= 0x254c {
		upright = r >= 0x254e
	}
	for i := range n {
		if upright {
			x, from := (p.w-width)/2, p.h*i/n
			fill(m, image.Rect(x, from, x+width, from+max(t, p.h/n*6/10)), 0xff)
			continue
		}
		y, from := (p.h-width)/2, p.w*i/n
		fill(m, image.Rect(from, y, from+max(t, p.w/n*6/10), y+width), 0xff)
	}
}
