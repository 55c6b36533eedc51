package lanes

import (
	"math/bits"
	"slices"
	"sort"
	"time"

	"parley/session/log"
	"parley/ui/axis"
	"parley/ui/looks"
	"parley/ui/styles"
)

// drawEvents draws how many records came in each cell, without the request and the end, on a line as long as
// events came. Its cost depends on the number of cells.
func (p *Pane) drawEvents(x *part, v *look) {
	ids, a := p.log.Exchange(x.s.Exchange), v.axis
	n := len(ids)
	if n == 0 {
		return
	}
	if !v.open || x != x.lane.last() {
		n--
	}
	tag := looks.Tag(p.St, x.lane.owner.Agent)
	if from, to := x.later(max(x.s.FirstEvent, 0)), x.later(x.s.Came()); x.s.Events > 0 && from < a.To() && to >= a.From {
		p.low.Fill(a.Cell(from), a.Cell(to)+1, p.St.G[styles.Spark], tag)
	}
	last := 0
	for i := p.search(x, ids[:max(n, 1)], min(1, max(n, 1)), a.From); i < n; {
		at := p.offset(x, ids[i])
		if at >= a.To() {
			return
		}
		cell := max(a.Cell(at), last)
		next := max(p.search(x, ids[:n], i+1, a.Edge(cell+1)), i+1)
		count, paint := next-i, tag
		if v.filtered {
			if count = p.wire.CountHits(x.s.Exchange, i, next); count == 0 {
				count, paint = next-i, p.St.Hairline
			}
		}
		p.low.Put(cell, p.St.G[styles.Spark+height(count)], paint)
		i, last = next, min(cell+1, a.Cells-1)
	}
}

// height returns which of the bars shows a number of records, above the lowest one: each is for twice as many
// as the one before, so that one lane compares with another.
func height(n int) styles.Glyph {
	const one = 2
	return styles.Glyph(min(bits.Len(uint(n))-1+one, styles.Steps-1))
}

// drawSteps draws states, errors and pauses, and the silence up to now.
func (p *Pane) drawSteps(x *part, v *look) {
	steps, a := x.s.Steps, v.axis
	i := sort.Search(len(steps), func(i int) bool { return x.later(steps[i].Begin) >= a.From })
	for i = max(i-1, 0); i < len(steps); i++ {
		st := &steps[i]
		p.work.steps++
		begin := x.later(st.Begin)
		if begin >= a.To() {
			break
		}
		var sign styles.Glyph
		var paint styles.Paint
		switch st.Kind {
		case log.StepWait:
			p.fillBetween(a, begin, x.later(st.End), p.St.Dim)
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
		if !p.stepPasses(x, v, st) {
			paint = p.St.Faint
		}
		p.low.Put(a.Cell(begin), p.St.G[sign], paint)
	}
	if v.silent >= 0 && x == x.lane.last() {
		end := x.end(p.now)
		p.fillBetween(a, end-x.silence(p.now), end, p.silencePaint(v.stalls))
	}
}

// silencePaint returns the paint of the silence of an open exchange: a stall is a warning. A pause
// that is over is none.
func (p *Pane) silencePaint(stalls bool) styles.Paint {
	if stalls {
		return p.St.Waiting
	}
	return p.St.Dim
}

// fillBetween dots the cells between those of two times.
func (p *Pane) fillBetween(a axis.Axis, begin, end time.Duration, paint styles.Paint) {
	if end <= a.From || begin >= a.To() {
		return
	}
	from, to := a.Cell(begin)+1, a.Cell(end)
	if begin < a.From {
		from = 0
	}
	if end >= a.To() {
		to = a.Cells
	}
	p.low.Fill(from, to, p.St.G[styles.Silence], paint)
}

// stepPasses reports whether a record of a step passes the filter.
func (p *Pane) stepPasses(x *part, v *look, st *log.Step) bool {
	if !v.filtered {
		return true
	}
	ids := p.log.Exchange(x.s.Exchange)
	from, _ := slices.BinarySearch(ids, st.From)
	to, found := slices.BinarySearch(ids, st.To)
	if found {
		to++
	}
	return p.wire.CountHits(x.s.Exchange, from, to) > 0
}
