package markdown

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"parley/ui/canvas"
)

const (
	// maxPiece is how many bytes of one line are buffered before they are sanitised. A longer
	// line is processed in pieces of this size, counted from its start, so that the result does
	// not depend on how it was cut into chunks.
	maxPiece = 2 << 10

	// maxIndent and maxMarkers limit how many containers a line can be in or open. The parser's
	// cost per line is the product of its depth and its indentation.
	maxIndent  = 200
	maxMarkers = 64
)

// A lineBuffer converts raw chunks to sanitised text, line by line. An escape sequence, a rune or
// a line end may be split between two chunks, so the last line is buffered until it is
// complete.
type lineBuffer struct {
	raw       []byte // of the incomplete line
	continued bool   // raw continues a line whose beginning was processed
	// verbatim is set for text that is not parsed as Markdown.
	verbatim bool
}

// feed appends to dst the text that p completes.
func (in *lineBuffer) feed(dst, p []byte) []byte {
	for len(p) > 0 {
		n := len(p)
		if i := bytes.IndexByte(p, '\n'); i >= 0 {
			n = i + 1
		}
		n = min(n, maxPiece-len(in.raw))
		in.raw, p = append(in.raw, p[:n]...), p[n:]
		switch {
		case in.raw[len(in.raw)-1] == '\n':
			dst = in.line(dst, in.raw[:len(in.raw)-1])
			dst = append(dst, '\n')
			in.raw, in.continued = in.raw[:0], false
		case len(in.raw) == maxPiece:
			k := wholeRunes(in.raw)
			dst = in.line(dst, in.raw[:k])
			in.raw, in.continued = append(in.raw[:0], in.raw[k:]...), true
		}
	}
	return dst
}

// rest returns the incomplete line as if it were complete.
func (in *lineBuffer) rest() []byte {
	if len(in.raw) == 0 {
		return nil
	}
	return in.line(nil, in.raw)
}

// line appends raw, a line or a piece of one without its line feed, sanitised.
func (in *lineBuffer) line(dst, raw []byte) []byte {
	raw = bytes.TrimSuffix(raw, []byte{'\r'})
	if printable(raw) {
		start := len(dst)
		dst = append(dst, raw...)
		if !in.continued && !in.verbatim {
			dst = limitMarkers(dst, start)
		}
		return dst
	}
	// A single carriage return ends a line too.
	for i, part := range strings.Split(canvas.Sanitize(string(raw)), "\n") {
		if i > 0 {
			dst = append(dst, '\n')
		}
		start := len(dst)
		dst = append(dst, part...)
		if (i > 0 || !in.continued) && !in.verbatim {
			dst = limitMarkers(dst, start)
		}
	}
	return dst
}

func printable(b []byte) bool {
	for _, c := range b {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return true
}

// wholeRunes returns the length of b without an incomplete rune at its end.
func wholeRunes(b []byte) int {
	for k := len(b) - 1; k > len(b)-utf8.UTFMax; k-- {
		if utf8.RuneStart(b[k]) {
			if utf8.FullRune(b[k:]) {
				break
			}
			return k
		}
	}
	return len(b)
}

// limitMarkers makes the line that begins at dst[start] cheap to parse: it drops indentation
// beyond maxIndent, and escapes the quote or list marker after maxMarkers others, so that it is
// drawn as text.
func limitMarkers(dst []byte, start int) []byte {
	line := dst[start:]
	i := 0
	for i < len(line) && line[i] == ' ' {
		i++
	}
	if i > maxIndent {
		dst = append(dst[:start+maxIndent], line[i:]...)
		line, i = dst[start:], maxIndent
	}
	for markers := 0; i < len(line); markers++ {
		n := marker(line[i:])
		if n == 0 {
			break
		}
		if markers == maxMarkers {
			dst = append(dst, 0)
			copy(dst[start+i+1:], dst[start+i:])
			dst[start+i] = '\\'
			break
		}
		for i += n; i < len(line) && line[i] == ' '; i++ {
		}
	}
	return dst
}

// marker returns the length of the quote or list marker that b begins with, 0 if there is none.
func marker(b []byte) int {
	n := 0
	switch c := b[0]; {
	case c == '>':
		return 1
	case c == '-' || c == '+' || c == '*':
		n = 1
	case c >= '0' && c <= '9':
		for n < len(b) && n < 9 && b[n] >= '0' && b[n] <= '9' {
			n++
		}
		if n == len(b) || b[n] != '.' && b[n] != ')' {
			return 0
		}
		n++
	}
	if n == 0 || n < len(b) && b[n] != ' ' {
		return 0
	}
	return n
}
