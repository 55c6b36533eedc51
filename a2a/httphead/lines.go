package httphead

import "bytes"

// lines finds the blank line that ends a head or a trailer, given its bytes in pieces.
type lines struct {
	line  int  // bytes of the current line so far
	bare  bool // which contain at most a CR
	first bool // the line is the first one of a head, which may be blank
}

// headLines begins at the first line of a head.
func headLines() lines { return lines{bare: true, first: true} }

// take counts the bytes up to the end of the blank line.
func (l *lines) take(b []byte) (n int, ended bool) {
	for n < len(b) {
		end := bytes.IndexByte(b[n:], '\n')
		piece := b[n:]
		if end >= 0 {
			piece = b[n : n+end]
		}
		l.bare = l.bare && (len(piece) == 0 || l.line == 0 && len(piece) == 1 && piece[0] == '\r')
		l.line += len(piece)
		n += len(piece)
		if end < 0 {
			return n, false
		}
		n++
		if l.bare && !l.first {
			return n, true
		}
		l.line, l.bare, l.first = 0, true, false
	}
	return n, false
}

// A HeadReader collects the bytes of one head, given in pieces of any size.
type HeadReader struct {
	lines lines
	limit int
	head  []byte
	begun bool
}

// NewHeadReader returns a reader of a head of at most limit bytes.
func NewHeadReader(limit int) *HeadReader { return &HeadReader{limit: limit} }

// Take adds the next bytes, the first n of b, and reports whether the head has ended. It takes
// fewer bytes than there are if the head ended, or if it is too long.
func (r *HeadReader) Take(b []byte) (n int, ended bool) {
	if !r.begun {
		r.begun, r.lines = true, headLines()
	}
	n, ended = r.lines.take(b[:min(len(b), max(r.limit-len(r.head), 0))])
	r.head = append(r.head, b[:n]...)
	return n, ended
}

// Head returns the bytes so far.
func (r *HeadReader) Head() []byte { return r.head }

// TooLong reports whether the limit is reached.
func (r *HeadReader) TooLong() bool { return len(r.head) >= r.limit }

// Reset begins with the next head. The bytes of the last one stay as they are.
func (r *HeadReader) Reset() { r.begun, r.head = false, nil }
