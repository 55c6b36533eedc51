package jsonview

import (
	"strings"

	"parley/ui/canvas"
	"parley/ui/styles"
)

// hexRow returns how many of size bytes a line of w cells shows: the digits of the offset, three
// cells per byte and one for its character.
func hexRow(w, size int) int {
	for _, n := range []int{32, 16, 8} {
		if w >= hexWidth(n, size) {
			return n
		}
	}
	return 4
}

func hexWidth(n, size int) int { return offsetDigits(size) + 2 + 3*n + (n-1)/8 + 1 + n }

// offsetDigits returns how many digits the offsets in size bytes have: four suffice for a message,
// and leave room for twice as many bytes in a narrow pane.
func offsetDigits(size int) int {
	if size <= 1<<16 {
		return 4
	}
	return 8
}

// hexLine draws some of size bytes in hexadecimal and as characters, in a line for row bytes.
func hexLine(st *styles.Styles, offset int64, b []byte, row, size int) string {
	var digits, signs strings.Builder
	for i, c := range b {
		if i > 0 && i%8 == 0 {
			digits.WriteByte(' ')
		}
		digits.WriteString(strings.ToLower(hex(uint32(c), 2)) + " ")
		if c < 0x20 || c >= 0x7f {
			c = '.'
		}
		signs.WriteByte(c)
	}
	at := strings.ToLower(hex(uint32(offset), offsetDigits(size)))
	return st.Faint.S(at) + "  " + st.Text.S(canvas.Fit(digits.String(), 3*row+(row-1)/8)) + " " + st.Dim.S(signs.String())
}

// A dump lays bytes out in lines of hexadecimal. The row of a place is the line.
type dump struct {
	src []byte
	w   int
	st  *styles.Styles
}

// row returns how many bytes a line has.
func (d *dump) row() int { return hexRow(d.w, len(d.src)) }

func (d *dump) lines() int {
	n := d.row()
	return (len(d.src) + n - 1) / n
}

func (d *dump) first() (place, bool) { return place{}, len(d.src) > 0 }
func (d *dump) last() place          { return place{row: d.lines() - 1} }

func (d *dump) next(p place) (place, bool) {
	if p.row+1 >= d.lines() {
		return p, false
	}
	return place{row: p.row + 1}, true
}

func (d *dump) prev(p place) (place, bool) {
	if p.row <= 0 {
		return p, false
	}
	return place{row: p.row - 1}, true
}

func (d *dump) fix(p place) place { return place{row: max(min(p.row, d.lines()-1), 0)} }

func (d *dump) draw(p place) string {
	n := d.row()
	from := p.row * n
	return hexLine(d.st, int64(from), d.src[from:min(from+n, len(d.src))], n, len(d.src))
}
