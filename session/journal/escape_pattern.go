package journal

import (
	"parley/a2a"
	"parley/session/log"
)

const (
	patterns    = 8       // simultaneous streams that get one
	longestLike = 4 << 10 // bytes of a frame that is one
	learnEvery  = 8       // unmatched frames in a row, so that foreign ones cost little
)

// A pattern is a frame of a stream with its escaped form. The frames of a stream differ in the
// text of a chunk and in little else, so that only the difference must be escaped.
type pattern struct {
	raw, text []byte
	at        []uint32 // position in text of each byte of raw, and of the end
	ascii     bool
	misses    int
}

// escape appends the bytes of a record as [appendEscaped] does.
func (w *lineWriter) escape(dst []byte, r *a2a.Record) (out []byte, ascii bool) {
	if r.Kind != a2a.KindEvent {
		return appendEscaped(dst, r.Raw)
	}
	raw := log.FromDataLine(r.Raw)
	dst, before := appendEscaped(dst, r.Raw[:len(r.Raw)-len(raw)])
	dst, ascii = w.likes[r.Exchange%patterns].escape(dst, raw)
	return dst, ascii && before
}

func (p *pattern) escape(dst, raw []byte) (out []byte, ascii bool) {
	front := log.CommonPrefix(p.raw, raw)
	back := log.CommonSuffix(p.raw[front:], raw[front:])
	if front+back <= len(raw)/2 {
		begin := len(dst)
		dst, ascii = appendEscaped(dst, raw)
		if p.misses++; p.misses%learnEvery == 1 && len(raw) <= longestLike {
			p.learn(raw, dst[begin:], ascii)
		}
		return dst, ascii
	}
	dst = append(dst, p.text[:p.at[front]]...)
	dst, ascii = appendEscaped(dst, raw[front:len(raw)-back])
	return append(dst, p.text[p.at[len(p.raw)-back]:]...), ascii && p.ascii
}

// learn makes a frame the pattern.
func (p *pattern) learn(raw, text []byte, ascii bool) {
	p.raw, p.text, p.ascii = append(p.raw[:0], raw...), append(p.text[:0], text...), ascii
	p.at = append(p.at[:0], 0)
	end := uint32(0)
	for _, c := range raw {
		end += uint32(escapes[c].more) + 1
		p.at = append(p.at, end)
	}
}
