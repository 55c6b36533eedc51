package wire

import (
	"strconv"
	"strings"
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/session"
	"parley/ui/canvas"
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
	return max(least, len(strconv.Itoa(p.rows.known)))
}

// headRow draws the row above the records.
func (p *Pane) headRow(w int) string {
	c, st := p.columns(w), p.st
	when := st.G[styles.Delta] + "t"
	switch p.clock {
	case sinceStart:
		when = "t"
	case wallClock:
		when = "time"
	}
	return st.Faint.S(p.join(c, "#", when, " ", "record", "size", st.G[styles.Flag]))
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
	st, r, c := p.st, &it.Record, p.columns(w)
	size, flag := "", ""
	if len(r.Raw) > 0 {
		size = st.Faint.S(units.Bytes(int64(len(r.Raw))))
	}
	if len(it.Findings) > 0 {
		flag = st.Waiting.S(st.G[styles.Flag])
	}
	text := canvas.Ellipsize(p.words(it), c.text, st.G[styles.Ellipsis])
	line := p.join(c, st.Faint.S(strconv.FormatUint(uint64(id), 10)), st.Faint.S(p.when(r)), p.arrow(r.Dir), p.paint(it).S(text), size, flag)
	line = canvas.Fit(line, w)
	if id == p.rows.sel {
		line = canvas.Select(line, st)
	}
	if s := p.summary(r, w-2); s != "" {
		return []string{line, canvas.Fit("  "+st.Faint.S(s), w)}
	}
	return []string{line}
}

// summary returns what stands below the end of a stream, empty for other records.
func (p *Pane) summary(r *a2a.Record, w int) string {
	if t := p.times[r.Exchange]; t != nil && t.end == r.ID {
		return t.summary(&p.st.G, w)
	}
	return ""
}

// rowHeight returns how many lines a record takes in the list.
func (p *Pane) rowHeight(id a2a.RecordID) int {
	if it := p.rows.log.At(id); it != nil && p.summary(&it.Record, p.w) != "" {
		return 2
	}
	return 1
}

// words describes a record, safe to draw.
func (p *Pane) words(it *session.Item) string {
	s := canvas.SanitizeLine(p.describe(it))
	if sep := p.st.G[styles.Separator]; sep != "·" {
		s = strings.ReplaceAll(s, " · ", " "+sep+" ")
	}
	return s
}

// paint tells what failed from the rest.
func (p *Pane) paint(it *session.Item) styles.Paint {
	r := &it.Record
	if r.Kind == a2a.KindNote {
		return p.st.Dim
	}
	failed := it.Update.Err != nil || r.Head != nil && r.Kind == a2a.KindHead && r.Head.Status >= 400 ||
		r.End != nil && r.End.Reason != a2a.Ended && r.End.Reason != a2a.Cancelled
	for i := range it.Update.Events {
		failed = failed || it.Update.Events[i].Kind == a2a.EventError
	}
	if failed {
		return p.st.Failed
	}
	return p.st.Text
}

func (p *Pane) arrow(d a2a.Direction) string {
	switch d {
	case a2a.Out:
		return p.st.Person.S(p.st.G[styles.Send])
	case a2a.In:
		return p.st.Agent.S(p.st.G[styles.Receive])
	default:
		return p.st.Faint.S(p.st.G[styles.Bullet])
	}
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
	from, ok := p.origin(r)
	if !ok {
		return ""
	}
	return span(r.Time.Sub(from))
}

// origin returns the time that a record's time is counted from.
func (p *Pane) origin(r *a2a.Record) (time.Time, bool) {
	if r.Exchange == 0 || r.Exchange == r.ID {
		return time.Time{}, false
	}
	if p.clock == sinceStart {
		t := p.times[r.Exchange]
		if t == nil {
			return time.Time{}, false
		}
		return t.start, true
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
