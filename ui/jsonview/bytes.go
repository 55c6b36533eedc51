package jsonview

import (
	"bytes"
	"unicode/utf8"

	"parley/ui/canvas"
	"parley/ui/styles"
)

// A Bytes shows a body byte for byte. Invisible bytes have a sign: ␍␊ at the ends of lines,
// ⟨FF⟩ for a byte that is not UTF-8, ⟨U+202E⟩ for a character that would hide or reorder
// others. It can show everything in hexadecimal instead. It is not safe for use by several
// goroutines.
type Bytes struct {
	flow flow
	dump dump
	hex  bool
	win  window
	find canvas.Finder
	hit  int // offset of the last match, -1 for none
}

// NewBytes returns a view of an empty body.
func NewBytes(st *styles.Styles) *Bytes {
	return &Bytes{flow: flow{st: st}, dump: dump{st: st}, hit: -1}
}

// SetStyles changes the styles.
func (b *Bytes) SetStyles(st *styles.Styles) {
	b.flow.st, b.dump.st = st, st
	b.win.invalidate()
}

// SetBody shows body from its start, in hexadecimal if the start is binary. The body must not
// be changed afterwards.
func (b *Bytes) SetBody(body []byte) {
	b.flow.src, b.dump.src = body, body
	b.win.top, b.win.at, b.hit = place{}, place{}, -1
	b.win.invalidate()
	b.hex = binary(body)
}

// binary reports whether the start of a body is not text.
func binary(body []byte) bool {
	const look = 512
	head := body[:min(len(body), look)]
	strange := bytes.Count(head, []byte{0})
	for len(head) > 0 {
		r, n := utf8.DecodeRune(head)
		if r == utf8.RuneError && n == 1 && (len(head) >= utf8.UTFMax || len(body) < look) {
			strange++
		}
		head = head[n:]
	}
	return strange >= 8 && 8*strange > min(len(body), look)
}

// Hex reports whether the bytes are shown in hexadecimal.
func (b *Bytes) Hex() bool { return b.hex }

// SetHex switches to hexadecimal or to text. The first visible byte stays visible.
func (b *Bytes) SetHex(on bool) {
	if on == b.hex {
		return
	}
	at := b.offset(b.win.top)
	b.hex = on
	b.win.invalidate()
	b.win.top = b.placeOf(at)
	b.win.at = b.win.top
}

// doc returns the current layout of the bytes.
func (b *Bytes) doc() walker {
	if b.hex {
		return &b.dump
	}
	return &b.flow
}

// offset returns the first byte of the line at p.
func (b *Bytes) offset(p place) int {
	if b.hex {
		return p.row * b.dump.row()
	}
	return p.sub
}

// placeOf returns the line with the byte at offset.
func (b *Bytes) placeOf(offset int) place {
	if b.hex {
		return b.dump.fix(place{row: offset / b.dump.row()})
	}
	return b.flow.fix(place{-1, offset})
}

// SetSize sets the size in cells. The first visible byte stays visible.
func (b *Bytes) SetSize(w, h int) {
	if w = max(w, 0); b.hex && w != b.dump.w {
		at := b.offset(b.win.top)
		b.dump.w = w
		b.win.top = b.placeOf(at)
	}
	b.flow.w, b.dump.w, b.win.h = w, w, max(h, 0)
	b.win.invalidate()
}

// Scroll moves the window by n lines.
func (b *Bytes) Scroll(n int) { b.win.scroll(b.doc(), n) }

// Top shows the start.
func (b *Bytes) Top() { b.win.jump(b.doc(), place{}) }

// Bottom shows the end.
func (b *Bytes) Bottom() {
	if _, ok := b.doc().first(); ok && b.win.h > 0 {
		b.win.jump(b.doc(), b.doc().last())
	}
}

// Go shows the byte at offset, with a third of the window above it.
func (b *Bytes) Go(offset int) {
	if len(b.flow.src) == 0 || b.flow.w == 0 {
		return
	}
	offset = min(max(offset, 0), len(b.flow.src)-1)
	b.win.top = step(b.doc(), b.placeOf(offset), -b.win.h/3)
	b.win.at = b.placeOf(offset)
	b.win.settle(b.doc())
}

// Height returns the number of lines, at most limit.
func (b *Bytes) Height(limit int) int { return height(b.doc(), limit) }

// VisibleRange returns the range of visible bytes.
func (b *Bytes) VisibleRange() (from, to int) {
	if b.flow.w == 0 || !b.win.settle(b.doc()) {
		return 0, 0
	}
	last := step(b.doc(), b.win.top, b.win.h-1)
	to = len(b.flow.src)
	if below, ok := b.doc().next(last); ok {
		to = b.offset(below)
	}
	return b.offset(b.win.top), to
}

// Window returns the part that is in the window, in bytes.
func (b *Bytes) Window() canvas.Scroll {
	from, to := b.VisibleRange()
	return canvas.Scroll{H: b.win.h, Top: from, Shown: to - from, All: len(b.flow.src)}
}

// SetFinder marks all matches of find in drawn lines; nil marks none.
func (b *Bytes) SetFinder(find canvas.Finder) { b.find, b.hit = find, -1 }

// Seek shows the next match after the last one, or after the top of the window, or the previous
// one. It reports whether there is one within a few megabytes.
func (b *Bytes) Seek(backwards bool) bool {
	if b.find == nil || b.flow.w == 0 || !b.win.settle(b.doc()) {
		return false
	}
	at := b.offset(b.win.top)
	if b.hit >= at {
		at = b.hit + 1
	}
	found := -1
	if backwards {
		found = seekBack(b.find, b.flow.src, max(at-1, 0))
	} else {
		found = seek(b.find, b.flow.src, at)
	}
	if found < 0 {
		return false
	}
	b.hit = found
	b.Go(found)
	return true
}

// Lines returns the rows of the view: exactly its height, each exactly its width.
func (b *Bytes) Lines() []string {
	out := make([]string, 0, b.win.h)
	doc := b.doc()
	if b.flow.w > 0 && b.win.settle(doc) {
		for p, ok := b.win.top, true; ok && len(out) < b.win.h; p, ok = doc.next(p) {
			line := b.flow.draw
			if b.hex {
				line = b.dump.draw
			}
			out = append(out, canvas.HighlightHits(canvas.Fit(line(p), b.flow.w), b.find, b.flow.st.Mark))
		}
	}
	return append(out, canvas.Blank(b.flow.w, b.win.h-len(out))...)
}
