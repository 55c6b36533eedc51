package canvas

import (
	"strings"

	"parley/ui/styles"
)

// Backdrop draws line as a part of what lies behind a sheet: words are faint, hairlines stay,
// and every other colour, attribute and background is gone. Without colours it is plain text.
func Backdrop(line string, st *styles.Styles) string {
	var b strings.Builder
	b.Grow(len(line) + len(st.Faint.On) + len(reset))
	b.WriteString(st.Faint.On)
	for {
		at := strings.IndexByte(line, esc)
		if at < 0 {
			break
		}
		n, kind := escape(line[at:])
		seq := line[at : at+n]
		b.WriteString(line[:at])
		switch {
		case kind != escapeSGR:
			b.WriteString(seq)
		case st.Faint.On == "":
		case seq == st.Hairline.On:
			b.WriteString(seq)
		case sgrIsReset(seq):
			b.WriteString(st.Faint.On)
		}
		line = line[at+n:]
	}
	b.WriteString(line)
	if st.Faint.On != "" {
		b.WriteString(reset)
	}
	return b.String()
}
