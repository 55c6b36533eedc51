package lanes

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"parley/a2a"
	"parley/internal/units"
	"parley/ui/looks"
	"parley/ui/styles"
)

// endWords says how a segment that ends an exchange ended, and how that is painted where it stands beside the
// bar; empty if the end is not in the window.
func (p *Pane) endWords(x *part, g *segment, v *look) (string, styles.Paint) {
	switch {
	case !v.axis.Contains(g.to) || g.label == "":
		return "", p.St.Dim
	case g.kind == stalled:
		return p.St.G[styles.Pause] + " " + g.label, p.St.Waiting
	case g.kind == broken && x.s.End.Class == a2a.ClassSevered:
		return p.St.G[brokenSign(x)] + " " + g.label, p.St.Dim
	case g.kind == broken:
		return p.St.G[brokenSign(x)] + " " + g.label, p.St.Failed
	}
	sign, paint := looks.EndOf(p.St, p.log, x.s)
	return g.label + " " + p.St.G[sign], paint
}

// brokenSign returns the sign of what ended badly.
func brokenSign(x *part) styles.Glyph {
	if x.s.End.Reason == a2a.Cut {
		return styles.Cut
	}
	return styles.Broken
}

// beside returns the words about the end of an exchange that stand beside its bar, with their paint. The sign
// of what is broken stands in it.
func (p *Pane) beside(x *part, v *look) (string, styles.Paint) {
	segments := x.segments(p.now)
	g := &segments[len(segments)-1]
	words, paint := p.endWords(x, g, v)
	if g.kind == broken {
		_, words, _ = strings.Cut(words, " ")
	}
	return words, paint
}

// checkWords says what came of the comparison of the answer with the task, empty if Parley did not compare
// them.
func (p *Pane) checkWords(x *part) (string, styles.Paint) {
	c := x.check
	switch {
	case c == nil || c.Open():
		return "", p.St.Faint
	case p.log.Unchecked(c.Exchange) != "":
		return "not checked", p.St.Dim
	case p.log.Differs(c.Exchange):
		return p.St.G[styles.Flag] + " differs", p.St.Waiting
	default:
		return "check " + p.St.G[styles.Done], p.St.OK
	}
}

// figures returns how much came in a lane, the most important figure first.
func (p *Pane) figures(l *lane) []string {
	events, gap := 0, time.Duration(0)
	for _, x := range l.parts {
		events, gap = events+x.s.Events, max(gap, x.s.Gaps.Max)
	}
	if events == 0 {
		return nil
	}
	words := []string{units.Count(events) + " ev"}
	s := l.last().s
	rate := s.Rate(p.now)
	if !s.Open() {
		rate, _ = s.Average()
	}
	if rate >= 1 && len(l.parts) == 1 {
		words = append(words, strconv.FormatFloat(rate, 'f', 0, 64)+"/s")
	}
	if gap > 0 {
		words = append(words, "gap "+units.Duration(gap))
	}
	return words
}

// fitting joins the first words that fit into a number of cells.
func (p *Pane) fitting(room int, words ...string) string {
	for n := len(words); n > 0; n-- {
		if text := p.Join(words[:n]...); utf8.RuneCountInString(text) <= room {
			return text
		}
	}
	return ""
}
