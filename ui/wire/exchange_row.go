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

// heads reports whether the row of a record stands for its exchange: the request, or what represents a folded
// exchange.
func (r *rows) heads(id a2a.RecordID) bool {
	x := r.log.ExchangeOf(id)
	if x == 0 {
		return false
	}
	if r.folds.folded(x) {
		return true
	}
	return x == id && r.log.At(id).Record.Kind == a2a.KindRequest
}

// exchangeRow draws the row that stands for an exchange: its request, and at the right what came of it.
func (p *Pane) exchangeRow(it *log.Item, c columns) string {
	st, r := p.st, &it.Record
	s, g := p.rows.log.Stream(r.Exchange), p.summaries[r.Exchange]
	if s == nil || g == nil {
		return p.plain(it, c)
	}
	_, folded := p.rows.foldedAt(r.ID)
	sign, when := st.G[styles.Unfolded], ""
	if folded {
		sign = st.G[styles.Folded]
	}
	if p.clock == wallClock {
		when = st.Faint.S(p.when(r, c.time))
	}
	worst, flagged := p.rows.log.Findings().Flag(it)
	marked := p.rows.marks.has(r.ID)
	if folded {
		worst, flagged = g.flags.worst(p.rows.log.Findings())
		ids := p.rows.log.Exchange(r.Exchange)
		marked = p.hasMark(r.Exchange, ids[0], ids[len(ids)-1])
	}
	if c.size > 0 { // the facts end where sizes do
		c.text += 1 + c.size
		c.size = 0
	}
	text := p.exchangeText(it, s, g, folded, c)
	return p.join(c, rowParts{
		p.number(r.ID, marked), when, st.Dim.S(sign), p.tag(r.ID, c), p.sign(r, c),
		canvas.HighlightHits(text, p.search.find, st.Mark), "", p.flag(worst, flagged),
	})
}

// exchangeText describes an exchange: its request at the left, its facts at the right.
func (p *Pane) exchangeText(it *log.Item, s *log.Stream, g *exchangeSummary, folded bool, c columns) string {
	say, came := p.content(it, c.text), p.outcome(s, g)
	say.paint = p.st.Bold
	if folded {
		say.paint = p.st.Text
		if say.brought == "" && !came.state {
			say.brought = came.paint.S(came.words)
		}
		if c.bar == 0 {
			say.what = p.st.G[styles.Folded] + " " + say.what
		}
	}
	need := canvas.Width(say.what + say.tail)
	if say.brought != "" {
		need += len(nearGap) + min(canvas.Width(say.brought), fairText)
	}
	facts := p.facts(s, came, folded, c.text-1-min(need, max(c.text*2/3, fairName)), c.text-1-fairName)
	if facts == "" {
		return p.text(say, c.text)
	}
	room := c.text - canvas.Width(facts) - 1
	return canvas.Fit(p.text(say, room), room) + " " + facts
}

// Cells that the name of an exchange, and the beginning of what its request says, have beside its facts.
const fairName, fairText = 12, 10

// facts returns what came of an exchange in at most w cells: sign, state, duration, events and size. What
// matters least is left out first. The sign and the duration may have most cells.
func (p *Pane) facts(s *log.Stream, came outcome, folded bool, w, most int) string {
	sep := p.st.Faint.S(" " + p.st.G[styles.Separator] + " ")
	sign := came.paint.S(p.st.G[came.sign])
	heads := []string{sign}
	if folded && came.state { // otherwise a row below says it
		heads = []string{sign + " " + came.paint.S(came.words), sign}
	}
	figures := []string{" " + p.st.Dim.S(units.Duration(s.Duration(p.rows.now)))}
	if s.Events > 0 {
		figures = append(figures, sep+p.st.Faint.S(units.Count(s.Events)+" ev"))
	}
	if folded && s.Bytes > 0 {
		figures = append(figures, sep+p.st.Faint.S(units.Bytes(s.Bytes)))
	}
	for i, head := range heads {
		for n := len(figures); n >= 0; n-- {
			room := w
			if i == len(heads)-1 && n <= 1 {
				room = max(w, most)
			}
			if facts := head + strings.Join(figures[:n], ""); canvas.Width(facts) <= room {
				return facts
			}
		}
	}
	return ""
}

// An outcome is what came of an exchange, with the sign and the colour of that.
type outcome struct {
	sign  styles.Glyph
	words string // safe to draw; empty if the sign says it all
	paint styles.Paint
	state bool // the words are a state of its task, or why it failed
}

// outcome returns the result of an exchange: a failure, the newest state of its task or its answer.
func (p *Pane) outcome(s *log.Stream, g *exchangeSummary) outcome {
	answer, unchecked := p.rows.log.At(g.outcome), p.rows.log.Unchecked(s.Exchange)
	switch {
	case unchecked != "":
		return outcome{styles.Unknown, p.clean("not checked: " + unchecked), p.st.Dim, false}
	case s.End != nil && s.End.Reason != a2a.Ended && s.End.Reason != a2a.Cancelled:
		what, tail := p.describe(answer)
		words := p.clean(strings.TrimPrefix(what, "end · ") + tail)
		if s.End.Class == a2a.ClassSevered { // the user cut it
			return outcome{styles.Canceled, words, p.st.Dim, true}
		}
		return outcome{styles.Failed, words, p.st.Failed, true}
	case s.Call != nil && s.Call.Op == a2a.OpDelivery:
		return outcome{sign: styles.Done, paint: p.st.Dim} // the row itself says it
	case s.State != a2a.StateUnknown:
		sign, paint := looks.Past(p.st, s.State)
		return outcome{sign, p.clean(s.StateWord()), paint, true}
	}
	came := outcome{sign: styles.Done, paint: p.st.Dim}
	if s.Open() {
		came.sign, came.paint = styles.Online, p.st.Agent
	}
	if answer != nil {
		what, tail := p.words(answer)
		came.words = what + tail
		if failed(answer) {
			came.sign, came.paint, came.state = styles.Failed, p.st.Failed, true
		}
	}
	return came
}
