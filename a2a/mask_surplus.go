package a2a

import (
	"bytes"
	"net/http"
	"slices"

	"parley/a2a/httphead"
)

// maxContinued is how much of the end of an answer is kept, because what comes after it may complete a
// secret that began there.
const maxContinued = 4 << 10

// continued returns a copy of the end of an answer.
func continued(body []byte) []byte { return bytes.Clone(body[max(0, len(body)-maxContinued):]) }

// surplus masks what came after an answer, of which the end is given. It may be another answer, with a
// head.
func (m *masker) surplus(op Op, end, b []byte) ([]byte, []Redaction) {
	whole := slices.Concat(end, b)
	var spans []span
	for _, s := range append(m.bodySpans(op, whole, false), m.headSpans(whole)...) {
		if s.end > len(end) {
			s.off, s.end = max(s.off-len(end), 0), s.end-len(end)
			spans = append(spans, s)
		}
	}
	return m.bytes(b, spans)
}

// headSpans returns the positions of values with secrets in the heads of HTTP/1.x that a text contains.
func (m *masker) headSpans(b []byte) (spans []span) {
	begin := []byte("HTTP/1.")
	for at := bytes.Index(b, begin); at >= 0; {
		pos := at + bytes.IndexByte(append(b[at:len(b):len(b)], '\n'), '\n') + 1 // of the first field
		for _, f := range httphead.Fields(b[at:], false) {
			key := f.Key()
			if masked, _ := m.header(http.Header{key: {f.Value}}); masked[key][0] != f.Value {
				spans = append(spans, span{off: pos + f.At, end: pos + f.At + len(f.Value), name: "header " + key})
			}
			pos += len(f.Line)
		}
		next := bytes.Index(b[min(pos, len(b)):], begin)
		if next < 0 {
			break
		}
		at = pos + next
	}
	return spans
}
