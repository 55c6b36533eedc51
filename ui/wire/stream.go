package wire

import (
	"slices"
	"strings"
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/ui/canvas"
	"parley/ui/looks"
	"parley/ui/styles"
)

// stalled reports whether a record is the newest of an open stream that stalls.
func (r *rows) stalled(id a2a.RecordID) bool {
	s := r.log.Stream(r.log.ExchangeOf(id))
	if s == nil || s.Stall(r.now) == 0 {
		return false
	}
	ids := r.log.Exchange(s.Exchange)
	return len(ids) > 0 && ids[len(ids)-1] == id
}

// redrawStalls redraws the rows while one of them shows how long a stream has stalled, and once
// more afterwards.
func (p *Pane) redrawStalls() {
	stalls := p.visible(p.rows.stalled)
	if stalls || p.stream.stalls {
		p.rows.redraw()
	}
	p.stream.stalls = stalls
}

// Next returns how long the rows stay as they are while nothing comes, 0 for ever: an open exchange grows, in
// the steps of an age.
func (p *Pane) Next() (least time.Duration) {
	p.visible(func(id a2a.RecordID) bool {
		if s := p.rows.log.Stream(p.rows.log.ExchangeOf(id)); s != nil && s.Open() {
			if _, next := units.Age(s.Duration(p.rows.now)); least == 0 || next < least {
				least = next
			}
		}
		return false
	})
	return least
}

// stall says how long a stream stalls, in w cells.
func stall(s *log.Stream, st *styles.Styles, now time.Time, w int) string {
	words := looks.Stall(st, s, now)
	if rule := st.Faint.S(st.G[styles.Horizontal] + st.G[styles.Horizontal] + " "); canvas.Width(rule+words) <= w {
		return rule + words
	}
	return words
}

// hasSummary reports whether a row of statistics stands below the end of a stream.
func hasSummary(s *log.Stream) bool {
	return s.Events > 0 && (s.Head >= 0 || s.FirstArtifact >= 0 || s.Gaps.Known())
}

// summary returns the statistics of a stream in w cells, for the row below its end; empty if
// it has none. A narrow row drops the artifact first and the ttfb then.
func summary(s *log.Stream, g *styles.Glyphs, w int) string {
	if !hasSummary(s) {
		return ""
	}
	rule, sep := g[styles.Horizontal]+g[styles.Horizontal]+" ", " "+g[styles.Separator]+" "
	var figures []string
	if s.Head >= 0 {
		figures = append(figures, "ttfb "+units.Duration(s.FirstByte))
	}
	if s.FirstArtifact >= 0 {
		figures = append(figures, "artifact "+units.Duration(s.FirstArtifact))
	}
	if s.Gaps.Known() { // a single event has no gap, unless a cut was before it
		figures = append(figures, "gap max "+units.Duration(s.Gaps.Max))
	}
	for len(figures) > 1 && canvas.Width(rule+strings.Join(figures, sep)) > w {
		drop := min(1, len(figures)-2)
		figures = slices.Delete(figures, drop, drop+1)
	}
	return rule + strings.Join(figures, sep)
}
