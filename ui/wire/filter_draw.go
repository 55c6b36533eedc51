package wire

import (
	"strings"

	"parley/internal/units"
	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/styles"
)

// advisedFrom is the height of the pane from which a second row shows the filter's error or
// result.
const advisedFrom = 6

// filterHeight returns the number of rows of the filter.
func (p *Pane) filterHeight() int {
	switch {
	case p.filter.open && p.h >= advisedFrom:
		return 2
	case p.filter.open && p.h > 0, p.filter.on() && p.h > 1 && p.detailHeight()+p.searchHeight() < p.h:
		return 1
	default:
		return 0
	}
}

// filterRows draws the rows of the filter.
func (p *Pane) filterRows() []string {
	f, st := &p.filter, p.st
	if p.filterHeight() == 0 {
		return nil
	}
	if !f.open {
		words := "  " + keys.Name(p.Of(goBack)) + " clears"
		if s := p.progressText(); s != "" {
			words = "  " + s + words
		}
		line := st.Accent.S("/ ") + st.Text.S(canvas.SanitizeLine(strings.TrimSpace(f.set.String()))) + st.Faint.S(words)
		return []string{canvas.Fit(line, p.w)}
	}
	rows := []string{canvas.Fit(f.input.View(), p.w)}
	if p.filterHeight() > 1 {
		rows = append(rows, canvas.Fit(p.adviceRow(), p.w))
	}
	return rows
}

// noMatchText explains why no record passes the filter.
func (p *Pane) noMatchText() string {
	if s := p.progressText(); s != "" {
		return "nothing so far, " + s
	}
	return "no record passes the filter"
}

// adviceRow draws the second row: the error, with a marker below its place, or the number of
// matches.
func (p *Pane) adviceRow() string {
	f, st := &p.filter, p.st
	if f.wrong != nil {
		return p.errorRow()
	}
	words := p.progressText()
	if f.set != nil {
		in, _ := p.counts()
		found := units.Count(in.records) + " of " + units.Plural(in.of, "record")
		if words == "" {
			words = found
		} else {
			words = found + " so far, " + words
		}
	}
	if f.lastWord != "" {
		words = keys.Name(p.line.Of(completeWord)) + " completes, " + keys.Name(p.line.Of(keepFilter)) + " searches for " + canvas.SanitizeLine(f.lastWord)
	}
	if f.set == nil && f.input.Value() == "" {
		words = "text, /pattern/ or a word below; and, or, not, ( )"
		if len(f.history.lines) > 0 {
			words = keys.Name(p.line.Of(earlierFilter)) + " shows an earlier filter"
		}
	}
	return "  " + st.Faint.S(canvas.Ellipsize(words, max(p.w-2, 0), st.G[styles.Ellipsis]))
}

// errorRow draws the error below its place.
func (p *Pane) errorRow() string {
	f, st := &p.filter, p.st
	from := min(max(p.column(f.wrong.Off), 2), max(p.w-1, 0))
	to := min(max(p.column(f.wrong.End), from+1), max(p.w, from+1), from+max(p.w/4, 1)) // leaves room for the message
	mark := strings.Repeat("^", to-from)
	words := canvas.SanitizeLine(f.wrong.Message)
	paint := st.Failed
	if f.errorAtEnd() {
		paint = st.Dim
	}
	n := canvas.Width(words)
	switch {
	case to+1+n <= p.w:
		return strings.Repeat(" ", from) + paint.S(mark+" "+words)
	case n+1 <= from:
		return strings.Repeat(" ", from-n-1) + paint.S(words+" "+mark)
	case from > p.w/2:
		words = canvas.Ellipsize(words, from-1, st.G[styles.Ellipsis])
		return paint.S(canvas.Fit(words, from-1) + " " + mark)
	default:
		return strings.Repeat(" ", from) + paint.S(mark+" "+canvas.Ellipsize(words, max(p.w-to-1, 0), st.G[styles.Ellipsis]))
	}
}

// errorAtEnd reports whether the error is at the end of the text, where more input may correct
// it.
func (f *filterLine) errorAtEnd() bool {
	return f.wrong != nil && f.wrong.End == len(f.input.Value()) && f.cursorByte() == f.wrong.End
}

// column returns the column of byte i of the filter, however far the line is scrolled.
func (p *Pane) column(i int) int {
	f := &p.filter
	text, at := f.input.Value(), f.cursorByte()
	i = min(i, len(text))
	x := len(filterPrompt)
	if cur := f.input.Cursor(0, 0, p.w+1, 1); cur != nil {
		x = cur.X
	} else {
		at = 0
	}
	if i < at {
		return x - canvas.Width(text[i:at])
	}
	return x + canvas.Width(text[at:i])
}
