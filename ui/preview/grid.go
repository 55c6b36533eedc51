package preview

import (
	"strings"

	"parley/ui/canvas"
	"parley/ui/list"
	"parley/ui/styles"
)

// A grid is the position in a table.
type grid struct {
	list.Cursor
	from int // first visible column
	// one is set while the selected row is shown alone, with a value per line, from line first on.
	one   bool
	first int

	fitted fitted
	hidden int // columns outside the window, at fitted
}

// fitted is what the number of hidden columns depends on, once it is known.
type fitted struct {
	done    bool
	w, from int
}

// gridHead is the number of lines above the rows.
const gridHead = 2

// gridRows returns the number of visible rows; the last line shows how many columns are hidden.
func (p *Pane) gridRows() int { return max(p.rows()-gridHead-1, 1) }

func (p *Pane) gridLines() []string {
	if p.grid.one {
		return p.rowLines()
	}
	g, t := &p.grid, p.read.table
	n := p.gridRows()
	l, find := t.Fit(p.st, p.w, g.from), p.search.finder()
	g.Go(g.At, t.Len())
	rows := g.Rows(p.st, p.w, t.Len(), n, func(i int) string { return canvas.HighlightHits(l.Row(i), find, p.st.Mark) })
	lines := append(l.Head(), rows...)
	if hidden := l.Hidden(); hidden != "" {
		lines = append(canvas.Block(lines, p.w, n+gridHead), p.st.Faint.S(p.st.G[styles.Ellipsis]+" "+hidden))
	}
	return lines
}

// rowLines draws a single row with a value per line.
func (p *Pane) rowLines() []string {
	const most = 64 << 10 // bytes of a value
	var lines []string
	names := p.read.table.Names()
	for i, c := range p.read.table.Cells(p.grid.At) {
		paint, text := p.st.Text, c.Text
		switch {
		case c.None:
			paint = p.st.Faint
			if text == "" {
				text = "nothing"
			}
		case c.Number:
			paint = p.st.Number
		}
		lines = append(lines, p.st.Faint.S(canvas.SanitizeLine(names[i])))
		for _, line := range canvas.Wrap(canvas.Sanitize(strings.ToValidUTF8(text[:min(len(text), most)], "")), max(p.w-2, 1)) {
			lines = append(lines, "  "+paint.S(line))
		}
	}
	p.grid.first = min(max(p.grid.first, 0), max(len(lines)-p.rows(), 0))
	return lines[p.grid.first:]
}

// columns scrolls by columns.
func (p *Pane) columns(delta int) {
	l := p.read.table.Fit(p.st, p.w, p.grid.from)
	if delta > 0 && l.After() == 0 || delta < 0 && l.Before() == 0 {
		return
	}
	p.grid.from += delta
}
