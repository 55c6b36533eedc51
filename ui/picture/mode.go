package picture

import (
	"image"
	"image/color"
	"strconv"
	"strings"
)

// A Look is what cells are drawn with.
type Look uint8

// The looks.
const (
	Blocks  Look = iota // half blocks, each with two colours
	Spaces              // spaces on a colour, where half blocks are not to be had
	Letters             // letters by brightness, where there are no colours
)

// ramp goes from dark to bright.
const ramp = " .:-=+*#%@"

// lines draws an image, two rows of pixels in each line.
func (l Look) lines(img *image.NRGBA) []string {
	size := img.Bounds().Size()
	out := make([]string, 0, (size.Y+1)/2)
	for y := 0; y < size.Y; y += 2 {
		var b brush
		for x := range size.X {
			upper, lower := img.NRGBAAt(x, y), color.NRGBA{}
			if y+1 < size.Y {
				lower = img.NRGBAAt(x, y+1)
			}
			switch l {
			case Blocks:
				b.halves(upper, lower)
			case Spaces:
				b.cell(" ", color.NRGBA{}, mean(upper, lower))
			default:
				b.cell(letter(mean(upper, lower)), color.NRGBA{}, color.NRGBA{})
			}
		}
		out = append(out, b.end())
	}
	return out
}

// solid reports whether a pixel is seen at all: what is transparent shows the ground.
func solid(c color.NRGBA) bool { return c.A >= 0x80 }

// mean is one colour for two pixels.
func mean(a, b color.NRGBA) color.NRGBA {
	switch {
	case !solid(a):
		return b
	case !solid(b):
		return a
	}
	half := func(a, b uint8) uint8 { return uint8((int(a) + int(b)) / 2) }
	return color.NRGBA{half(a.R, b.R), half(a.G, b.G), half(a.B, b.B), 0xff}
}

// letter stands for how bright a colour is.
func letter(c color.NRGBA) string {
	if !solid(c) {
		return " "
	}
	bright := (299*int(c.R) + 587*int(c.G) + 114*int(c.B)) / 1000
	return ramp[bright*(len(ramp)-1)/255:][:1]
}

// A brush writes cells and says their colours only where they change.
type brush struct {
	strings.Builder
	fg, bg color.NRGBA
}

// halves draws two pixels above each other.
func (b *brush) halves(upper, lower color.NRGBA) {
	switch {
	case !solid(upper) && !solid(lower):
		b.cell(" ", color.NRGBA{}, color.NRGBA{})
	case !solid(upper):
		b.cell("▄", lower, color.NRGBA{})
	case upper == lower:
		b.cell(" ", color.NRGBA{}, upper)
	default:
		b.cell("▀", upper, lower)
	}
}

// cell draws one cell. A colour that is not solid is that of the ground; of what is seen
// as a space the colour in front does not matter.
func (b *brush) cell(s string, fg, bg color.NRGBA) {
	if !solid(bg) && solid(b.bg) {
		b.WriteString("\x1b[m")
		b.fg, b.bg = color.NRGBA{}, color.NRGBA{}
	}
	if solid(bg) && bg != b.bg {
		b.paint("48;2;", bg)
		b.bg = bg
	}
	if solid(fg) && fg != b.fg {
		b.paint("38;2;", fg)
		b.fg = fg
	}
	b.WriteString(s)
}

func (b *brush) paint(what string, c color.NRGBA) {
	b.WriteString("\x1b[" + what + strconv.Itoa(int(c.R)) + ";" + strconv.Itoa(int(c.G)) + ";" + strconv.Itoa(int(c.B)) + "m")
}

// end returns the line.
func (b *brush) end() string {
	if solid(b.fg) || solid(b.bg) {
		b.WriteString("\x1b[m")
	}
	return b.String()
}
