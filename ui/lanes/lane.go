package lanes

import (
	"sort"
	"time"

	"parley/internal/units"
	"parley/ui/axis"
	"parley/ui/styles"
)

// A look is all that the cells of a lane follow from.
type look struct {
	st       *styles.Styles
	axis     axis.Axis
	parts    int
	records  int // of the last exchange: the others have ended
	steps    int
	open     bool
	took     string // so far, of an open exchange
	end      int    // the cell that an open exchange reaches
	silent   int    // the cell from which an open exchange has been silent, -1 for none
	stalls   bool
	check    int // records of the check of the answer
	filtered bool
	hits     int
	marks    uint64
	from, to int // the cells of the span
	cursor   int // the cell of the cursor, -1 in other lanes
}

// minSilence is the silence from which the end of an open lane is dotted.
const minSilence = time.Second

// lookOf returns what the cells of a lane follow from now.
func (p *Pane) lookOf(l *lane, a axis.Axis) look {
	x := l.last()
	v := look{
		st: p.St, axis: a, parts: len(l.parts), records: len(p.log.Exchange(x.s.Exchange)), steps: len(x.s.Steps),
		open: x.s.Open(),
		end:  -1, silent: -1, filtered: p.wire.Filtered(), marks: p.marks.version, cursor: -1,
	}
	if v.open {
		end := x.end(p.now)
		v.end, v.took = a.Cell(end), units.Duration(end-x.start)
		if quiet := x.silence(p.now); quiet >= minSilence {
			v.silent, v.stalls = a.Cell(end-quiet), x.s.Stall(p.now) > 0
		}
	}
	if x.check != nil {
		v.check = len(p.log.Exchange(x.check.Exchange))
	}
	if v.filtered {
		for _, x := range l.in(a) {
			v.hits += p.wire.CountHits(x.s.Exchange, 0, len(p.log.Exchange(x.s.Exchange)))
		}
	}
	if from, to, ok := p.span.cells(p, a); ok {
		v.from, v.to = from, to
	}
	if l == p.lane() {
		v.cursor = a.Cell(p.at)
	}
	return v
}

// in returns the exchanges of a lane that an axis may reach, and one more at either side.
func (l *lane) in(a axis.Axis) []*part {
	from := sort.Search(len(l.parts), func(i int) bool { return l.parts[i].start >= a.From })
	to := sort.Search(len(l.parts), func(i int) bool { return l.parts[i].start >= a.To() })
	return l.parts[max(from-1, 0):min(max(to, from)+1, len(l.parts))]
}

// chart returns the cells of a lane in its rows. It draws them if they have changed.
func (p *Pane) chart(l *lane, a axis.Axis) [2]string {
	now := p.lookOf(l, a)
	if l.cells[0] == "" || l.drawn != now {
		p.work.lanes++
		l.drawn, l.cells = now, p.drawLane(l, &now)
	}
	return l.cells
}

// drawLane draws a lane: above the bars, below what came.
func (p *Pane) drawLane(l *lane, v *look) (rows [2]string) {
	a := v.axis
	p.top.Reset(a.Cells)
	p.low.Reset(a.Cells)
	end := p.drawBars(l, v)
	if l.tall {
		for _, x := range l.in(a) {
			p.drawEvents(x, v)
			p.drawSteps(x, v)
		}
		if end >= 0 {
			p.low.Text(end+2, p.fitting(a.Cells-end-2, p.figures(l)...), p.St.Dim)
		}
	}
	for _, x := range l.in(a) {
		for _, k := range p.marks.of[x.s.Exchange] {
			if a.Contains(k.at) {
				p.beat(l).Put(a.Cell(k.at), p.St.G[styles.Marked], p.St.Accent)
			}
		}
	}
	for _, r := range []*axis.Row{&p.top, &p.low} {
		if !p.St.Theme.Colorless() { // reverse video would hide the signs
			r.Shade(v.from, v.to, p.St.OnSelection)
		}
		if v.cursor >= 0 {
			p.drawCursor(r, v.cursor)
		}
	}
	return [2]string{p.top.String(), p.low.String()}
}

// beat returns the row of the signs of a lane that is being drawn.
func (p *Pane) beat(l *lane) *axis.Row {
	if l.tall {
		return &p.low
	}
	return &p.top
}

// drawCursor draws the cell of the cursor. With colours, the cell of a bar has no sign there.
func (p *Pane) drawCursor(r *axis.Row, cell int) {
	if r.Sign(cell) == p.St.G[styles.Solid] && !p.St.Theme.Colorless() {
		r.Put(cell, " ", styles.Paint{})
	}
	r.Shade(cell, cell+1, func(sign styles.Paint) styles.Paint { return sign.And(p.St.Cursor) })
}
