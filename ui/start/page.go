package start

import (
	"strings"

	"parley/internal/units"
	"parley/ui/canvas"
)

const (
	oneWidth   = 96  // that a single column takes at most
	pairWidth  = 84  // that each of two columns takes at most
	pairRoom   = 136 // from which there are two columns
	columnGap  = 4
	headHeight = 3 // the title, the input, and a blank line
	mostRows   = 5 // of a section while nothing is typed
	fewRows    = 3 // of a section where there is little room
)

// A line is one row of a column: of what can be opened, or some text.
type line struct {
	row  *Row
	text string
}

// A page is what the pane shows, in the middle of it. While the user types it keeps its place and its form,
// which are those that all rows need.
type page struct {
	form
	columns   [][]line
	w, wide   int // of a column, and of all
	left, top int // cells and rows that are blank
	head      int // rows above the columns
	mark      []string
	beside    bool // the words stand beside the mark
}

// A form is how much room the page takes.
type form struct {
	marked bool // it has the mark
	gaps   bool // between sections
	most   int  // rows of a section while nothing is typed
}

// first returns the row at which the columns begin.
func (g *page) first() int { return g.top + g.head }

// height returns the number of rows of the longest column.
func (g *page) height() (n int) {
	for _, column := range g.columns {
		n = max(n, len(column))
	}
	return n
}

// at returns what can be opened at x, y of the pane whose window begins with line top; nil for nothing.
func (g *page) at(x, top, y int) *Row {
	c := 0
	if len(g.columns) > 1 && x >= g.left+g.w+columnGap/2 {
		c = 1
	}
	if i := top + y - g.first(); y >= g.first() && i < len(g.columns[c]) {
		return g.columns[c][i].row
	}
	return nil
}

// touch says that the user looks at the page: what comes later does not move it, if there is room below.
func (p *Pane) touch() {
	p.page()
	p.touched = true
}

// page returns what is shown, in a form for which there is room.
func (p *Pane) page() *page {
	if !p.dirty {
		return &p.shown
	}
	p.dirty = false
	g, n := &p.shown, 1
	if p.W >= pairRoom {
		for i := range p.sections {
			if p.sections[i].Right && len(p.sections[i].Rows) > 0 {
				n = 2
			}
		}
	}
	if g.wide = min(p.W, oneWidth); n > 1 {
		g.wide = min(p.W, n*pairWidth+columnGap)
	}
	g.w, g.left = (g.wide-(n-1)*columnGap)/n, (p.W-g.wide)/2
	all := 0
	for _, f := range []form{{true, true, mostRows}, {false, true, mostRows}, {false, false, mostRows}, {false, false, fewRows}} {
		g.form = f
		p.setHead(g)
		g.columns = p.build(g, n, "")
		if all = g.head + g.height(); all <= p.H {
			break
		}
	}
	if room := max(0, p.H-all); p.touched {
		g.top = min(g.top, room)
	} else {
		g.top = room / 2
	}
	if text := p.Text(); text != "" {
		g.columns = p.build(g, n, strings.ToLower(text))
	}
	return g
}

// setHead sets what stands above the columns.
func (p *Pane) setHead(g *page) {
	g.head, g.mark, g.beside = headHeight, nil, false
	if p.H < 8 {
		g.head = min(p.H, 1)
		return
	}
	if !g.marked {
		return
	}
	if p.mark == nil {
		p.mark = wordmark(p.St)
	}
	w := canvas.Width(p.mark[0])
	if w > g.wide {
		return
	}
	title, intro := p.words()
	if g.mark, g.head = p.mark, headHeight+markHeight+1; w+markGap+max(canvas.Width(title), canvas.Width(intro)) <= g.wide {
		g.beside, g.head = true, headHeight+markHeight
	}
}

// build returns n columns with the rows that match a text in lower case.
func (p *Pane) build(g *page, n int, text string) [][]line {
	out := make([][]line, n)
	if p.address != nil && text != "" {
		out[0] = append(out[0], line{row: p.address})
	}
	some := p.address != nil && text != ""
	for i := range p.sections {
		s, c := &p.sections[i], 0
		if s.Right {
			c = n - 1
		}
		rows, more := matching(s, text, g.most)
		hint := s.Hint
		if text != "" {
			hint = ""
		}
		if len(rows) == 0 && hint == "" {
			continue
		}
		some = true
		if g.gaps && len(out[c]) > 0 {
			out[c] = append(out[c], line{})
		}
		out[c] = append(out[c], line{text: p.heading(s.Title, hint, g.w)})
		for j := range rows {
			out[c] = append(out[c], line{row: &rows[j]})
		}
		if more > 0 {
			out[c] = append(out[c], line{text: p.St.Faint.S("  and " + units.Count(more) + " more: type a name")})
		}
	}
	if !some {
		for _, words := range canvas.Wrap(p.nothing, max(1, g.w)) {
			out[0] = append(out[0], line{text: p.St.Faint.S(words)})
		}
	}
	return out
}
