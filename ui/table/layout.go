package table

import (
	"sort"
	"strconv"
	"strings"

	"parley/internal/units"
	"parley/ui/canvas"
	"parley/ui/styles"
)

const (
	gap              = 2  // cells between two columns
	leastCell        = 12 // the width that columns may shrink to so that all fit
	usualCell        = 24 // the largest width if they do not fit anyway
	minNumberedWidth = 40 // the least width at which rows are numbered
)

// A Layout is a range of a table's columns, laid out for a width.
type Layout struct {
	t      *Table
	st     *styles.Styles
	w      int
	from   int
	widths []int // of the columns from index from on
	gutter int   // cells for row numbers
	cells  []Cell
}

// Fit lays out the columns from index from on in w cells: all of them if they fit, in which
// case wide ones shrink, otherwise as many as fit.
func (t *Table) Fit(st *styles.Styles, w, from int) *Layout {
	l := &Layout{t: t, st: st, w: w, from: min(max(from, 0), len(t.names)-1), cells: make([]Cell, len(t.names))}
	if w >= minNumberedWidth {
		l.gutter = len(strconv.Itoa(t.Len())) + gap
	}
	room, wide := w-l.gutter, t.wide[l.from:]
	limit := func(most int) (total int) {
		for _, n := range wide {
			total += min(n, most) + gap
		}
		return total - gap
	}
	if limit(leastCell) <= room {
		most := sort.Search(room, func(n int) bool { return limit(n+1) > room })
		for _, n := range wide {
			l.widths = append(l.widths, min(n, most))
		}
		return l
	}
	for used := 0; len(l.widths) < len(wide); {
		n := min(wide[len(l.widths)], usualCell, max(room, 1))
		if used += n + gap; len(l.widths) > 0 && used-gap > room {
			break
		}
		l.widths = append(l.widths, n)
	}
	return l
}

// Before returns how many columns are hidden before the visible ones.
func (l *Layout) Before() int { return l.from }

// After returns how many columns are hidden after the visible ones.
func (l *Layout) After() int { return len(l.t.names) - l.from - len(l.widths) }

// Hidden describes the hidden columns, empty if there are none.
func (l *Layout) Hidden() string {
	var words []string
	if n := l.Before(); n > 0 {
		words = append(words, units.Plural(n, "column")+" before")
	}
	if n := l.After(); n > 0 {
		words = append(words, units.Plural(n, "more column"))
	}
	return strings.Join(words, ", ")
}

// Head returns the column names and the rule below them, each exactly as wide as the layout.
func (l *Layout) Head() []string {
	for i, name := range l.t.names {
		l.cells[i] = Cell{Text: head(name)}
	}
	total := l.gutter - gap
	for _, n := range l.widths {
		total += n + gap
	}
	names := l.line("", func(Cell) styles.Paint { return l.st.Dim })
	return []string{names, canvas.Fit(canvas.Rule(l.st, min(total, l.w)), l.w)}
}

// Row returns row i, exactly as wide as the layout.
func (l *Layout) Row(i int) string {
	l.t.rows.cells(i, l.cells, maxCellBytes)
	return l.line(strconv.Itoa(i+1), func(c Cell) styles.Paint {
		switch {
		case c.None:
			return l.st.Faint
		case c.Number:
			return l.st.Number
		default:
			return l.st.Text
		}
	})
}

func (l *Layout) line(number string, paint func(Cell) styles.Paint) string {
	var b strings.Builder
	if l.gutter > 0 {
		b.WriteString(l.st.Faint.S(canvas.FitRight(number, l.gutter-gap)) + strings.Repeat(" ", gap))
	}
	for k, w := range l.widths {
		if k > 0 {
			b.WriteString(strings.Repeat(" ", gap))
		}
		c := l.cells[l.from+k]
		text := canvas.Ellipsize(canvas.SanitizeLine(head(c.Text)), w, l.st.G[styles.Ellipsis])
		space := strings.Repeat(" ", max(w-canvas.Width(text), 0))
		if text = paint(c).S(text); l.t.right[l.from+k] {
			text = space + text
		} else {
			text += space
		}
		b.WriteString(text)
	}
	return canvas.Fit(b.String(), l.w)
}
