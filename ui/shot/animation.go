package shot

import (
	"bytes"
	"image"
	"image/gif"
	"time"
)

// An Animation is frames with the times at which they are shown. Every frame has the size of the
// first one.
type Animation struct {
	frames []Frame
	times  []time.Duration
}

// tick is the unit of times in a GIF; shortest is the least time of a frame: nobody sees more of
// them, and each makes the file larger.
const (
	tick     = 10 * time.Millisecond
	shortest = 8 * tick
)

// Add adds a frame that is shown from a time on. A frame like the one before changes nothing, and
// one that follows the one before too soon takes its place.
func (a *Animation) Add(f Frame, at time.Duration) {
	n := len(a.frames)
	switch {
	case n == 0:
	case f.w != a.frames[0].w || f.h != a.frames[0].h:
		f = f.resize(a.frames[0].w, a.frames[0].h)
		fallthrough
	default:
		if a.frames[n-1].Same(&f) {
			return
		}
		f.share(&a.frames[n-1])
		if at-a.times[n-1] < shortest {
			a.frames[n-1] = f
			return
		}
	}
	a.frames, a.times = append(a.frames, f), append(a.times, at)
}

// Len returns the number of frames.
func (a *Animation) Len() int { return len(a.frames) }

// resize returns the frame cut or filled up to a size.
func (f *Frame) resize(w, h int) Frame {
	out := Frame{w: w, h: h, ground: f.ground, cells: make([]cell, w*h)}
	for y := range h {
		for x := range w {
			out.cells[y*w+x] = cell{text: " ", width: 1, fg: f.ground.Text, bg: f.ground.Back}
			if x < f.w && y < f.h {
				out.cells[y*w+x] = *f.at(x, y)
			}
		}
	}
	return out
}

// share keeps one copy of the texts of cells that two frames have in common.
func (f *Frame) share(before *Frame) {
	for i := range f.cells {
		if f.cells[i].text == before.cells[i].text {
			f.cells[i].text = before.cells[i].text
		}
	}
}

// last is how long the last frame is shown at least.
const last = 2 * time.Second

// until returns when frame i is over. The whole animation is over at end at the earliest.
func (a *Animation) until(i int, end time.Duration) time.Duration {
	if i+1 < len(a.times) {
		return a.times[i+1]
	}
	return max(end, a.times[i]+last)
}

// GIF returns the frames as a GIF that is repeated for ever and lasts until end.
func (a *Animation) GIF(end time.Duration) ([]byte, error) {
	n := census{}
	for i := range a.frames {
		n.count(&a.frames[i])
	}
	colours, p, out := newPalette(n), newPen(1), &gif.GIF{}
	shown := 0 // ticks
	for i := range a.frames {
		img := a.picture(i, p, colours)
		over := int((a.until(i, end) - a.times[0]) / tick)
		out.Image, out.Delay, out.Disposal = append(out.Image, img), append(out.Delay, over-shown), append(out.Disposal, gif.DisposalNone)
		shown = over
	}
	all := colours.withTransparent()
	for _, img := range out.Image {
		img.Palette = all
	}
	if len(out.Image) > 0 {
		size := out.Image[0].Rect
		out.Config = image.Config{Width: size.Dx(), Height: size.Dy(), ColorModel: all}
	}
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, out); err != nil {
		return nil, err
	}
	return withGIFNote(b.Bytes()), nil
}

// picture draws what frame i changes; all of it for the first one.
func (a *Animation) picture(i int, p *pen, colours *palette) *image.Paletted {
	img := image.NewPaletted(a.frames[i].bounds(p), nil)
	if i == 0 {
		a.frames[i].paint(img, p, colours, nil)
		return img
	}
	for k := range img.Pix {
		img.Pix[k] = transparent
	}
	return part(img, p.pixels(a.frames[i].paint(img, p, colours, &a.frames[i-1])))
}

// pixels returns the pixels of cells.
func (p *pen) pixels(cells image.Rectangle) image.Rectangle {
	m := image.Pt(p.margin(), p.margin())
	return image.Rect(cells.Min.X*p.w, cells.Min.Y*p.h, cells.Max.X*p.w, cells.Max.Y*p.h).Add(m)
}

// part returns a copy of a part of a picture, so that the rest can be forgotten.
func part(img *image.Paletted, of image.Rectangle) *image.Paletted {
	out := image.NewPaletted(of, nil)
	for y := of.Min.Y; y < of.Max.Y; y++ {
		copy(out.Pix[out.PixOffset(of.Min.X, y):][:of.Dx()], img.Pix[img.PixOffset(of.Min.X, y):])
	}
	return out
}
