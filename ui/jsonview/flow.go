package jsonview

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"parley/ui/canvas"
	"parley/ui/styles"
)

// A flow lays the bytes from a given offset on out in lines of at most w cells.
// A line ends behind a line feed or where the width is used up. Its place has
// the offset of the physical line's first byte as row and that of its own as
// sub, so that stepping back need not look far.
type flow struct {
	src  []byte
	from int
	w    int
	st   *styles.Styles
}

// stride is how many lines of ASCII are laid out before the flow starts anew at a
// fixed distance from the physical line's begin. It bounds what a step back in a
// line of megabytes costs.
const stride = 64

func (f *flow) first() (place, bool) {
	return place{f.from, f.from}, f.from < len(f.src)
}

func (f *flow) last() place {
	p := place{row: f.lineStart(len(f.src) - 1)}
	p.sub = f.lastSub(p.row)
	return p
}

func (f *flow) next(p place) (place, bool) {
	end := f.end(p)
	if end >= len(f.src) {
		return p, false
	}
	if f.src[end-1] == '\n' {
		return place{end, end}, true
	}
	return place{p.row, end}, true
}

func (f *flow) prev(p place) (place, bool) {
	switch {
	case p.sub > p.row:
		return place{p.row, f.before(p.row, p.sub)}, true
	case p.row > f.from:
		row := f.lineStart(p.row - 1)
		return place{row, f.lastSub(row)}, true
	}
	return p, false
}

// fix returns the line that the byte at p.sub is in. It trusts that p.row begins
// a physical line, which changes neither with the width nor with folding.
func (f *flow) fix(p place) place {
	if len(f.src) == f.from {
		return place{f.from, f.from}
	}
	if p.row < f.from || p.row >= len(f.src) || p.sub < p.row || p.row > f.from && f.src[p.row-1] != '\n' {
		at := min(max(p.sub, f.from), len(f.src)-1)
		p = place{f.lineStart(at), at}
	}
	return place{p.row, f.before(p.row, min(p.sub, len(f.src)-1)+1)}
}

// lineStart returns the first byte of the physical line that holds the byte at i.
func (f *flow) lineStart(i int) int {
	return f.from + lastNewline(f.src[f.from:i]) + 1
}

// lastNewline returns where the last line feed in b is, -1 if there is none. Searching
// forwards is many times as fast as backwards, so that is done piece by piece.
func lastNewline(b []byte) int {
	const piece = 32 << 10
	for end := len(b); end > 0; end -= piece {
		part := b[max(end-piece, 0):end]
		if bytes.IndexByte(part, '\n') >= 0 {
			return end - len(part) + bytes.LastIndexByte(part, '\n')
		}
	}
	return -1
}

// lastSub returns where the last line of the physical line at row begins.
func (f *flow) lastSub(row int) int {
	end := len(f.src)
	if n := bytes.IndexByte(f.src[row:], '\n'); n >= 0 {
		end = row + n + 1
	}
	return f.before(row, end)
}

// before returns the begin of the last line that starts before limit in the
// physical line at row.
func (f *flow) before(row, limit int) int {
	block := stride * max(f.w, 1)
	sub := row
	if n := (limit - 1 - row) / block; n > 0 {
		sub = f.blockStart(row, n)
		if sub >= limit {
			sub = f.blockStart(row, n-1)
		}
	}
	for {
		end := f.end(place{row, sub})
		if end >= limit || end <= sub {
			return sub
		}
		sub = end
	}
}

// blockStart returns where the n-th block of the physical line at row begins: on
// the first byte of a character.
func (f *flow) blockStart(row, n int) int {
	at := min(row+n*stride*max(f.w, 1), len(f.src))
	for i := 0; n > 0 && i < utf8.UTFMax-1 && at < len(f.src) && !utf8.RuneStart(f.src[at]); i++ {
		at++
	}
	return at
}

// end returns the offset behind the line at p.
func (f *flow) end(p place) int {
	end, _ := f.lay(p, false)
	return end
}

// draw returns the line at p, at most w cells.
func (f *flow) draw(p place) string {
	_, line := f.lay(p, true)
	return line
}

// lay finds the end of the line at p and, if asked, draws it.
func (f *flow) lay(p place, draw bool) (end int, line string) {
	n := (p.sub-p.row)/(stride*max(f.w, 1)) + 1
	limit := f.blockStart(p.row, n)
	var pen inkPen
	used, i := 0, p.sub
	for i < limit && (used < f.w || used == 0) {
		if k := plain(f.src[i:limit], f.w-used); k > 0 {
			if draw {
				pen.write(f.st.Text, string(f.src[i:i+k]))
			}
			i, used = i+k, used+k
			continue
		}
		size, cells, sign, marked := f.sign(i, limit, draw)
		if used > 0 && used+cells > f.w {
			break
		}
		if draw {
			paint := f.st.Text
			if marked {
				paint = f.st.Faint
			}
			pen.write(paint, sign)
		}
		ended := f.src[i] == '\n'
		i, used = i+size, used+cells
		if ended {
			break
		}
	}
	return i, pen.done()
}

// plain returns how many printable ASCII characters s begins with that nothing
// after them joins, at most n.
func plain(s []byte, n int) int {
	for i, c := range s {
		switch {
		case c >= utf8.RuneSelf:
			return max(min(i-1, n), 0)
		case i >= n:
			return n
		case c < 0x20 || c == 0x7f:
			return i
		}
	}
	return len(s)
}

// sign returns how many bytes the character at i has, how many cells it takes and, if
// asked, what to draw for it; marked is set when that is not the character itself.
func (f *flow) sign(i, limit int, draw bool) (size, cells int, s string, marked bool) {
	b := f.src[i]
	if b < 0x20 || b == 0x7f {
		if f.ascii() {
			return 1, 2, "^" + string(rune(b^0x40)), true
		}
		if draw {
			s = picture(b)
		}
		return 1, 1, s, true
	}
	r, size := utf8.DecodeRune(f.src[i:])
	switch {
	case r == utf8.RuneError && size == 1:
		if draw {
			s = f.bracketed(hex(uint32(b), 2))
		}
		return 1, len("<FF>"), s, true
	case !shows(r) || unicode.Is(unicode.M, r): // a mark with nothing to stand on
		s = f.bracketed("U+" + hex(uint32(r), 4))
		return size, canvas.Width(s), s, true
	}
	for marks := 0; i+size < limit && marks < 8; marks++ {
		m, n := utf8.DecodeRune(f.src[i+size:])
		if !unicode.Is(unicode.M, m) || !shows(m) {
			break
		}
		size += n
	}
	s = canvas.SanitizeLine(string(f.src[i : i+size]))
	return size, canvas.Width(s), s, false
}

// ascii reports whether the signs of what cannot be seen must be ASCII, too.
func (f *flow) ascii() bool { return f.st.G[styles.Separator] != "·" }

func (f *flow) bracketed(s string) string {
	if f.ascii() {
		return "<" + s + ">"
	}
	return "⟨" + s + "⟩"
}

// picture returns the sign for a control character.
func picture(b byte) string {
	if b == 0x7f {
		return "␡"
	}
	return string('␀' + rune(b))
}

// shows reports whether a character can be seen as itself.
func shows(r rune) bool {
	return unicode.IsGraphic(r) && !(r >= 0xfe00 && r <= 0xfe0f) && (r == ' ' || !unicode.Is(unicode.Zs, r))
}

// hex returns v in at least digits upper-case hexadecimal digits.
func hex(v uint32, digits int) string {
	const set = "0123456789ABCDEF"
	var b [8]byte
	i := len(b)
	for v > 0 || len(b)-i < digits {
		i--
		b[i], v = set[v&15], v>>4
	}
	return string(b[i:])
}
