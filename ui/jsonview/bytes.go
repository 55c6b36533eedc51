package jsonview

import (
	"parley/ui/canvas"
	"parley/ui/styles"
)

// A Bytes shows a body byte for byte. What cannot be seen has a sign: ␍␊ at the
// ends of lines, ⟨FF⟩ for a byte that is not UTF-8, ⟨U+202E⟩ for a character that
// would hide or reorder others. It is not safe for use by several goroutines.
type Bytes struct {
	flow flow
	win  window
}

// NewBytes returns a view of no bytes.
func NewBytes(st *styles.Styles) *Bytes { return &Bytes{flow: flow{st: st}} }

// SetStyles changes the looks.
func (b *Bytes) SetStyles(st *styles.Styles) { b.flow.st = st }

// SetBody shows body from its begin. The body must not be changed afterwards.
func (b *Bytes) SetBody(body []byte) {
	b.flow.src = body
	b.win.top, b.win.at = place{}, place{}
}

// SetSize sets the size in cells. The first byte in the window stays in it.
func (b *Bytes) SetSize(w, h int) { b.flow.w, b.win.h = max(w, 0), max(h, 0) }

// Scroll moves the window n lines.
func (b *Bytes) Scroll(n int) { b.win.scroll(&b.flow, n) }

// Top shows the begin.
func (b *Bytes) Top() { b.win.jump(&b.flow, place{}) }

// Bottom shows the end.
func (b *Bytes) Bottom() {
	if _, ok := b.flow.first(); ok && b.win.h > 0 {
		b.win.jump(&b.flow, b.flow.last())
	}
}

// Lines returns exactly the height's number of rows of exactly the width.
func (b *Bytes) Lines() []string {
	out := make([]string, 0, b.win.h)
	if b.flow.w > 0 && b.win.settle(&b.flow) {
		for p, ok := b.win.top, true; ok && len(out) < b.win.h; p, ok = b.flow.next(p) {
			out = append(out, canvas.Fit(b.flow.draw(p), b.flow.w))
		}
	}
	return append(out, canvas.Blank(b.flow.w, b.win.h-len(out))...)
}
