package wire

import (
	"strings"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/ui/canvas"
	"parley/ui/looks"
	"parley/ui/styles"
)

// A folded row drops its facts when less than fairName cells remain for the exchange's name,
// and shortens its outcome when less than leastName cells remain.
const fairName, leastName = 12, 7

// foldedRow draws the row of a folded exchange: its request, outcome, duration and size.
func (p *Pane) foldedRow(it *log.Item, c columns) string {
	st, r := p.st, &it.Record
	s, g := p.rows.log.Stream(r.Exchange), p.summaries[r.Exchange]
	if s == nil || g == nil {
		return p.plain(it, c)
	}
	took := spanText(s.Duration(s.Last), max(c.time, spanCells))
	when, size := st.Dim.S(took), ""
	if p.clock == wallClock {
		when = st.Faint.S(p.when(r, c.time))
	} else {
		took = ""
	}
	if n := s.Bytes; n > 0 {
		size = st.Faint.S(units.Bytes(n))
	}
	worst, flagged := g.worst(p.rows.log.Findings())
	text := canvas.HighlightHits(p.foldedText(it, s, g, took, c.text), p.search.find, st.Mark)
	return p.join(c, rowParts{p.number(r.ID, p.hasMark(r.Exchange)), when, p.tag(r.ID, c), p.sign(r, c), text, size, p.flag(worst, flagged)})
}

// foldedText returns the description of a folded exchange in w cells.
func (p *Pane) foldedText(it *log.Item, s *log.Stream, g *exchangeSummary, took string, w int) string {
	st := p.st
	what, tail := p.words(it)
	what = st.G[styles.Folded] + " " + what
	outcome, paint := p.outcome(s, g)
	sep := " " + st.G[styles.Separator] + " "
	facts := ""
	if took != "" {
		facts += sep + took
	}
	if s.Events > 0 {
		facts += sep + units.Plural(s.Events, "event")
	}
	if s.Open() {
		facts += sep + "open"
	}
	if canvas.Width(outcome)+canvas.Width(facts)+1+fairName > w {
		facts = ""
	}
	dots := st.G[styles.Ellipsis]
	if outcome != "" {
		outcome = " " + canvas.Ellipsize(outcome, max(w-leastName-1, 0), dots)
	}
	name := p.shortenWords(what, tail, max(w-canvas.Width(outcome)-canvas.Width(facts), 0))
	return st.Text.S(name) + paint.S(outcome) + st.Faint.S(facts)
}

// outcome returns the result of an exchange and its colour: a failure, the newest state of its
// task or its answer; empty while there is none.
func (p *Pane) outcome(s *log.Stream, g *exchangeSummary) (string, styles.Paint) {
	if why := p.rows.log.Unchecked(s.Exchange); why != "" {
		return p.clean("not checked: " + why), p.st.Dim
	}
	if s.End != nil && s.End.Reason != a2a.Ended && s.End.Reason != a2a.Cancelled {
		what, tail := p.describe(p.rows.log.At(g.outcome))
		what = strings.TrimPrefix(what, "end · ")
		if s.End.Class == a2a.ClassSevered { // the user cut it
			return p.st.G[styles.Canceled] + " " + p.clean(what+tail), p.st.Dim
		}
		return p.st.G[styles.Failed] + " " + p.clean(what+tail), p.st.Failed
	}
	if s.Call != nil && s.Call.Op == a2a.OpDelivery {
		return "", p.st.Dim // the row itself says it
	}
	if s.State != a2a.StateUnknown {
		sign, paint := looks.Past(p.st, s.State)
		word := s.State.String()
		if s.State == a2a.StateOther {
			word = p.clean(s.Word)
		}
		return p.st.G[sign] + " " + word, paint
	}
	if it := p.rows.log.At(g.outcome); it != nil {
		what, tail := p.words(it)
		return what + tail, p.paint(it)
	}
	return "", p.st.Dim
}
