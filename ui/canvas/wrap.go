package canvas

import (
	"strings"
	"unicode/utf8"
)

// Wrap breaks text, which may contain line feeds and SGR sequences, into lines of at most w
// cells. Words stay whole unless they are longer than a line; beside wide characters (CJK) a
// line may end anywhere except before closing punctuation. The spaces at a break are dropped.
// Every line is independent: attributes are switched off at its end and on again in the next. A
// sign replaces wide characters in a single column. The text is read once.
func Wrap(s string, w int) []string {
	if w <= 0 {
		return nil
	}
	if w == 1 {
		s = narrow(s)
	}
	b := breaker{w: w, lines: make([]string, 0, 1+len(s)/w)}
	for {
		line, rest, more := strings.Cut(s, "\n")
		b.paragraph(line)
		if !more {
			return b.lines
		}
		s = rest
	}
}

// A breaker collects lines of at most w cells.
type breaker struct {
	w     int
	lines []string
	open  pen // at the end of the last line
}

// paragraph breaks text without line feeds. The line being filled is
// text[start:end], width cells; what follows is a gap of spaces and a word.
func (b *breaker) paragraph(text string) {
	start, end, width := 0, 0, 0
	indent, i := gap(text, 0)
	if indent >= b.w {
		b.trackStyle(text[:i])
		start, indent = i, 0
	}
	end, width = i, indent
	bare := true // only the indent, and perhaps escape sequences, in the line
	for i < len(text) {
		cells, word := gap(text, i)
		if word == len(text) {
			if width+cells <= b.w {
				end = word
			}
			break
		}
		limit := b.w
		if bare {
			limit -= width
		}
		ww, stop, long := readWord(text, word, limit)
		switch {
		case bare && long:
			b.emit(text[start:stop])
			start, end, width = stop, stop, 0
		case long:
			if end > start {
				b.emit(text[start:end])
			}
			b.trackStyle(text[end:word])
			b.emit(text[word:stop])
			start, end, width = stop, stop, 0
		case width+cells+ww <= b.w:
			end, width = stop, width+cells+ww
		default:
			b.emit(text[start:end])
			b.trackStyle(text[end:word])
			start, end, width = word, stop, ww
		}
		bare, i = false, end
	}
	b.emit(text[start:end])
}

// gap returns the cells of the spaces at i, and where they end. Escape sequences
// between and behind them belong to the gap.
func gap(text string, i int) (cells, end int) {
	for i < len(text) {
		switch {
		case isSpace(text[i:]):
			cells++
			i++
		case text[i] == esc:
			n, _ := escape(text[i:])
			i += n
		default:
			return cells, i
		}
	}
	return cells, i
}

// isSpace reports whether s begins with a space that carries no combining mark.
func isSpace(s string) bool {
	if s[0] != ' ' {
		return false
	}
	if len(s) == 1 || s[1] < utf8.RuneSelf {
		return true
	}
	n, _ := next(s)
	return n == 1
}

// A joint is a place within a word where a line may end, behind so many of its cells.
type joint struct{ cells, end int }

// readWord returns the cells of the word at i and its end. It stops early, and long is true, if
// the word would take more than limit cells: behind the last slash of a URL or the like, else
// behind the last hyphen or the like, unless that leaves most of the line empty.
func readWord(text string, i, limit int) (width, end int, long bool) {
	wide := false
	var strong, weak joint
	for end = i; end < len(text) && !isSpace(text[end:]); {
		n, w := next(text[end:])
		if w > 0 && width > 0 && (wide || w > 1) && !isClosing(text[end:]) {
			break
		}
		if width+w > limit {
			for _, j := range [...]joint{strong, weak} {
				if j.end > 0 && j.cells >= limit/2 {
					return j.cells, j.end, true
				}
			}
			return width, end, true
		}
		if w > 0 {
			wide = w > 1
		}
		width += w
		end += n
		if n != 1 {
			continue
		}
		switch text[end-n] {
		case '/', '?', '&', '=', '#', ';', '|': // between the parts of an address
			strong = joint{width, end}
		case '-', '_', '.', ',', ':': // within one
			weak = joint{width, end}
		}
	}
	return width, end, false
}

// isClosing reports whether s begins with punctuation that must not begin a line.
func isClosing(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	switch r {
	case '、', '。', '，', '．', '：', '；', '！', '？', '）', '」', '』', '】', '〕', '》', '〉',
		',', '.', ':', ';', '!', '?', ')', ']', '}', 'ー', '…', '”', '’':
		return true
	}
	return false
}

// trackStyle applies the escape sequences of a piece of text to the open pen.
func (b *breaker) trackStyle(piece string) {
	for {
		at := strings.IndexByte(piece, esc)
		if at < 0 {
			return
		}
		piece = piece[at:]
		n, _ := escape(piece)
		b.open.read(piece[:n])
		piece = piece[n:]
	}
}

func (b *breaker) emit(line string) {
	on := b.open.on()
	b.trackStyle(line)
	if off := b.open.off(); on != "" || off != "" {
		line = on + line + off
	}
	b.lines = append(b.lines, line)
}

// narrow replaces characters that take more than one cell.
func narrow(s string) string {
	var out strings.Builder
	for i := 0; i < len(s); {
		n, w := next(s[i:])
		if w > 1 {
			out.WriteString(replacement)
		} else {
			out.WriteString(s[i : i+n])
		}
		i += n
	}
	return out.String()
}
