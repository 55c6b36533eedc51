package shot

import (
	"image"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/gomonobold"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// The size of a cell in pixels, at scale 1. A letter of Go Mono at 15 pixels is exactly 9 wide.
const (
	cellWidth, cellHeight = 9, 18
	fontSize              = 15
	baseline              = 14
)

// fonts are the regular and the bold font.
var fonts = sync.OnceValue(func() [2]*sfnt.Font {
	var out [2]*sfnt.Font
	for i, ttf := range [][]byte{gomono.TTF, gomonobold.TTF} {
		f, err := opentype.Parse(ttf)
		if err != nil {
			panic(err) // a font inside the program
		}
		out[i] = f
	}
	return out
})

// A sign is what a mask shows.
type sign struct {
	text         string
	width        int
	bold, italic bool
}

// A pen draws the shapes of cells of one size. It belongs to one goroutine.
type pen struct {
	scale, w, h int
	faces       [2]font.Face
	small       font.Face // for code points
	masks       map[sign]*image.Alpha
	buffer      sfnt.Buffer
}

func newPen(scale int) *pen {
	p := &pen{scale: scale, w: cellWidth * scale, h: cellHeight * scale, masks: map[sign]*image.Alpha{}}
	face := func(f *sfnt.Font, size float64) font.Face {
		made, err := opentype.NewFace(f, &opentype.FaceOptions{Size: size, DPI: 72})
		if err != nil {
			panic(err) // the options are right
		}
		return made
	}
	for i, f := range fonts() {
		p.faces[i] = face(f, float64(fontSize*scale))
	}
	p.small = face(fonts()[0], float64(6*scale))
	return p
}

// mask returns the shape of a cell. A space has none.
func (p *pen) mask(c *cell) *image.Alpha {
	if c.text == " " || c.text == "" {
		return nil
	}
	s := sign{c.text, min(max(c.width, 1), maxWidth), c.bold, c.italic}
	m, known := p.masks[s]
	if !known {
		m = p.draw(s)
		p.masks[s] = m
	}
	return m
}

// maxWidth is how many cells a character has at most in a picture.
const maxWidth = 2

// draw draws a shape.
func (p *pen) draw(s sign) *image.Alpha {
	m := image.NewAlpha(image.Rect(0, 0, p.w*s.width, p.h))
	r, _ := utf8.DecodeRuneInString(s.text)
	switch {
	case s.width == 1 && p.line(m, r), s.width == 1 && p.block(m, r), s.width == 1 && p.braille(m, r), p.own(m, r):
		return m
	case r >= 0x2400 && r <= 0x2421:
		p.control(m, r)
	case !p.letter(m, s):
		p.codePoint(m, r)
	}
	if s.italic {
		return p.slant(m)
	}
	return m
}

// letter draws a letter of the font, with the marks on it that the font has. It reports whether
// the font has it.
func (p *pen) letter(m *image.Alpha, s sign) bool {
	which := 0
	if s.bold {
		which = 1
	}
	first := true
	for _, r := range s.text {
		glyph, err := fonts()[which].GlyphIndex(&p.buffer, r)
		if has := err == nil && glyph != 0; !has && first {
			return false
		} else if has {
			p.write(m, p.faces[which], string(r), (m.Rect.Dx()-p.w)/2, baseline*p.scale)
		}
		first = false
	}
	return true
}

// write draws a text from a place on.
func (p *pen) write(m *image.Alpha, face font.Face, text string, x, y int) {
	d := font.Drawer{Dst: m, Src: image.Opaque, Face: face, Dot: fixed.P(x, y)}
	d.DrawString(text)
}

// slant leans a shape to the right: there is no italic font.
func (p *pen) slant(m *image.Alpha) *image.Alpha {
	out := image.NewAlpha(m.Rect)
	for y := range p.h {
		by := (baseline*p.scale - y) / 5
		for x := range m.Rect.Dx() {
			if from := x - by; from >= 0 && from < m.Rect.Dx() {
				out.Pix[y*out.Stride+x] = m.Pix[y*m.Stride+from]
			}
		}
	}
	return out
}

// codePoint draws a box with the number of a character.
func (p *pen) codePoint(m *image.Alpha, r rune) {
	const digits = "0123456789ABCDEF"
	var hex []byte
	for n := r; n > 0 || len(hex) < 4; n >>= 4 {
		hex = append([]byte{digits[n&15]}, hex...)
	}
	half := (len(hex) + 1) / 2
	w, line := m.Rect.Dx(), max(1, p.scale/2)
	top, bottom := 2*p.scale, p.h-2*p.scale
	for _, edge := range []image.Rectangle{
		image.Rect(0, top, w-1, top+line), image.Rect(0, bottom-line, w-1, bottom),
		image.Rect(0, top, line, bottom), image.Rect(w-1-line, top, w-1, bottom),
	} {
		fill(m, edge, 0xff)
	}
	for i, row := range []string{string(hex[:half]), string(hex[half:])} {
		x := (w - p.scale*36*len(row)/10) / 2
		p.write(m, p.small, row, x, top+(6+6*i)*p.scale)
	}
}

// controls are the names of the control characters that U+2400 to U+2421 show.
const controls = "NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US SP DEL"

// control draws the name of a control character from the top left to the bottom right.
func (p *pen) control(m *image.Alpha, r rune) {
	name := strings.Fields(controls)[r-0x2400]
	step := (m.Rect.Dx() - 4*p.scale) / max(1, len(name)-1)
	for i, letter := range name {
		p.write(m, p.small, string(letter), i*step, (7+(8-2*len(name)+4)*i)*p.scale)
	}
}

// fill fills a rectangle.
func fill(m *image.Alpha, r image.Rectangle, a uint8) {
	r = r.Intersect(m.Rect)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			m.Pix[y*m.Stride+x] = a
		}
	}
}
