package wire

import (
	"strconv"
	"strings"
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/ui/canvas"
	"parley/ui/looks"
	"parley/ui/styles"
)

// clock says what the time column counts from.
type clock uint8

const (
	sincePrevious clock = iota // the record before in the same exchange
	sinceStart                 // the exchange's request
	wallClock
	clocks
)

// next returns what times count from after the key was pressed once more.
func (c clock) next() clock { return (c + 1) % clocks }

// words say what times count from.
func (c clock) words() string {
	switch c {
	case sincePrevious:
		return "since the previous record"
	case sinceStart:
		return "since the exchange began"
	default:
		return "as the time of day"
	}
}

// columns are the widths of a row's parts; one that is 0 is left out with the
// space beside it.
type columns struct{ number, time, text, size, flag int }

const (
	spanCells = 8
	sizeCells = 7
	leastText = 20 // below this, columns give way to the description
)

// columns shares w cells among the parts of a row.
func (p *Pane) columns(w int) columns {
	c := columns{number: p.digits(w), time: spanCells, size: sizeCells, flag: 1}
	if p.clock == wallClock {
		c.time = len(wallFormat)
	}
	rest := func() int {
		left := w - 2 // the arrow and its space
		for _, n := range []int{c.number, c.time, c.size, c.flag} {
			if n > 0 {
				left -= n + 1
			}
		}
		return left
	}
	for _, give := range []*int{&c.size, &c.time, &c.number, &c.flag} {
		if rest() < leastText {
			*give = 0
		}
	}
	c.text = max(rest(), 0)
	return c
}

// digits is the width of the number column.
func (p *Pane) digits(w int) int {
	least := 4
	if w < 50 {
		least = 2
	}
	return max(least, 1+len(strconv.Itoa(p.rows.known))) // a mark stands in front
}

// A headRow is the row above the records, and what it was drawn from.
type headRow struct {
	c     columns
	w     int
	clock clock
	st    *styles.Styles
	drawn string
}

// head returns the row above the records.
func (p *Pane) head() string {
	st, h := p.st, &p.rows.head
	now := headRow{c: p.columns(p.w), w: p.w, clock: p.clock, st: st, drawn: h.drawn}
	if *h == now {
		return h.drawn
	}
	*h = now
	when := st.G[styles.Delta] + "t"
	switch p.clock {
	case sinceStart:
		when = "t"
	case wallClock:
		when = "time"
	}
	h.drawn = canvas.Fit(st.Faint.S(p.join(h.c, "#", when, " ", "record", "size", st.G[styles.Flag])), h.w)
	return h.drawn
}

// join puts the parts of a row together.
func (p *Pane) join(c columns, number, when, arrow, text, size, flag string) string {
	var b strings.Builder
	if c.number > 0 {
		b.WriteString(canvas.FitRight(number, c.number))
		b.WriteByte(' ')
	}
	if c.time > 0 {
		b.WriteString(canvas.FitRight(when, c.time))
		b.WriteByte(' ')
	}
	b.WriteString(arrow)
	b.WriteByte(' ')
	b.WriteString(canvas.Fit(text, c.text))
	if c.size > 0 {
		b.WriteByte(' ')
		b.WriteString(canvas.FitRight(size, c.size))
	}
	if c.flag > 0 {
		b.WriteByte(' ')
		b.WriteString(canvas.Fit(flag, c.flag))
	}
	return b.String()
}

// drawRow draws a record in w cells, and below the end of a stream how it went.
func (p *Pane) drawRow(id a2a.RecordID, w int) []string {
	it := p.rows.log.At(id)
	if it == nil {
		return []string{canvas.Fit("", w)}
	}
	st, c := p.st, p.columns(w)
	line := p.plain(it, c)
	if _, folded := p.rows.foldedAt(id); folded {
		line = p.foldedRow(it, c)
	}
	line = canvas.Fit(line, w)
	if id == p.rows.sel {
		line = canvas.Select(line, st)
	}
	if s := p.below(&it.Record, w-2); s != "" {
		return []string{line, canvas.Fit("  "+s, w)}
	}
	return []string{line}
}

// plain draws the row of one record.
func (p *Pane) plain(it *log.Item, c columns) string {
	st, r := p.st, &it.Record
	size := ""
	if len(r.Raw) > 0 {
		size = st.Faint.S(units.Bytes(int64(len(r.Raw))))
	}
	what, tail := p.words(it)
	if r.Kind == a2a.KindEnd {
		if why := p.rows.log.Unchecked(r.Exchange); why != "" {
			tail += p.clean(" · not checked: " + why)
		}
	}
	text := canvas.Hits(p.paint(it).S(p.squeeze(what, tail, c.text)), p.search.find, st.Mark)
	worst, flagged := p.rows.log.Findings().Flag(it)
	return p.join(c, p.number(r.ID, p.rows.marks.has(r.ID)), p.pause(r).S(p.when(r)), p.sign(r, c), text, size, p.flag(worst, flagged))
}

// number draws a record's number, with the user's mark in front. It stands out where
// the record has what is looked for.
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

// flag draws the severity of the gravest finding.
func (p *Pane) flag(worst a2a.Severity, ok bool) string {
	if !ok {
		return ""
	}
	letter, paint := looks.Severity(p.st, worst)
	return paint.S(letter)
}

// squeeze fits words and what tells them apart into w cells: as long as there is room
// for both, the words give way.
func (p *Pane) squeeze(what, tail string, w int) string {
	dots := p.st.G[styles.Ellipsis]
	if n := canvas.Width(tail); n > 0 && n <= w/2 {
		return canvas.Ellipsize(what, w-n, dots) + tail
	}
	return canvas.Ellipsize(what+tail, w, dots)
}

// below returns what stands below the newest record of a stream, painted: how it went, or
// that nothing comes; empty for other records.
func (p *Pane) below(r *a2a.Record, w int) string {
	s := p.rows.log.Stream(r.Exchange)
	switch {
	case s == nil:
		return ""
	case r.Kind == a2a.KindEnd:
		return p.st.Faint.S(summary(s, &p.st.G, w))
	case p.stalled(r):
		return p.st.Failed.S(stall(s, &p.st.G, p.stream.now, w))
	}
	return ""
}

// rowHeight returns how many lines a record takes in the list.
func (p *Pane) rowHeight(id a2a.RecordID) int {
	if it := p.rows.log.At(id); it != nil && p.below(&it.Record, p.w) != "" {
		return 2
	}
	return 1
}

// words describes a record in two pieces, safe to draw.
func (p *Pane) words(it *log.Item) (what, tail string) {
	what, tail = p.describe(it)
	return p.clean(what), p.clean(tail)
}

// clean makes a description safe to draw with the glyphs there are.
func (p *Pane) clean(s string) string {
	s = canvas.SanitizeLine(s)
	if sep := p.st.G[styles.Separator]; sep != "·" {
		s = strings.ReplaceAll(s, " · ", " "+sep+" ")
	}
	return s
}

// sign draws a record's direction, or its mark where there is no other place for it.
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

// longPause is from where on nothing coming is worth seeing.
const longPause = time.Second

// pause colours the time of a record before which nothing came for long.
func (p *Pane) pause(r *a2a.Record) styles.Paint {
	if from, ok := p.origin(r, sincePrevious); ok && r.Dir == a2a.In && r.Time.Sub(from) >= longPause {
		return p.st.Waiting
	}
	return p.st.Faint
}

const wallFormat = "15:04:05.000"

// when returns what the time column shows. Times count within an exchange, so
// that streams beside each other do not hide each other's gaps.
func (p *Pane) when(r *a2a.Record) string {
	if p.clock == wallClock {
		t := r.Time
		if p.zone != nil {
			t = t.In(p.zone)
		}
		return t.Format(wallFormat)
	}
	from, ok := p.origin(r, p.clock)
	if !ok {
		return ""
	}
	return span(r.Time.Sub(from))
}

// origin returns the time that a clock counts a record's time from.
func (p *Pane) origin(r *a2a.Record, c clock) (time.Time, bool) {
	if r.Exchange == 0 || r.Exchange == r.ID {
		return time.Time{}, false
	}
	if c == sinceStart {
		s := p.rows.log.Stream(r.Exchange)
		if s == nil {
			return time.Time{}, false
		}
		return s.Start, true
	}
	ids := p.rows.log.Exchange(r.Exchange)
	i := before(ids, r.ID)
	if i < 0 {
		return time.Time{}, false
	}
	return p.rows.log.At(ids[i]).Record.Time, true
}

// before returns the index of the last of ids that is lower than id, -1 if there
// is none.
func before(ids []a2a.RecordID, id a2a.RecordID) int {
	lo, hi := 0, len(ids)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if ids[mid] < id {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo - 1
}

// span writes a span of time so that it fits the column: what is too long loses
// its smaller unit.
func span(d time.Duration) string {
	if d > 0 && d < time.Millisecond {
		return "<1 ms"
	}
	s := units.Duration(d)
	if d >= 0 {
		s = "+" + s
	}
	if words := strings.Fields(s); canvas.Width(s) > spanCells && len(words) > 2 {
		s = words[0] + " " + words[1]
	}
	return s
}
