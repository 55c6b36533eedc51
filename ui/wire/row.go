package wire

import (
	"strconv"
	"strings"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/ui/canvas"
	"parley/ui/looks"
	"parley/ui/styles"
)

// columns are the widths of a row's parts; a part of width 0 is left out with the space beside
// it.
type columns struct{ number, time, bar, tag, text, size, flag int }

const (
	spanCells  = 8
	shortSpan  = 7 // in narrow rows
	sizeCells  = 7
	leastSized = 20 // cells for the description below which the size is dropped and times are short
	leastText  = 15 // and below which other columns are
	tagCells   = 4  // the tag of an agent
	nameCells  = 16 // with its name, in rows of at least wideRow cells
	wideRow    = 72
)

// columns returns the widths for rows of w cells.
func (p *Pane) columns(w int) columns {
	c := columns{number: p.digits(w), time: spanCells, bar: 1, size: sizeCells, flag: 1}
	if p.clock == wallClock {
		c.time = len(wallFormat)
	}
	if p.tagged() {
		c.tag = tagCells
		if w >= wideRow {
			c.tag = nameCells
		}
	}
	rest := func() int {
		left := w - 2 // the arrow and its space
		for _, n := range []int{c.number, c.time, c.bar, c.tag, c.size, c.flag} {
			if n > 0 {
				left -= n + 1
			}
		}
		return left
	}
	if rest() < leastSized {
		c.size = 0
	}
	if rest() < leastSized && c.time == spanCells {
		c.time = shortSpan
	}
	for _, give := range []*int{&c.bar, &c.time, &c.number, &c.flag} {
		if rest() < leastText {
			*give = 0
		}
	}
	c.text = max(rest(), 0)
	return c
}

// digits returns the width of the number column.
func (p *Pane) digits(w int) int {
	least := 4
	if w < 50 {
		least = 2
	}
	return max(least, 1+len(strconv.Itoa(p.rows.total))) // with a cell for the mark
}

// A headRow is the row above the records, with all that it was drawn from.
type headRow struct {
	c     columns
	w     int
	clock clock
	st    *styles.Styles
	line  string
}

// head returns the row above the records.
func (p *Pane) head() string {
	st, h := p.st, &p.rows.head
	now := headRow{c: p.columns(p.w), w: p.w, clock: p.clock, st: st, line: h.line}
	if *h == now {
		return h.line
	}
	*h = now
	when := st.G[styles.Delta] + "t"
	switch p.clock {
	case sinceStart:
		when = "t"
	case wallClock:
		when = "time"
	}
	agent := ""
	if h.c.tag == nameCells {
		agent = "agent"
	}
	h.line = canvas.Fit(st.Faint.S(p.join(h.c, rowParts{number: "#", when: when, tag: agent, arrow: " ", text: "record", size: "size", flag: st.G[styles.Flag]})), h.w)
	return h.line
}

// rowParts are the painted parts of a row.
type rowParts struct{ number, when, bar, tag, arrow, text, size, flag string }

// join joins the parts of a row.
func (p *Pane) join(c columns, r rowParts) string {
	var b strings.Builder
	if c.number > 0 {
		b.WriteString(canvas.FitRight(r.number, c.number))
		b.WriteByte(' ')
	}
	if c.time > 0 {
		b.WriteString(canvas.FitRight(r.when, c.time))
		b.WriteByte(' ')
	}
	if c.bar > 0 {
		b.WriteString(canvas.Fit(r.bar, c.bar))
		b.WriteByte(' ')
	}
	if c.tag > 0 {
		b.WriteString(canvas.Fit(r.tag, c.tag))
		b.WriteByte(' ')
	}
	b.WriteString(r.arrow)
	b.WriteByte(' ')
	b.WriteString(canvas.Fit(r.text, c.text))
	if c.size > 0 {
		b.WriteByte(' ')
		b.WriteString(canvas.FitRight(r.size, c.size))
	}
	if c.flag > 0 {
		b.WriteByte(' ')
		b.WriteString(canvas.Fit(r.flag, c.flag))
	}
	return b.String()
}

// drawRow draws the row of a record in w cells, and below the end of a stream its statistics.
func (p *Pane) drawRow(id a2a.RecordID, w int) []string {
	it := p.rows.log.At(id)
	if it == nil {
		return []string{canvas.Fit("", w)}
	}
	st, c := p.st, p.columns(w)
	line := ""
	switch of := p.rows.runAt(id); {
	case p.rows.heads(id):
		line = canvas.Highlight(canvas.Fit(p.exchangeRow(it, c), w), st.Band)
	case of != nil:
		line = p.runRow(it, of, c)
	default:
		line = p.plain(it, c)
	}
	line = canvas.Fit(line, w)
	if id == p.rows.sel {
		line = canvas.Select(line, st)
	}
	if s := p.statisticsLine(&it.Record, w-2); s != "" {
		return []string{line, canvas.Fit("  "+s, w)}
	}
	return []string{line}
}

// plain draws the row of a single record.
func (p *Pane) plain(it *log.Item, c columns) string {
	st, r, size := p.st, &it.Record, ""
	if len(r.Raw) > 0 {
		size = st.Faint.S(units.Bytes(int64(r.Size())))
	}
	say := p.content(it, c.text)
	if say.gain != "" {
		size = st.Dim.S(say.gain)
	}
	if r.Kind == a2a.KindEnd {
		if why := p.rows.log.Unchecked(r.Exchange); why != "" {
			say.tail += p.clean(" · not checked: " + why)
		}
	}
	worst, flagged := p.rows.log.Findings().Flag(it)
	if checks := p.rows.foldedChecks(r.ID); len(checks) > 0 {
		say.tail += p.clean(" · " + p.checkResult(checks))
		if w, any := p.worstOf(checks); any {
			worst, flagged = max(worst, w), true
		}
	}
	if r.End != nil && r.End.Reason == a2a.Ended && r.End.Break == "" && canvas.Width(say.what+say.tail) > c.text {
		say.what = p.shortEnd(say.what, say.tail, c.text)
	}
	sign := p.sign(r, c)
	if say.ditto && r.Dir == a2a.In {
		sign = st.Faint.S(st.G[styles.Separator])
	}
	return p.join(c, rowParts{
		p.number(r.ID, p.rows.marks.has(r.ID)), p.timePaint(r).S(p.when(r, c.time)), p.gapBar(r), p.tag(r.ID, c), sign,
		canvas.HighlightHits(p.text(say, c.text), p.search.find, st.Mark), size, p.flag(worst, flagged),
	})
}

// shortEnd shortens the words of a regular end before the tail, which says more: who ended it goes last.
func (p *Pane) shortEnd(what, tail string, room int) string {
	const who = " by agent"
	first, how, _ := strings.Cut(what, p.clean(" · "))
	switch {
	case tail == "":
		return strings.TrimSuffix(what, who)
	case how == "closed"+who && canvas.Width("ended"+who+tail) <= room:
		return "ended" + who
	default:
		return first
	}
}

// number draws a record's number with the user's mark before it. A record that matches the
// search is highlighted.
func (p *Pane) number(id a2a.RecordID, marked bool) string {
	n, paint := strconv.FormatUint(uint64(id), 10), p.st.Faint
	if p.search.hits.has(id) {
		paint = p.st.Accent.Underline()
	}
	if !marked {
		return paint.S(n)
	}
	return p.st.Accent.S(p.st.G[styles.Marked]) + paint.S(n)
}

// flag draws the letter of a severity, or nothing if ok is false.
func (p *Pane) flag(worst a2a.Severity, ok bool) string {
	if !ok {
		return ""
	}
	letter, paint := looks.Severity(p.st, worst)
	return paint.S(letter)
}

// shortenWords fits a description and its distinguishing end into w cells and shortens the
// description first.
func (p *Pane) shortenWords(what, tail string, w int) string {
	dots := p.st.G[styles.Ellipsis]
	if n := canvas.Width(tail); n > 0 && n <= w/2 {
		return canvas.Ellipsize(what, w-n, dots) + tail
	}
	return canvas.Ellipsize(what+tail, w, dots)
}

// statisticsLine returns the painted line below the newest record of a stream: its statistics or
// that it stalls; empty for other records.
func (p *Pane) statisticsLine(r *a2a.Record, w int) string {
	s := p.rows.log.Stream(r.Exchange)
	switch {
	case s == nil:
		return ""
	case r.Kind == a2a.KindEnd:
		return p.st.Faint.S(summary(s, &p.st.G, w))
	case p.rows.stalled(r.ID):
		return stall(s, p.st, p.rows.now, w)
	}
	return ""
}

// words returns the description of a record in two parts, safe to draw.
func (p *Pane) words(it *log.Item) (what, tail string) {
	what, tail = p.describe(it)
	return p.clean(what), p.clean(tail)
}

// clean makes a description safe to draw with the available glyphs.
func (p *Pane) clean(s string) string {
	s = canvas.SanitizeLine(s)
	if sep := p.st.G[styles.Separator]; sep != "·" {
		s = strings.ReplaceAll(s, " · ", " "+sep+" ")
	}
	return s
}

// sign draws the direction of a record, or its mark if there is no number column.
func (p *Pane) sign(r *a2a.Record, c columns) string {
	if c.number == 0 && p.rows.marks.has(r.ID) {
		return p.st.Accent.S(p.st.G[styles.Marked])
	}
	return p.arrow(r.Dir)
}

func (p *Pane) arrow(d a2a.Direction) string {
	switch d {
	case a2a.Out:
		return p.st.User.S(p.st.G[styles.Send])
	case a2a.In:
		return p.st.Agent.S(p.st.G[styles.Receive])
	default:
		return p.st.Faint.S(p.st.G[styles.Bullet])
	}
}
