package shot

import "image"

// block draws a character of U+2580 to U+259F. It reports whether it is one.
func (p *pen) block(m *image.Alpha, r rune) bool {
	w, h := p.w, p.h
	part := func(x0, y0, x1, y1 int) { fill(m, image.Rect(x0, y0, x1, y1), 0xff) }
	switch {
	case r < 0x2580 || r > 0x259f:
		return false
	case r == 0x2580:
		part(0, 0, w, h/2)
	case r <= 0x2588:
		part(0, h-h*int(r-0x2580)/8, w, h)
	case r <= 0x258f:
		part(0, 0, max(1, w*int(0x2590-r)/8), h)
	case r == 0x2590:
		part(w/2, 0, w, h)
	case r <= 0x2593:
		fill(m, m.Rect, uint8(64*(r-0x2590)))
	case r == 0x2594:
		part(0, 0, w, h/8)
	case r == 0x2595:
		part(w-max(1, w/8), 0, w, h)
	default:
		// the quarters at the top left (1), top right (2), bottom left (4) and bottom right (8)
		of := [...]int{4, 8, 1, 13, 9, 7, 11, 2, 6, 14}[r-0x2596]
		for i := range 4 {
			if of>>i&1 == 1 {
				x, y := i%2*(w/2), i/2*(h/2)
				part(x, y, x+w-w/2, y+h-h/2)
			}
		}
	}
	return true
}

// braille draws a character of U+2800 to U+28FF. It reports whether it is one.
func (p *pen) braille(m *image.Alpha, r rune) bool {
	if r < 0x2800 || r > 0x28ff {
		return false
	}
	places := [...][2]int{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {0, 3}, {1, 3}}
	d := p.shape(m)
	for i, at := range places {
		if r>>i&1 == 1 {
			x := float64(p.w) * (0.28 + 0.44*float64(at[0]))
			y := float64(p.h) * (0.2 + 0.2*float64(at[1]))
			d.disc(x, y, float64(p.w)*0.13)
		}
	}
	d.end()
	return true
}
