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
func Select(line string, st *styles.Styles) string { return Highlight(lift(line, st), st.Selected) }

// Hold draws line as the row that is selected while the focus is elsewhere: bold, in the colours of
// a selected row.
func Hold(line string, st *styles.Styles) string { return hold(Select(line, st), st) }

// HoldRows draws as [Hold] those rows that [Select] drew. It changes rows.
func HoldRows(rows []string, st *styles.Styles) []string {
	for y, row := range rows {
		if isSelected(row, st) {
			rows[y] = hold(row, st)
		}
	}
	return rows
}

// hold turns what [Select] drew into what [Hold] draws.
func hold(line string, st *styles.Styles) string {
	return strings.ReplaceAll(line, st.Selected.On, st.Held.On)
}

// isSelected reports whether [Select] drew a row.
func isSelected(row string, st *styles.Styles) bool {
	return st.Selected.On != "" && strings.HasPrefix(row, st.Selected.On)
}

// isHeld reports whether [Hold] drew a row.
func isHeld(row string, st *styles.Styles) bool {
	return st.Held.On != "" && strings.HasPrefix(row, st.Held.On)
}

func lift(line string, st *styles.Styles) string {
	if !st.Lifts() {
		return line
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
	return b.String()
}
