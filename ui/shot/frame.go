package shot

import (
	"image/color"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"

	"parley/themes"
)

// A Ground is the colour of text and background where a frame names none.
type Ground struct{ Text, Back color.RGBA }

// GroundOf returns the ground of a theme. A theme without one looks as in a dark or a light
// terminal.
func GroundOf(t themes.Theme) Ground {
	g := Ground{Text: color.RGBA{0xd0, 0xd0, 0xd0, 0xff}, Back: color.RGBA{0x10, 0x12, 0x16, 0xff}}
	if !t.Dark && !t.Colorless() {
		g = Ground{Text: color.RGBA{0x20, 0x20, 0x20, 0xff}, Back: color.RGBA{0xff, 0xff, 0xff, 0xff}}
	}
	if t.Text != nil {
		g.Text = solid(t.Text)
	}
	if t.Ground != nil {
		g.Back = solid(t.Ground)
	}
	return g
}

// A cell is what one cell shows. A wide character is in the first of its two cells; the second has
// no text and the width 0.
type cell struct {
	text     string
	width    int
	fg, bg   color.RGBA
	bold     bool
	italic   bool
	underset bool // underlined
	struck   bool
}

// ink reports whether a cell shows more than its background.
func (c *cell) ink() bool {
	return c.width > 0 && (c.text != " " && c.text != "" || c.underset || c.struck)
}

// A Frame is the cells of one screen.
type Frame struct {
	w, h   int
	ground Ground
	rows   []string // as the terminal gets them
	cells  []cell   // row by row
}

// A Point is a cell of a screen.
type Point struct{ X, Y int }

// Read reads the text of a frame of w×h cells: rows with newlines between them, with the escape
// sequences for colours and attributes. At the cursor, if it is not nil, the colours are exchanged.
func Read(text string, w, h int, g Ground, cursor *Point) Frame {
	w, h = max(w, 1), max(h, 1)
	screen := uv.NewScreenBuffer(w, h)
	uv.NewStyledString(text).Draw(screen, screen.Bounds())
	f := Frame{w: w, h: h, ground: g, rows: strings.Split(text, "\n"), cells: make([]cell, w*h)}
	f.rows = f.rows[:min(len(f.rows), h)]
	for y := range h {
		for x := range w {
			f.cells[y*w+x] = cellOf(screen.CellAt(x, y), g)
		}
	}
	if cursor != nil && cursor.X >= 0 && cursor.X < w && cursor.Y >= 0 && cursor.Y < h {
		c := &f.cells[cursor.Y*w+cursor.X]
		c.fg, c.bg = c.bg, c.fg
	}
	return f
}

// cellOf returns a cell with the colours that it is drawn in.
func cellOf(from *uv.Cell, g Ground) cell {
	if from == nil {
		return cell{text: " ", width: 1, fg: g.Text, bg: g.Back}
	}
	s := &from.Style
	c := cell{
		text: from.Content, width: from.Width, fg: g.Text, bg: g.Back,
		bold: s.Attrs&uv.AttrBold != 0, italic: s.Attrs&uv.AttrItalic != 0,
		underset: s.Underline != 0, struck: s.Attrs&uv.AttrStrikethrough != 0,
	}
	if s.Fg != nil {
		c.fg = solid(s.Fg)
	}
	if s.Bg != nil {
		c.bg = solid(s.Bg)
	}
	if s.Attrs&uv.AttrReverse != 0 {
		c.fg, c.bg = c.bg, c.fg
	}
	if s.Attrs&uv.AttrFaint != 0 {
		c.fg = mix(c.bg, c.fg, 0x99)
	}
	if s.Attrs&uv.AttrConceal != 0 {
		c.fg = c.bg
	}
	if from.Width == 0 {
		c.text = ""
	}
	return c
}

// solid returns a colour without transparency.
func solid(c color.Color) color.RGBA {
	r, g, b, _ := c.RGBA()
	return color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 0xff}
}

// mix returns the colour between two, of 255 parts a of the second.
func mix(from, to color.RGBA, a int) color.RGBA {
	part := func(from, to uint8) uint8 { return uint8((int(from)*(255-a) + int(to)*a + 127) / 255) }
	return color.RGBA{part(from.R, to.R), part(from.G, to.G), part(from.B, to.B), 0xff}
}

// ANSI returns the frame as a terminal gets it: its rows, and nothing else.
func (f *Frame) ANSI() []byte { return []byte(strings.Join(f.rows, "\n") + "\n") }

// Same reports whether two frames show the same.
func (f *Frame) Same(other *Frame) bool {
	if f.w != other.w || f.h != other.h || f.ground != other.ground {
		return false
	}
	for i := range f.cells {
		if f.cells[i] != other.cells[i] {
			return false
		}
	}
	return true
}

// at returns a cell.
func (f *Frame) at(x, y int) *cell { return &f.cells[y*f.w+x] }
