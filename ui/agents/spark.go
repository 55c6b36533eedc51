package agents

import (
	"strings"
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/ui/looks"
	"parley/ui/styles"
)

// A spark is a drawn sparkline, with its inputs.
type spark struct {
	st     *styles.Styles
	stream *log.Stream
	events int
	life   time.Duration
	w      int
	open   bool
	drawn  string
}

const (
	mostSpark  = 16 // cells of a sparkline
	figureRoom = 11 // cells of the figure behind it: "100,000 ev" and a space
)

// streamed is the row of an agent's newest stream: its shape, and how fast it is or how much it was.
func (p *Pane) streamed(agent a2a.AgentID) look {
	s, st := p.traffic.shaped(agent), p.st
	if s == nil {
		return look{p.bar(agent)}
	}
	paint, figure := st.Dim, piece{paint: st.Faint, text: units.Count(s.Events) + " ev"}
	if s.Open() && !p.about.Now.IsZero() {
		paint, figure = p.colour(agent), piece{paint: st.Dim, text: units.PerSecond(s.Rate(p.about.Now)) + " ev/s"}
		if s.Stall(p.about.Now) > 0 {
			figure = piece{paint: st.Waiting, text: looks.Stalled(st)}
		}
	}
	shape := p.traffic.of[agent].spark.draw(st, s, min(p.w-1-figureRoom, mostSpark))
	return p.across([]piece{p.bar(agent), {paint: paint, text: shape}}, figure)
}

// draw draws the numbers of events of a stream over its life in at most w cells. A cell keeps what it has while
// the stream grows, until twice as long ones are needed. Those of a stream that has ended are as short as they
// can be. All are multiples of the periods by which the stream counts.
func (k *spark) draw(st *styles.Styles, s *log.Stream, w int) string {
	if w <= 0 {
		return ""
	}
	now := spark{st: st, stream: s, events: s.Events, life: s.Duration(time.Time{}), open: s.Open(), w: w, drawn: k.drawn}
	if *k == now {
		return k.drawn
	}
	life, cell := now.life, log.LoadPeriod
	for life/cell >= time.Duration(w) {
		cell *= 2
	}
	if !s.Open() {
		const parts = 128 / mostSpark // of the doubled cell; so many periods has a stream
		unit := max(cell/parts, log.LoadPeriod)
		cell = unit * (life/unit/time.Duration(w) + 1)
	}
	loads := make([]log.Load, int(life/cell)+1)
	s.Spread(loads, 0, cell*time.Duration(len(loads)))
	most := 0
	for _, l := range loads {
		most = max(most, l.Events)
	}
	var b strings.Builder
	for _, l := range loads {
		b.WriteString(st.G.Spark(l.Events, most))
	}
	*k = now
	k.drawn = b.String()
	return k.drawn
}
