package shot

import (
	"cmp"
	"image/color"
	"slices"
)

// maxColours is how many colours a picture has, without the one that is transparent.
const maxColours = 255

// A pair is the colours of a cell.
type pair struct{ fg, bg color.RGBA }

// A palette has the colours of frames: those of the cells, and for each pair as many between them
// as there is room for. Letters have soft edges that need them.
type palette struct {
	colours color.Palette
	index   map[color.RGBA]uint8
	steps   int // from the background to the foreground of a pair
	ramps   map[pair][]uint8
	whole   bool // every colour of the cells is in it
}

// A census counts the cells that have a pair of colours.
type census map[pair]int

// count adds the cells of a frame.
func (n census) count(f *Frame) {
	n[pair{f.ground.Text, f.ground.Back}]++
	for i := range f.cells {
		c := &f.cells[i]
		of := pair{c.fg, c.bg}
		if !c.ink() {
			of.fg = c.bg
		}
		n[of]++
	}
}

// newPalette returns the palette for cells. The order of its colours depends on the cells alone.
func newPalette(n census) *palette {
	solids, pairs := map[color.RGBA]int{}, 0
	for of, count := range n {
		solids[of.fg] += count
		solids[of.bg] += count
		if of.fg != of.bg {
			pairs++
		}
	}
	all := make([]color.RGBA, 0, len(solids))
	for c := range solids {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b color.RGBA) int {
		return cmp.Or(solids[b]-solids[a], cmp.Compare(number(a), number(b)))
	})
	p := &palette{index: map[color.RGBA]uint8{}, ramps: map[pair][]uint8{}, whole: len(all) <= maxColours}
	for _, c := range all[:min(len(all), maxColours)] {
		p.add(c)
	}
	const most = 7 // more can hardly be seen
	p.steps = 1
	if pairs > 0 {
		p.steps += max(0, min((maxColours-len(p.colours))/pairs, most))
	}
	return p
}

// number orders colours.
func number(c color.RGBA) int { return int(c.R)<<16 | int(c.G)<<8 | int(c.B) }

// add returns the index of a colour, which is added while there is room. Otherwise it is that of
// the nearest one.
func (p *palette) add(c color.RGBA) uint8 {
	if i, ok := p.index[c]; ok {
		return i
	}
	if len(p.colours) < maxColours {
		p.colours = append(p.colours, c)
		p.index[c] = uint8(len(p.colours) - 1)
	} else {
		p.index[c] = uint8(p.colours.Index(c))
	}
	return p.index[c]
}

// ramp returns the indexes of the colours of a cell, from its background to its foreground.
func (p *palette) ramp(of pair) []uint8 {
	if r, ok := p.ramps[of]; ok {
		return r
	}
	r := make([]uint8, p.steps+1)
	for i := range r {
		r[i] = p.add(mix(of.bg, of.fg, 255*i/p.steps))
	}
	p.ramps[of] = r
	return r
}
