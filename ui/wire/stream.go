package wire

import (
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/ui/canvas"
	"parley/ui/looks"
	"parley/ui/styles"
)

// stalled reports whether a record is the newest of an open stream that stalls.
func (p *Pane) stalled(r *a2a.Record) bool {
	s := p.rows.log.Stream(r.Exchange)
	if s == nil || s.Stalled == nil {
		return false
	}
	ids := p.rows.log.Exchange(r.Exchange)
	return len(ids) > 0 && ids[len(ids)-1] == r.ID
}

// redrawStalls redraws the rows while one of them shows how long a stream has stalled, and once
// more afterwards.
func (p *Pane) redrawStalls() {
	stalls := p.visible(func(id a2a.RecordID) bool {
		it := p.rows.log.At(id)
		return it != nil && p.stalled(&it.Record)
	})
	if stalls || p.stream.stalls {
		p.rows.redraw()
	}
	p.stream.stalls = stalls
}

// stall says how long a stream has brought no bytes, in w cells.
func stall(s *log.Stream, st *styles.Styles, now time.Time, w int) string {
	words := looks.Stall(st, s.Stalled, now)
	if rule := st.Faint.S(st.G[styles.Horizontal] + st.G[styles.Horizontal] + " "); canvas.Width(rule+words) <= w {
		return rule + words
	}
	return words
}

// summary returns the statistics of a stream in w cells, for the row below its end; empty for
// an exchange without events. Figures are dropped from the second on until the rest fits.
func summary(s *log.Stream, g *styles.Glyphs, w int) string {
	if s.Events == 0 {
		return ""
	}
	var head, artifact string
	sep := " " + g[styles.Separator] + " "
	if s.Head >= 0 {
		head = "ttfb " + units.Duration(s.FirstByte) + sep
	}
	if s.FirstArtifact >= 0 {
		artifact = "artifact " + units.Duration(s.FirstArtifact) + sep
	}
	rule, gap := g[styles.Horizontal]+g[styles.Horizontal]+" ", "gap max "+units.Duration(s.Gaps.Max)
	for _, s := range []string{head + artifact + gap, head + gap} {
		if canvas.Width(rule+s) <= w {
			return rule + s
		}
	}
	return rule + gap
}
