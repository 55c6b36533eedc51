package jsonview

import (
	"encoding/base64"
	"slices"
	"strings"

	"parley/ui/canvas"
	"parley/ui/styles"
)

// A treeInset shows the JSON inside a string, unfolded.
type treeInset struct{ tree *View }

func newTreeInset(st *styles.Styles, text string, room int) treeInset {
	v := New(st)
	v.edge = edgeNone
	v.SetSize(room, 1)
	v.SetBody([]byte(text), nil)
	return treeInset{v}
}

func (t treeInset) len() int { return t.tree.x.lines }

func (t treeInset) line(k int) string {
	return canvas.Fit(t.tree.treeLine(t.tree.x.onLine(k)), t.tree.w)
}

// onLine returns the token of line k of the unfolded tree.
func (x *index) onLine(k int) int {
	at, exact := slices.BinarySearch(x.ranks, int32(k))
	for exact && at+1 < len(x.ranks) && x.ranks[at+1] == int32(k) {
		at++
	}
	if !exact {
		at--
	}
	n := int(x.ranks[at])
	for i := at * sampling; i < x.doc.Len(); i++ {
		if x.isLine(i) {
			if n == k {
				return i
			}
			n++
		}
	}
	return x.doc.Len() - 1
}

// A hexInset shows the bytes that a base64 string encodes. It decodes only drawn lines.
type hexInset struct {
	st   *styles.Styles
	raw  []byte // without padding
	enc  *base64.Encoding
	size int
	row  int // bytes in a line
}

func newHexInset(st *styles.Styles, raw []byte, room int) hexInset {
	size, _ := base64Size(raw)
	h := hexInset{st: st, raw: raw, enc: base64.RawStdEncoding, size: int(size), row: hexRow(room, int(size))}
	for len(h.raw) > 0 && h.raw[len(h.raw)-1] == '=' {
		h.raw = h.raw[:len(h.raw)-1]
	}
	if strings.ContainsAny(string(raw[:min(len(raw), 4096)]), "-_") {
		h.enc = base64.RawURLEncoding
	}
	return h
}

func (h hexInset) len() int { return (h.size + h.row - 1) / h.row }

// Three lines are a whole number of base64 groups, so they are decoded together.
func (h hexInset) line(k int) string {
	from := k / 3 * 4 * h.row
	group := make([]byte, 3*h.row)
	n, err := h.enc.Decode(group, h.raw[min(from, len(h.raw)):min(from+4*h.row, len(h.raw))])
	skip := min(k%3*h.row, n)
	line := group[skip:min(skip+h.row, n)]
	if err != nil && len(line) == 0 {
		return h.st.Failed.S("not base64 from here on")
	}
	return hexLine(h.st, int64(k)*int64(h.row), line, h.row, h.size)
}
