package timeline

import (
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/ui/axis"
	"parley/ui/canvas"
	"parley/ui/looks"
	"parley/ui/styles"
)

// axis returns the axis of the lanes. Their last cell is for the end.
func (v *View) axis() axis.Axis {
	return axis.Axis{Cells: max(v.w-1, 1), Span: max(v.chain.span(v.now), time.Millisecond)}
}

// sparkline draws the number of events per cell.
func (v *View) sparkline(a axis.Axis) string {
	loads := make([]log.Load, a.Cells)
	for _, s := range v.chain.streams {
		from := -v.chain.offset(s, 0)
		s.Spread(loads, from, from+a.Span)
	}
	most := 0
	for _, c := range loads {
		most = max(most, c.Events)
	}
	l := axis.NewRow(v.w)
	for i, c := range loads {
		if c.Events > 0 {
			l.Put(i, v.st.G.Spark(c.Events, most), v.st.Agent)
		}
	}
	return l.String()
}

// states draws the task's states over time, with pauses and ends.
func (v *View) states(a axis.Axis) string {
	l := axis.NewRow(v.w)
	for i, s := range v.chain.streams {
		v.line(&l, a, s)
		if i > 0 {
			l.Put(a.Cell(v.chain.offset(s, 0)), v.st.G[styles.Retry], v.st.Agent)
		}
	}
	return l.String()
}

// line draws a stream on the lane of states.
func (v *View) line(l *axis.Row, a axis.Axis, s *log.Stream) {
	g := &v.st.G
	paint, at := v.st.Dim, a.Cell(v.chain.offset(s, 0))
	fill := func(to int, sign styles.Glyph, p styles.Paint) {
		for ; at < to; at++ {
			l.Put(at, g[sign], p)
		}
	}
	l.Put(at, g[styles.Send], v.st.User)
	at++
	for i := range s.Steps {
		st := &s.Steps[i]
		switch st.Kind {
		case log.StepState:
			to := a.Cell(v.chain.offset(s, st.Begin))
			fill(to, styles.Horizontal, paint)
			var sign styles.Glyph
			sign, paint = looks.Past(v.st, st.State)
			l.Put(to, g[sign], paint)
			at = max(at, to+1)
		case log.StepWait:
			fill(a.Cell(v.chain.offset(s, st.Begin))+1, styles.Horizontal, paint)
			fill(a.Cell(v.chain.offset(s, st.End)), styles.Silence, v.st.Dim)
		}
	}
	end := a.Cell(v.chain.offset(s, s.Duration(v.now)))
	if s.Open() && s.Silence(v.now) >= minWait {
		fill(a.Cell(v.chain.offset(s, s.Duration(v.now)-s.Silence(v.now)))+1, styles.Horizontal, paint)
		fill(end+1, styles.Silence, v.st.Dim)
	}
	fill(end+1, styles.Horizontal, paint)
	sign, paint := looks.Ending(v.st, s, v.now)
	l.Put(end+1, g[sign], paint)
}

// minWait is the silence after which an open stream is shown as waiting.
const minWait = time.Second

// scale draws the times of both ends of the lanes and the cursor's position. Where there is no room for
// the end behind the cursor, the cursor's own time stands before it: the end's would be taken for it.
func (v *View) scale(a axis.Axis) string {
	total := units.Duration(a.Span)
	it := v.log.At(v.sel)
	if it == nil {
		return v.st.Faint.S(canvas.Fit(canvas.Fit("0", max(v.w-canvas.Width(total), 0))+total, v.w))
	}
	at := it.Record.Time.Sub(v.chain.streams[0].Start)
	cell := a.Cell(at)
	if it.Record.Kind == a2a.KindEnd {
		cell++
	}
	left, right := "0", ""
	if own, room := units.Duration(at), v.w-cell-1; canvas.Width(total) < room {
		right = canvas.FitRight(total, room)
	} else if canvas.Width(own)+3 <= cell { // the 0 and a space at both sides
		left += canvas.FitRight(own+" ", cell-1)
	}
	return canvas.Fit(v.st.Faint.S(canvas.Fit(left, cell))+v.st.Accent.S(v.st.G[styles.Here])+v.st.Faint.S(right), v.w)
}
