package agents

import (
	"cmp"
	"math/bits"
	"slices"
	"time"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/ui/axis"
	"parley/ui/canvas"
	"parley/ui/looks"
	"parley/ui/styles"
)

const (
	mostLanes = 4
	lanesSpan = 30 * time.Second
	tagCells  = 4                      // of a tag at most
	farthest  = time.Duration(1) << 56 // from the first record: clocks may say anything
	laneUnit  = 100 * time.Millisecond // of which the length of a cell is a multiple
)

// lanesCells returns how many cells the lanes have; without colours, tags stand before them.
func (p *Pane) lanesCells() int {
	if p.st.Theme.Colorless() {
		return p.w - 1 - tagCells - 1
	}
	return p.w - 1
}

// lanesAxis returns the axis of the lanes. It ends now while an exchange is open, otherwise with the newest
// record, so that it stands still while nothing comes. Its cells begin at multiples of their length, so that
// they keep what they have.
func (p *Pane) lanesAxis() axis.Axis {
	l, cells := p.about.State.Log, p.lanesCells()
	if cells < 1 {
		return axis.Axis{}
	}
	base := l.TimeOf(1)
	end := bounded(l.TimeOf(a2a.RecordID(l.Len())).Sub(base))
	if !p.about.Now.IsZero() && slices.ContainsFunc(p.agents, p.traffic.open) {
		end = max(end, bounded(p.about.Now.Sub(base)))
	}
	cell := (lanesSpan/time.Duration(cells) + laneUnit - 1) / laneUnit * laneUnit
	return axis.Axis{From: end/cell*cell - cell*time.Duration(cells-1), Span: cell * time.Duration(cells), Cells: cells}
}

// lately draws what n agents did in the newest seconds, a row for each; nil if nothing was sent yet. Behind the
// last cell of the axis is one for the sign of an end.
func (p *Pane) lately(n int, x axis.Axis) []string {
	chosen, base := p.latest(n), p.about.State.Log.TimeOf(1)
	if len(chosen) == 0 || x.Cells == 0 {
		return nil
	}
	rows := make([]string, n)
	for i, a := range chosen {
		rows[i] = p.lane(a, x, base)
	}
	return rows
}

// bounded returns the possible distance nearest to d.
func bounded(d time.Duration) time.Duration { return min(max(d, -farthest), farthest) }

// latest returns the n agents that were sent something last, in the order of the list.
func (p *Pane) latest(n int) []*model.Agent {
	began := func(a *model.Agent) a2a.ExchangeID {
		if c := p.traffic.of[a.ID]; c != nil {
			return c.exchanges[len(c.exchanges)-1].Exchange
		}
		return 0
	}
	all := slices.DeleteFunc(slices.Clone(p.agents), func(a *model.Agent) bool { return began(a) == 0 })
	if len(all) > n {
		slices.SortFunc(all, func(a, b *model.Agent) int { return cmp.Compare(began(b), began(a)) })
		all = all[:n]
		slices.SortFunc(all, func(a, b *model.Agent) int { return slices.Index(p.agents, a) - slices.Index(p.agents, b) })
	}
	return all
}

// lane draws the exchanges of an agent. Without colours its tag stands before them.
func (p *Pane) lane(a *model.Agent, x axis.Axis, base time.Time) string {
	row, after := axis.NewRow(x.Cells+1), 0
	for _, s := range p.traffic.of[a.ID].exchanges {
		start := bounded(s.Start.Sub(base))
		end := bounded(start + bounded(s.Duration(p.about.Now)))
		if end < x.From || start >= x.To() {
			continue
		}
		if s.Prev == 0 {
			after = 0
		}
		after = p.drawExchange(&row, x, s, start, end, after)
	}
	if !p.st.Theme.Colorless() {
		return row.String()
	}
	name := canvas.SanitizeLine(a.Tag)
	if name == "" {
		name = canvas.SanitizeLine(a.Name())
	}
	return canvas.Fit(name, tagCells) + " " + row.String()
}

// drawExchange draws how many events came in each cell of an exchange, from cell after on, and the sign of its
// end. It returns the cell behind that.
func (p *Pane) drawExchange(row *axis.Row, x axis.Axis, s *log.Stream, start, end time.Duration, after int) int {
	paint, g := p.colour(p.traffic.log.Owner(s.Exchange).Agent), &p.st.G
	from := max(x.Cell(start), after)
	to := max(x.Cell(end), from)
	if s.Prev != 0 && x.Contains(start) {
		row.Put(from, g[styles.Retry], paint)
		from++
		to = max(to, from)
	}
	loads := make([]log.Load, x.Cells)
	s.Spread(loads, x.From-start, x.To()-start)
	for i := from; i <= to && i < x.Cells; i++ {
		row.Put(i, g[styles.Spark+height(loads[i].Events)], paint)
	}
	if s.Open() {
		return to + 1
	}
	sign, ink := p.ending(s)
	if ink.On == "" {
		ink = paint
	}
	row.Put(min(to+1, x.Cells), g[sign], ink)
	return to + 2
}

// height returns which of the bars shows a number of events, each for twice as many as the one before.
func height(n int) styles.Glyph { return styles.Glyph(min(bits.Len(uint(n)), styles.Steps-1)) }

// ending returns the sign of how an exchange ended, with a paint for what did not end well.
func (p *Pane) ending(s *log.Stream) (sign styles.Glyph, paint styles.Paint) {
	sign, paint = looks.EndOf(p.st, p.traffic.log, s)
	if s.End.Reason == a2a.Cut {
		sign = styles.Cut
	}
	if paint != p.st.Failed && paint != p.st.Dim {
		paint = styles.Paint{}
	}
	return sign, paint
}
