package markdown

import (
	"strings"

	"parley/ui/canvas"
	"parley/ui/styles"
)

// maxOpenLine is how many bytes of an incomplete line are wrapped again when it grows. The rows
// of the text before them are final.
const maxOpenLine = 1 << 10

// A flow wraps plain text that arrives in pieces, in one paint. Rows of complete lines are made
// once, so the cost of a piece depends only on its length.
type flow struct {
	w     int
	paint styles.Paint
	lead  string // precedes every row
	head  string // a painted beginning of the incomplete line
	open  string // the incomplete line
	rows  []string
}

// write adds sanitised text.
func (f *flow) write(s string) {
	for s != "" {
		line, rest, ended := strings.Cut(s, "\n")
		f.open += line
		s = rest
		if ended {
			f.rows = append(f.rows, f.wrap()...)
			f.head, f.open = "", ""
			continue
		}
		if len(f.open) > maxOpenLine {
			text := strings.TrimRight(f.open, " ")
			spaces := f.open[len(text):]
			f.open = text
			wrapped := f.wrap()
			f.rows = append(f.rows, wrapped[:len(wrapped)-1]...)
			f.head = strings.TrimPrefix(wrapped[len(wrapped)-1], f.lead)
			f.open = spaces[:min(len(spaces), maxOpenLine/2)]
		}
	}
}

// openRows returns the rows of the incomplete line, none if it is empty.
func (f *flow) openRows() []string {
	if f.open == "" && f.head == "" {
		return nil
	}
	return f.wrap()
}

func (f *flow) wrap() []string {
	rows := wrap(f.head+f.paint.S(f.open), f.w-canvas.Width(f.lead))
	if f.lead != "" {
		for i, row := range rows {
			rows[i] = f.lead + row
		}
	}
	return rows
}

// plainRows wraps unchanged text and drops blank rows at its ends.
func plainRows(text []byte, w int, paint styles.Paint) []string {
	f := flow{w: w, paint: paint}
	f.write(string(text))
	return trimBlank(append(f.rows, f.openRows()...))
}

// wrap is [canvas.Wrap] with at least one row, none of which is too wide: a wide character
// without room is dropped.
func wrap(s string, w int) []string {
	w = max(w, 1)
	rows := canvas.Wrap(s, w)
	if len(rows) == 0 {
		return []string{""}
	}
	if w == 1 {
		for i, row := range rows {
			if canvas.Width(row) > w {
				rows[i] = " "
			}
		}
	}
	return rows
}

// trimBlank returns rows without the blank ones at its ends.
func trimBlank(rows []string) []string {
	for len(rows) > 0 && blank(rows[0]) {
		rows = rows[1:]
	}
	for len(rows) > 0 && blank(rows[len(rows)-1]) {
		rows = rows[:len(rows)-1]
	}
	return rows
}

func blank(row string) bool { return strings.Trim(row, " ") == "" }
