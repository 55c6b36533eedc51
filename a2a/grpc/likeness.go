package grpc

import (
	"bytes"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"

	"parley/a2a"
)

// textMember is the name of the text of a part.
const textMember = "text"

// maxLikeness is the longest message that is kept as a likeness.
const maxLikeness = 64 << 10

// spare is room for characters that are escaped in JSON.
const spare = 16

// A likeness is a message and its rendering, and where both have the text of their first part:
// a message that differs only there, as nearly all of a stream do, is rendered with the rest of
// the rendering, which takes a fifth of the time.
type likeness struct {
	kind     *message // nil if there is none
	src, out []byte
	around   []stretch // the messages around the text in src, the outermost first
	text     stretch   // in src; empty if there is none
	at       stretch   // of the text in out, without its quotes
}

// A stretch is a range of bytes.
type stretch struct{ from, to int }

// render returns a message as JSON.
func (r *renderer) render(m *message, src []byte) (text []byte, fault *a2a.Fault) {
	if text, ok := r.again(m, src); ok {
		return text, nil
	}
	r.src, r.out = src, make([]byte, 0, len(src)+len(src)/2+96)
	r.message(m, 0, len(src))
	text, fault = r.out, r.fault
	if found := &r.found; found.text.from > 0 && fault == nil && len(src) <= maxLikeness {
		found.kind, found.src, found.out = m, src, text
		r.like, r.found = *found, likeness{around: r.like.around[:0]}
	}
	r.src, r.out, r.fault, r.found.text = nil, nil, nil, stretch{}
	return text, fault
}

// noteText notes the first text of a part, which was written to a stretch of the output. It is
// left out if a length around it is not encoded in the shortest way.
func (r *renderer) noteText(e entry, at stretch) {
	text := stretch{e.from, e.to}
	if r.found.text.from > 0 || !text.delimited(r.src) || slices.ContainsFunc(r.around, func(s stretch) bool { return !s.delimited(r.src) }) {
		return
	}
	r.found.text, r.found.at, r.found.around = text, at, append(r.found.around[:0], r.around...)
}

// delimited reports whether a value has its length before it, in the shortest encoding.
func (s stretch) delimited(src []byte) bool {
	at := s.lengthAt()
	if at < 1 || src[at-1] >= 0x80 {
		return false
	}
	length, n := protowire.ConsumeVarint(src[at:s.from])
	return at+n == s.from && length == uint64(s.to-s.from)
}

// lengthAt is where the length of a value begins.
func (s stretch) lengthAt() int { return s.from - protowire.SizeVarint(uint64(s.to-s.from)) }

// again renders a message that differs from the likeness only in the text. It reports false if
// anything else differs.
func (r *renderer) again(m *message, src []byte) ([]byte, bool) {
	like := &r.like
	if like.kind != m {
		return nil, false
	}
	c := comparison{like: like.src, src: src}
	for _, s := range like.around {
		if got, ok := c.pass(s); !ok || len(src)-got.to != len(like.src)-s.to {
			return nil, false
		}
	}
	text, ok := c.pass(like.text)
	if !ok || !bytes.Equal(like.src[like.text.to:], src[text.to:]) {
		return nil, false
	}
	head, tail := like.out[:like.at.from], like.out[like.at.to:]
	out := make([]byte, 0, len(head)+len(tail)+text.to-text.from+spare)
	out = appendText(append(out, head...), src[text.from:text.to])
	return append(out, tail...), true
}

// A comparison passes over a message and one like it.
type comparison struct {
	like, src []byte
	was, is   int // what was passed of each
}

// pass passes over what is before a value, whose length may differ, and returns where it is. It
// reports false if anything else differs.
func (c *comparison) pass(s stretch) (stretch, bool) {
	same := s.lengthAt() - c.was
	if c.is+same > len(c.src) || !bytes.Equal(c.like[c.was:c.was+same], c.src[c.is:c.is+same]) {
		return stretch{}, false
	}
	at := c.is + same
	length, n := protowire.ConsumeVarint(c.src[at:])
	if n < 0 || length > uint64(len(c.src)-at-n) {
		return stretch{}, false
	}
	c.was, c.is = s.from, at+n
	return stretch{c.is, c.is + int(length)}, true
}
