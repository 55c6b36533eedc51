package timeline

import (
	"strings"
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/ui/canvas"
	"parley/ui/looks"
	"parley/ui/styles"
)

// An axis maps the cells of the lanes to times. The last cell is for the end.
type axis struct {
	cells int
	span  time.Duration
}

func (v *View) axis() axis {
	return axis{cells: max(v.w-1, 1), span: max(v.chain.span(v.now), time.Millisecond)}
}

// cell returns the cell of a time.
func (a axis) cell(at time.Duration) int {
	return min(max(int(float64(at)/float64(a.span)*float64(a.cells)), 0), a.cells-1)
}

// time returns the time in the middle of a cell.
func (a axis) time(cell int) time.Duration {
	return time.Duration((float64(min(cell, a.cells)) + 0.5) / float64(a.cells) * float64(a.span))
}

// A lane is a row of signs, one per cell.
type lane struct {
	signs  []string
	paints []styles.Paint
}

func newLane(w int) lane {
	l := lane{signs: make([]string, w), paints: make([]styles.Paint, w)}
	for i := range l.signs {
		l.signs[i] = " "
	}
	return l
}

func (l *lane) put(cell int, sign string, p styles.Paint) {
	if cell >= 0 && cell < len(l.signs) {
		l.signs[cell], l.paints[cell] = sign, p
	}
}

// row draws the lane. Adjacent signs of the same paint are joined.
func (l *lane) row() string {
	var b strings.Builder
	for i := 0; i < len(l.signs); {
		end := i + 1
		for end < len(l.signs) && l.paints[end] == l.paints[i] {
			end++
		}
		b.WriteString(l.paints[i].S(strings.Join(l.signs[i:end], "")))
		i = end
	}
	return b.String()
}

// sparkline draws the number of events per cell.
func (v *View) sparkline(a axis) string {
	loads := make([]log.Load, a.cells)
	for _, s := range v.chain.streams {
		from := -v.chain.offset(s, 0)
		s.Spread(loads, from, from+a.span)
	}
	most := 0
	for _, c := range loads {
		most = max(most, c.Events)
	}
	l := newLane(v.w)
	for i, c := range loads {
		if c.Events > 0 {
			l.put(i, v.st.G.Spark(c.Events, most), v.st.Agent)
		}
	}
	return l.row()
}

// states draws the task's states over time, with pauses and ends.
func (v *View) states(a axis) string {
	l := newLane(v.w)
	for i, s := range v.chain.streams {
		v.line(&l, a, s)
		if i > 0 {
			l.put(a.cell(v.chain.offset(s, 0)), v.st.G[styles.Retry], v.st.Waiting)
		}
	}
	return l.row()
}

// line draws a stream on the lane of states.
func (v *View) line(l *lane, a axis, s *log.Stream) {
	g := &v.st.G
	paint, at := v.st.Dim, a.cell(v.chain.offset(s, 0))
	fill := func(to int, sign styles.Glyph, p styles.Paint) {
		for ; at < to; at++ {
			l.put(at, g[sign], p)
		}
	}
	l.put(at, g[styles.Send], v.st.User)
	at++
	for i := range s.Steps {
		st := &s.Steps[i]
		switch st.Kind {
		case log.StepState:
			to := a.cell(v.chain.offset(s, st.Begin))
			fill(to, styles.Horizontal, paint)
			var sign styles.Glyph
			sign, paint = looks.State(v.st, st.State)
			l.put(to, g[sign], paint)
			at = max(at, to+1)
		case log.StepWait:
			fill(a.cell(v.chain.offset(s, st.Begin))+1, styles.Horizontal, paint)
			fill(a.cell(v.chain.offset(s, st.End)), styles.Silence, v.st.Waiting)
		}
	}
	end := a.cell(v.chain.offset(s, s.Duration(v.now)))
	if s.Open() && s.Silence(v.now) >= minWait {
		fill(a.cell(v.chain.offset(s, s.Duration(v.now)-s.Silence(v.now)))+1, styles.Horizontal, paint)
		fill(end+1, styles.Silence, v.st.Waiting)
	}
	fill(end+1, styles.Horizontal, paint)
	sign, paint := ending(v.st, s)
	l.put(end+1, g[sign], paint)
}

// minWait is the silence after which an open stream is shown as waiting.
const minWait = time.Second

// scale draws the times of both ends of the lanes and the cursor's position.
func (v *View) scale(a axis) string {
	total := units.Duration(a.span)
	it := v.log.At(v.sel)
	if it == nil {
		return v.st.Faint.S(canvas.Fit(canvas.Fit("0", max(v.w-canvas.Width(total), 0))+total, v.w))
	}
	cell := a.cell(it.Record.Time.Sub(v.chain.streams[0].Start))
	if it.Record.Kind == a2a.KindEnd {
		cell++
	}
	left, right := canvas.Fit("0", cell), canvas.FitRight(total, max(v.w-cell-1, 0))
	if canvas.Width(total) > v.w-cell-1 { // it precedes the cursor
		left, right = canvas.FitRight(total, cell), canvas.Fit("", max(v.w-cell-1, 0))
	}
	return canvas.Fit(v.st.Faint.S(left)+v.st.Accent.S(v.st.G[styles.Here])+v.st.Faint.S(right), v.w)
}

// ending returns the sign and the paint of a stream's end; of an open stream, those of its
// growing end.
func ending(st *styles.Styles, s *log.Stream) (styles.Glyph, styles.Paint) {
	switch {
	case s.Open() && s.Stalled != nil:
		return styles.Pause, st.Waiting
	case s.Open():
		return styles.Block, st.Agent
	case s.End.Reason == a2a.Ended:
		return styles.Vertical, st.Dim
	case s.End.Reason == a2a.Cancelled:
		return styles.Canceled, st.Dim
	case s.End.Class == a2a.ClassSevered:
		return styles.Broken, st.Dim
	default:
		return styles.Broken, st.Failed
	}
}
