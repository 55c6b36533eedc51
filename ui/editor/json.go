package editor

import (
	"strings"

	"parley/ui/styles"
)

// JSON returns the paint of each byte of a line of JSON, which is asked for in order and
// from the beginning of the line on.
func JSON(st *styles.Styles, line string) func(at int) styles.Paint {
	l := lexer{st: st, line: line}
	return l.at
}

// A lexer tells what the bytes of a line of JSON are, from left to right.
type lexer struct {
	st    *styles.Styles
	line  string
	next  int // the first byte that is not known yet
	paint styles.Paint
}

func (l *lexer) at(i int) styles.Paint {
	for i >= l.next && l.next < len(l.line) {
		l.token()
	}
	return l.paint
}

// longToken is how far the end of a text is looked for.
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
			l.paint = l.st.Agent
		}
	case strings.IndexByte("{}[]:,", c) >= 0:
		l.next, l.paint = l.next+1, l.st.Faint
	case c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z':
		l.next, l.paint = l.next+1, l.st.Number
	default:
		l.next, l.paint = l.next+1, l.st.Text
	}
}
