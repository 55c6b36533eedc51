package lanes

import (
	"math/bits"
	"slices"
	"sort"
	"time"

	"parley/a2a"
	"parley/session/log"
	"parley/ui/axis"
	"parley/ui/looks"
	"parley/ui/styles"
)

// A look is all that the cells of a lane follow from.
type look struct {
	st       *styles.Styles
	axis     axis.Axis
	records  int
	steps    int
	open     bool
	stalled  *log.Signal
	end      int // the cell that an open exchange reaches
	silent   int // the cell from which an open exchange has been silent, -1 for none
	stalls   bool
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
	ids := p.log.Exchange(l.s.Exchange)
	v := look{
		st: p.St, axis: a, records: len(ids), steps: len(l.s.Steps), open: l.s.Open(), stalled: l.s.Stalled,
		end: -1, silent: -1, filtered: p.wire.Filtered(), marks: p.marks.version, cursor: -1,
	}
	if v.open {
		v.end = a.Cell(l.end(p.now))
		if quiet := p.silence(l); quiet >= minSilence {
			v.silent, v.stalls = a.Cell(l.end(p.now)-quiet), quiet >= a2a.StallAfter
		}
	}
	if v.filtered {
		v.hits = p.wire.CountHits(l.s.Exchange, 0, len(ids))
	}
	if from, to, ok := p.span.cells(p, a); ok {
		v.from, v.to = from, to
	}
	if l.s.Exchange == p.sel {
		v.cursor = a.Cell(p.at)
	}
	return v
}

// silence returns how long nothing has come in an open lane.
func (p *Pane) silence(l *lane) time.Duration {
	if p.now.IsZero() {
		return 0
	}
	return l.s.Silence(p.now)
}

// chart returns the cells of a lane. It draws them if they have changed.
func (p *Pane) chart(l *lane, a axis.Axis) string {
	now := p.lookOf(l, a)
	if l.cells == "" || l.drawn != now {
		p.work.lanes++
		l.drawn, l.cells = now, p.drawLane(l, &now)
	}
	return l.cells
}

// drawLane draws a lane.
func (p *Pane) drawLane(l *lane, v *look) string {
	p.canvas.Reset(v.axis.Cells)
	p.drawGap(l, v.axis)
	if begin, end := l.start, l.end(p.now); begin < v.axis.To() && end >= v.axis.From {
		p.drawBar(l, v)
		p.drawEvents(l, v)
		p.drawEnds(l, v, p.drawSteps(l, v))
	} else {
		p.pointTo(begin, v.axis)
	}
	for _, k := range p.marks.byLane[l.s.Exchange] {
		if v.axis.Contains(k.at) {
			p.canvas.Put(v.axis.Cell(k.at), p.St.G[styles.Marked], p.St.Accent)
		}
	}
	if !p.St.Theme.Colorless() { // reverse video would hide the signs
		p.canvas.Shade(v.from, v.to, p.St.OnSelection)
	}
	if v.cursor >= 0 {
		p.canvas.Shade(v.cursor, v.cursor+1, func(sign styles.Paint) styles.Paint { return sign.And(p.St.Cursor) })
	}
	return p.canvas.String()
}

// pointTo draws a sign at the edge beyond which an exchange lies.
func (p *Pane) pointTo(begin time.Duration, a axis.Axis) {
	at := a.Cells - 1
	if begin < a.From {
		at = 0
	}
	p.canvas.Put(at, p.St.G[styles.Ellipsis], p.St.Faint)
}

// drawGap draws the time between the end of a stream and its resubscription, where events may be
// missing.
func (p *Pane) drawGap(l *lane, a axis.Axis) {
	prev := p.session.byID[l.s.Prev]
	if prev == nil || prev.s.Open() {
		return
	}
	if from := prev.end(p.now); from < a.To() && l.start > a.From {
		p.fillBetween(a, from, l.start, p.St.Faint)
	}
}

// drawBar draws the line from the request to the end.
func (p *Pane) drawBar(l *lane, v *look) {
	from, to := v.axis.Cell(l.start), v.axis.Cell(l.end(p.now))
	p.canvas.Fill(from, to+1, p.St.G[styles.Horizontal], p.St.Faint)
	if v.silent >= 0 {
		p.canvas.Fill(v.silent+1, to+1, p.St.G[styles.Silence], p.silencePaint(p.silence(l)))
	}
}

// silencePaint returns the paint of the silence of an open exchange: a stall is a warning. A pause
// that is over is none.
func (p *Pane) silencePaint(d time.Duration) styles.Paint {
	if d >= a2a.StallAfter {
		return p.St.Waiting
	}
	return p.St.Dim
}

// drawEvents draws how many records came in each cell, without the request and the end. Its cost
// depends on the number of cells.
func (p *Pane) drawEvents(l *lane, v *look) {
	ids, a := p.log.Exchange(l.s.Exchange), v.axis
	n := len(ids)
	if n == 0 {
		return
	}
	if !v.open {
		n--
	}
	last := 0
	for i := p.search(l, ids[:max(n, 1)], min(1, max(n, 1)), a.From); i < n; {
		at := p.offset(l, ids[i])
		if at >= a.To() {
			return
		}
		cell := max(a.Cell(at), last)
		next := max(p.search(l, ids[:n], i+1, a.Edge(cell+1)), i+1)
		count, paint := next-i, p.St.Agent
		if v.filtered {
			if count = p.wire.CountHits(l.s.Exchange, i, next); count == 0 {
				count, paint = next-i, p.St.Hairline
			}
		}
		p.canvas.Put(cell, p.St.G[styles.Spark+height(count)], paint)
		i, last = next, min(cell+1, a.Cells-1)
	}
}

// height returns which of the bars shows a number of records: each is for twice as many as the one
// before, so that one lane compares with another.
func height(n int) styles.Glyph { return styles.Glyph(min(bits.Len(uint(n))-1, styles.Steps-1)) }

// drawSteps draws states, errors and pauses. It returns the cell of the last sign, -1 if there is
// none.
func (p *Pane) drawSteps(l *lane, v *look) (last int) {
	steps, a, g := l.s.Steps, v.axis, &p.St.G
	i := sort.Search(len(steps), func(i int) bool { return l.later(steps[i].Begin) >= a.From })
	last = -1
	for i = max(i-1, 0); i < len(steps); i++ {
		st := &steps[i]
		p.work.steps++
		begin := l.later(st.Begin)
		if begin >= a.To() {
			break
		}
		var sign styles.Glyph
		var paint styles.Paint
		switch st.Kind {
		case log.StepWait:
			p.drawPause(a, begin, l.later(st.End))
			continue
		case log.StepState:
			sign, paint = looks.State(p.St, st.State)
		case log.StepError:
			sign, paint = styles.Failed, p.St.Failed
		default:
			continue
		}
		if begin < a.From {
			continue
		}
		if !p.stepPasses(l, v, st) {
			paint = p.St.Faint
		}
		last = min(max(a.Cell(begin), a.Cell(l.start)+1), a.Cells-1) // the request keeps its cell
		p.canvas.Put(last, g[sign], paint)
	}
	return last
}

// drawPause draws a pause between the cells of the records around it.
func (p *Pane) drawPause(a axis.Axis, begin, end time.Duration) {
	if end <= a.From {
		return
	}
	p.fillBetween(a, begin, end, p.St.Dim)
}

// fillBetween dots the cells between those of two times.
func (p *Pane) fillBetween(a axis.Axis, begin, end time.Duration, paint styles.Paint) {
	from, to := a.Cell(begin)+1, a.Cell(end)
	if begin < a.From {
		from = 0
	}
	if end >= a.To() {
		to = a.Cells
	}
	p.canvas.Fill(from, to, p.St.G[styles.Silence], paint)
}

// stepPasses reports whether a record of a step passes the filter.
func (p *Pane) stepPasses(l *lane, v *look, st *log.Step) bool {
	if !v.filtered {
		return true
	}
	ids := p.log.Exchange(l.s.Exchange)
	from, _ := slices.BinarySearch(ids, st.From)
	to, found := slices.BinarySearch(ids, st.To)
	if found {
		to++
	}
	return p.wire.CountHits(l.s.Exchange, from, to) > 0
}

// drawEnds draws the request and the end. They keep to the right of the last sign, or of the request,
// if that has the same cell.
func (p *Pane) drawEnds(l *lane, v *look, last int) {
	a, g := v.axis, &p.St.G
	if a.Contains(l.start) {
		sign, paint := p.startSign(l)
		cell := a.Cell(l.start)
		p.canvas.Put(cell, g[sign], paint)
		last = max(last, cell)
	}
	end := l.end(p.now)
	if !a.Contains(end) {
		return
	}
	sign, paint := axis.Ending(p.St, l.s)
	cell := a.Cell(end)
	switch {
	case v.open || l.s.End.Reason != a2a.Ended:
		p.canvas.Put(min(max(cell, last+1), a.Cells-1), g[sign], paint)
	case p.brought(l):
		p.canvas.Put(min(max(cell, last+1), a.Cells-1), g[styles.Done], p.St.OK)
	case cell > last:
		p.canvas.Put(cell, g[sign], paint)
	}
}

// brought reports whether an exchange has brought what it was for, and no state tells that.
func (p *Pane) brought(l *lane) (brought bool) {
	const most = 8 // records that are looked at
	if slices.ContainsFunc(l.s.Steps, func(st log.Step) bool { return st.Kind == log.StepState || st.Kind == log.StepError }) {
		return false
	}
	ids := p.log.Exchange(l.s.Exchange)
	for _, id := range ids[:min(len(ids), most)] {
		it := p.log.At(id)
		if it.Update.Err != nil || it.Record.Head != nil && it.Record.Head.Status >= 400 {
			return false
		}
		brought = brought || len(it.Update.Events) > 0
	}
	return brought
}

// startSign returns the sign and the paint of the beginning of a lane.
func (p *Pane) startSign(l *lane) (styles.Glyph, styles.Paint) {
	switch c := l.s.Call; {
	case c != nil && c.Op == a2a.OpDelivery:
		return styles.Receive, p.St.Agent
	case l.s.Prev != 0 || l.retry:
		return styles.Retry, p.St.User
	default:
		return styles.Send, p.St.User
	}
}
