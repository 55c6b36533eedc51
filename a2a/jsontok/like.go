package jsontok

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"sort"
)

// maxHoldSize is the longest body of which [Doc.Hold] keeps a copy.
const maxHoldSize = 64 << 10

// ParseLike is [Doc.Parse]. If src differs from the content of the Doc only inside one string,
// as the frames of a stream do, it reads only that string and moves the tokens behind it.
func (d *Doc) ParseLike(src []byte) error {
	if d.sound && len(src) <= maxSize && d.like(src) {
		return nil
	}
	return d.Parse(src)
}

// Hold releases the bytes that were parsed, so that they may change. The Doc keeps its own copy
// for [Doc.ParseLike], or becomes empty if a copy would be useless.
func (d *Doc) Hold() {
	if !d.sound || len(d.src) > maxHoldSize {
		d.reset(nil)
		return
	}
	d.buffer = append(d.buffer[:0], d.src...)
	d.src = d.buffer
}

// like takes src if only the inside of one string is new in it.
func (d *Doc) like(src []byte) bool {
	front := common(d.src, src)
	if front == len(src) && front == len(d.src) {
		d.src = src
		return true
	}
	n := len(d.tokens)
	i := sort.Search(n, func(i int) bool { return int(d.tokens[i].off) >= front }) - 1
	if i < 0 {
		return false
	}
	t := d.tokens[i]
	if t.kind != String || t.flags&isKey != 0 || front >= int(t.end) {
		return false
	}
	p := parser{doc: d, src: src, tokens: d.tokens, pos: int(t.off), cur: t.parent}
	err := p.str(0)
	d.tokens = p.tokens[:n]
	longer := len(src) - len(d.src)
	if err != nil || d.badAt >= 0 || d.loneAt >= 0 || p.pos != int(t.end)+longer || !bytes.Equal(src[p.pos:], d.src[t.end:]) {
		return false
	}
	d.tokens[i].flags = p.tokens[n].flags
	d.src = src
	d.move(i, int32(longer))
	return true
}

// move moves the tokens behind the beginning of token i.
func (d *Doc) move(i int, by int32) {
	d.tail += int(by)
	d.tailEnd += int(by)
	for j := int32(i); j >= 0; j = d.tokens[j].parent {
		d.tokens[j].end += by
	}
	rest := d.tokens[i+1:]
	for j := range rest {
		rest[j].off += by
		rest[j].end += by
	}
}

// common returns the length of the common prefix of a and b.
func common(a, b []byte) int {
	n, most := 0, min(len(a), len(b))
	for ; most-n >= 8; n += 8 {
		if x := binary.LittleEndian.Uint64(a[n:]) ^ binary.LittleEndian.Uint64(b[n:]); x != 0 {
			return n + bits.TrailingZeros64(x)/8
		}
	}
	for n < most && a[n] == b[n] {
		n++
	}
	return n
}
