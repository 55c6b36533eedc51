package jsonview

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"parley/ui/canvas"
	"parley/ui/styles"
)

// A flow lays out the bytes from a given offset on in lines of at most w cells. A line ends
// after a line feed or when it is full. The row of a place is the offset of the physical line,
// its sub the offset of the line itself, so that stepping back is cheap.
type flow struct {
	src  []byte
	from int
	w    int
	st   *styles.Styles
}

// stride is how many full lines of ASCII make a block; each block starts at a fixed distance
// from the start of the physical line. It bounds the cost of a step back in a line of
// megabytes.
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

// fix returns the line with the byte at p.sub. It trusts that p.row starts a physical line,
// because no change of width or folding affects that.
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

// lineStart returns the start of the physical line with the byte at i.
func (f *flow) lineStart(i int) int {
	return f.from + lastNewline(f.src[f.from:i]) + 1
}

// lastNewline returns the index of the last line feed in b, -1 if there is none. It searches
// forwards in pieces, which is many times faster than backwards.
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

// lastSub returns the start of the last line of the physical line at row.
func (f *flow) lastSub(row int) int {
	end := len(f.src)
	if n := bytes.IndexByte(f.src[row:], '\n'); n >= 0 {
		end = row + n + 1
	}
	return f.before(row, end)
}

// before returns the start of the last line of the physical line at row that starts before
// limit.
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

// blockStart returns the start of block n of the physical line at row, moved to the first byte
// of a character.
func (f *flow) blockStart(row, n int) int {
	at := min(row+n*stride*max(f.w, 1), len(f.src))
	for i := 0; n > 0 && i < utf8.UTFMax-1 && at < len(f.src) && !utf8.RuneStart(f.src[at]); i++ {
		at++
	}
	return at
}

// end returns the offset after the line at p.
func (f *flow) end(p place) int {
	end, _ := f.lay(p, false)
	return end
}

// draw returns the line at p, at most w cells wide.
func (f *flow) draw(p place) string {
	_, line := f.lay(p, true)
	return line
}

// lay finds the end of the line at p and draws it if draw is set.
func (f *flow) lay(p place, draw bool) (end int, line string) {
	n := (p.sub-p.row)/(stride*max(f.w, 1)) + 1
	limit := f.blockStart(p.row, n)
	var pen lineWriter
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
	return i, pen.finish()
}

// plain returns the number of leading printable ASCII characters of s, at most n, without one
// that a combining character may follow.
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

// sign returns the length and the width of the character at i and, if draw is set, its drawn
// form; marked reports whether that differs from the character.
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
	case !shows(r) || unicode.Is(unicode.M, r): // a combining mark without a base
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

// ascii reports whether signs must be ASCII.
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

// shows reports whether a character is visible as itself.
func shows(r rune) bool {
	return unicode.IsGraphic(r) && !(r >= 0xfe00 && r <= 0xfe0f) && (r == ' ' || !unicode.Is(unicode.Zs, r))
}

// hex formats v with at least digits upper-case hexadecimal digits.
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
