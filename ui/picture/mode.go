package picture

import (
	"image"
	"image/color"
	"strconv"
	"strings"
)

// A Mode is the way in which pixels are drawn in cells.
type Mode uint8

// The modes.
const (
	Blocks  Mode = iota // half blocks, each with two colours
	Spaces              // coloured spaces, for terminals without half blocks
	Letters             // letters by brightness, for terminals without colours
)

// ramp is ordered from dark to bright.
const ramp = " .:-=+*#%@"

// lines draws an image, two rows of pixels per line.
func (l Mode) lines(img *image.NRGBA) []string {
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

// solid reports whether a pixel is drawn: transparent pixels show the background.
func solid(c color.NRGBA) bool { return c.A >= 0x80 }

// mean returns the average colour of two pixels.
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

// letter returns a letter for the brightness of a colour.
func letter(c color.NRGBA) string {
	if !solid(c) {
		return " "
	}
	bright := (299*int(c.R) + 587*int(c.G) + 114*int(c.B)) / 1000
	return ramp[bright*(len(ramp)-1)/255:][:1]
}

// A brush writes cells, with escape sequences only where colours change.
type brush struct {
	strings.Builder
	fg, bg color.NRGBA
}

// halves draws two pixels, one above the other.
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

// cell draws one cell. A colour that is not solid is the background's; the foreground of a
// space does not matter.
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
