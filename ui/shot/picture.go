package shot

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
)

// sharp is the scale of a PNG: two pixels for one, as on the screens of today.
const sharp = 2

// PNG returns the frame as a PNG.
func (f *Frame) PNG() ([]byte, error) {
	var b bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&b, f.picture(newPen(sharp))); err != nil {
		return nil, err
	}
	return withPNGNote(b.Bytes()), nil
}

// picture draws the frame: with a palette, unless it has too many colours.
func (f *Frame) picture(p *pen) image.Image {
	n := census{}
	n.count(f)
	colours := newPalette(n)
	if !colours.whole {
		img := image.NewRGBA(f.bounds(p))
		draw.Draw(img, img.Rect, image.NewUniform(f.ground.Back), image.Point{}, draw.Src)
		f.each(func(c *cell, x, y int) {
			p.cell(c, x, y, 255, func(x, y, step int) { img.SetRGBA(x, y, mix(c.bg, c.fg, step)) })
		})
		return img
	}
	img := image.NewPaletted(f.bounds(p), nil)
	f.paint(img, p, colours, nil)
	img.Palette = colours.colours
	return img
}

// margin is the empty edge of a picture, in pixels.
func (p *pen) margin() int { return p.w }

// bounds returns the size of a picture.
func (f *Frame) bounds(p *pen) image.Rectangle {
	return image.Rect(0, 0, f.w*p.w+2*p.margin(), f.h*p.h+2*p.margin())
}

// each calls do for every cell that is drawn.
func (f *Frame) each(do func(c *cell, x, y int)) {
	for y := range f.h {
		for x := range f.w {
			if c := f.at(x, y); c.width > 0 {
				do(c, x, y)
			}
		}
	}
}

// paint draws the cells that differ from another frame, or all of them. It returns the cells
// around them.
func (f *Frame) paint(img *image.Paletted, p *pen, colours *palette, before *Frame) (changed image.Rectangle) {
	if before == nil {
		back := colours.add(f.ground.Back)
		for i := range img.Pix {
			img.Pix[i] = back
		}
	}
	f.each(func(c *cell, x, y int) {
		if before != nil && *before.at(x, y) == *c {
			return
		}
		changed = changed.Union(image.Rect(x, y, x+c.width, y+1))
		of := pair{c.fg, c.bg}
		if !c.ink() {
			of.fg = c.bg
		}
		ramp := colours.ramp(of)
		p.cell(c, x, y, colours.steps, func(x, y, step int) {
			if image.Pt(x, y).In(img.Rect) {
				img.Pix[img.PixOffset(x, y)] = ramp[step]
			}
		})
	})
	return changed
}

// cell draws a cell: set gets each pixel with its step from the background to the foreground.
func (p *pen) cell(c *cell, column, row, steps int, set func(x, y, step int)) {
	left, top, w := p.margin()+column*p.w, p.margin()+row*p.h, p.w*c.width
	mask := p.mask(c)
	line := p.thin()
	under, through := (baseline+2)*p.scale, 10*p.scale
	for y := range p.h {
		for x := range w {
			a := 0
			if mask != nil && x < mask.Rect.Dx() {
				a = int(mask.Pix[y*mask.Stride+x])
			}
			if c.underset && y >= under && y < under+line || c.struck && y >= through && y < through+line {
				a = 255
			}
			set(left+x, top+y, (a*steps+127)/255)
		}
	}
}

// transparent is the index of the colour that leaves what is there.
const transparent = maxColours

// withTransparent returns a palette of a GIF.
func (p *palette) withTransparent() color.Palette {
	out := make(color.Palette, transparent+1)
	for i := range out {
		out[i] = color.RGBA{}
		if i < len(p.colours) {
			out[i] = p.colours[i]
		} else if i < transparent {
			out[i] = color.RGBA{A: 0xff}
		}
	}
	return out
}
