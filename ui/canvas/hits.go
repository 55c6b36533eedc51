package canvas

import (
	"strings"

	"parley/ui/styles"
)

// A Finder searches a text and returns the beginning and the end of its first match, or
// negative numbers if there is none. An empty match does not count.
type Finder func(text []byte) (from, to int)

// HighlightHits draws the matches of find in the visible text of line with p instead of their
// paint. Matches may cross changes of paint, but do not overlap.
func HighlightHits(line string, find Finder, p styles.Paint) string {
	if find == nil || line == "" {
		return line
	}
	return paintParts(line, matches([]byte(visible(line)), find), p, false)
}

// HighlightPart draws the visible bytes of line from one to another on the background of p, and leaves their
// colours.
func HighlightPart(line string, from, to int, p styles.Paint) string {
	if p.On == "" || from >= to {
		return line
	}
	return paintParts(line, [][2]int{{from, to}}, p, true)
}

// paintParts draws parts of a line, given by their visible bytes, with p: over their own paint, or instead of it.
func paintParts(line string, parts [][2]int, p styles.Paint, over bool) string {
	if len(parts) == 0 {
		return line
	}
	var b strings.Builder
	b.Grow(len(line) + 2*len(parts)*(len(p.On)+len(reset)))
	var on pen
	at, inside := 0, false // at counts visible bytes
	for i := 0; i < len(line); {
		if line[i] == esc {
			n, kind := escape(line[i:])
			seq := line[i : i+n]
			on.read(seq)
			if over || !inside || kind != escapeSGR {
				b.WriteString(seq)
			}
			if over && inside && kind == escapeSGR && sgrResets(seq) {
				b.WriteString(p.On)
			}
			i += n
			continue
		}
		n, _ := next(line[i:])
		if inside && at >= parts[0][1] {
			b.WriteString(reset + on.sgr)
			parts, inside = parts[1:], false
		}
		if !inside && len(parts) > 0 && at+n > parts[0][0] {
			if !over {
				b.WriteString(reset)
			}
			b.WriteString(p.On)
			inside = true
		}
		b.WriteString(line[i : i+n])
		i, at = i+n, at+n
	}
	if inside {
		b.WriteString(reset + on.sgr)
	}
	return b.String()
}

// matches returns the matches of find in text, from left to right.
func matches(text []byte, find Finder) [][2]int {
	var spans [][2]int
	for off := 0; off < len(text); {
		from, to := find(text[off:])
		if from < 0 || to <= from || off+to > len(text) {
			break
		}
		spans = append(spans, [2]int{off + from, off + to})
		off += to
	}
	return spans
}

// visible returns a line without its escape sequences.
func visible(line string) string {
	if strings.IndexByte(line, esc) < 0 {
		return line
	}
	var b strings.Builder
	b.Grow(len(line))
	for i := 0; i < len(line); {
		if line[i] == esc {
			n, _ := escape(line[i:])
			i += n
			continue
		}
		n, _ := next(line[i:])
		b.WriteString(line[i : i+n])
		i += n
	}
	return b.String()
}
