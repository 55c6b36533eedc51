package editor

import (
	"strings"

	"parley/ui/styles"
)

// JSON returns the colour of each byte of a line of JSON. Bytes must be requested in order from
// the start of the line.
func JSON(st *styles.Styles, line string) func(at int) styles.Paint {
	l := lexer{st: st, line: line}
	return l.at
}

// A lexer finds the tokens in a line of JSON from left to right.
type lexer struct {
	st    *styles.Styles
	line  string
	next  int // the first byte that is not read yet
	paint styles.Paint
}

func (l *lexer) at(i int) styles.Paint {
	for i >= l.next && l.next < len(l.line) {
		l.token()
	}
	return l.paint
}

// longToken is how far the lexer searches the end of a string.
const longToken = 512

func (l *lexer) token() {
	switch c := l.line[l.next]; {
	case c == '"':
		end := l.next + 1
		for end < len(l.line) && end < l.next+longToken && l.line[end] != '"' {
			if l.line[end] == '\\' {
				end++
			}
			end++
		}
		end = min(end+1, len(l.line))
		l.next, l.paint = end, l.st.Text
		if strings.HasPrefix(strings.TrimLeft(l.line[end:min(len(l.line), end+8)], " "), ":") {
			l.paint = l.st.Dim
		}
	case strings.IndexByte("{}[]:,", c) >= 0:
		l.next, l.paint = l.next+1, l.st.Faint
	case c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z':
		l.next, l.paint = l.next+1, l.st.Number
	default:
		l.next, l.paint = l.next+1, l.st.Text
	}
}
