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

// Select draws line as the selected row: on the selection's background, with faint text raised
// to dim so that it stays readable.
func Select(line string, st *styles.Styles) string {
	if st.Faint.On != "" {
		line = strings.ReplaceAll(line, st.Faint.On, st.Dim.On)
	}
	return Highlight(line, st.Selected)
}
