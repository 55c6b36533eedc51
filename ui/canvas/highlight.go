package canvas

import (
	"strings"

	"parley/ui/styles"
)

// Highlight draws line on the background of p, also behind painted text: p is switched on again
// wherever line resets a background.
func Highlight(line string, p styles.Paint) string {
	if p.On == "" {
		return line
	}
	var b strings.Builder
	b.Grow(len(line) + 4*len(p.On))
	b.WriteString(p.On)
	for {
		at := strings.IndexByte(line, esc)
		if at < 0 {
			break
		}
		n, kind := escape(line[at:])
		seq := line[at : at+n]
		b.WriteString(line[:at+n])
		if kind == escapeSGR && sgrResets(seq) {
			b.WriteString(p.On)
		}
		line = line[at+n:]
	}
	b.WriteString(line)
	b.WriteString(reset)
	return b.String()
}

// Select draws line as the selected row: on the selection's background, with the colours that
// would be too close to it changed so that they stay readable.
func Select(line string, st *styles.Styles) string { return Lift(line, st, st.Selected) }

// Lift is [Select] with another paint that has the selection's background.
func Lift(line string, st *styles.Styles, p styles.Paint) string {
	if !st.Lifts() {
		return Highlight(line, p)
	}
	var b strings.Builder
	b.Grow(len(line) + len(line)/8)
	for {
		at := strings.IndexByte(line, esc)
		if at < 0 {
			break
		}
		n, kind := escape(line[at:])
		b.WriteString(line[:at])
		if seq := line[at : at+n]; kind == escapeSGR {
			b.WriteString(st.Lift(seq))
		} else {
			b.WriteString(seq)
		}
		line = line[at+n:]
	}
	b.WriteString(line)
	return Highlight(b.String(), p)
}
