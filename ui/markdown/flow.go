package markdown

import (
	"strings"

	"parley/ui/canvas"
	"parley/ui/styles"
)

// maxOpenLine is how much of an unfinished line is wrapped again when it grows.
// What lies before that has found its rows.
const maxOpenLine = 1 << 10

// A flow wraps plain text that arrives in pieces, in one paint. Rows of finished
// lines are made once, so a piece costs what it is long.
type flow struct {
	w     int
	paint styles.Paint
	lead  string // in front of every row
	head  string // a painted beginning of the unfinished line
	open  string // the unfinished line
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

// unfinished returns the rows of the line that may still grow; none if nothing of
// it is there yet.
func (f *flow) unfinished() []string {
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

// plain wraps text as it is and drops blank rows at its ends.
func plain(text []byte, w int, paint styles.Paint) []string {
	f := flow{w: w, paint: paint}
	f.write(string(text))
	return trimBlank(append(f.rows, f.unfinished()...))
}

// wrap is [canvas.Wrap] with at least one row, none of which is too wide: where a
// wide character has no room at all it is left out.
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
