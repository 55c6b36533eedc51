package wire

import (
	"slices"
	"strings"
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/ui/canvas"
	"parley/ui/styles"
)

// clock is the reference point of the time column.
type clock uint8

const (
	sincePrevious clock = iota // the previous record of the exchange
	sinceStart                 // the exchange's request
	wallClock
	clocks
)

// next returns the reference point after c.
func (c clock) next() clock { return (c + 1) % clocks }

// words describes the reference point for a finder command.
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

// longPause is the pause from which a time is highlighted.
const longPause = time.Second

// timePaint returns the colour of a record's time: highlighted after a long pause.
func (p *Pane) timePaint(r *a2a.Record) styles.Paint {
	if from, ok := p.origin(r, sincePrevious); ok && r.Dir == a2a.In && r.Time.Sub(from) >= longPause {
		return p.st.Text
	}
	return p.st.Faint
}

const wallFormat = "15:04:05.000"

// when returns the text of a time column of w cells. Times are relative to the record's own exchange, so
// that parallel streams do not hide each other's gaps.
func (p *Pane) when(r *a2a.Record, w int) string {
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
	return durationText(r.Time.Sub(from), w)
}

// origin returns the time to which a record's time is relative.
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
	before := p.before(r)
	if before == 0 {
		return time.Time{}, false
	}
	return p.rows.log.At(before).Record.Time, true
}

// before returns the record of the exchange before a record, 0 if there is none.
func (p *Pane) before(r *a2a.Record) a2a.RecordID {
	ids := p.rows.log.Exchange(r.Exchange)
	if i, ok := slices.BinarySearch(ids, r.ID); ok && i > 0 {
		return ids[i-1]
	}
	return 0
}

// durationText formats the time between two records for a column of w cells, with two decimals
// if they fit.
func durationText(d time.Duration, w int) string {
	sign := "+"
	if d < 0 || 0 < d && d < time.Millisecond { // "< 1 ms" has a sign
		sign = ""
	}
	if s := sign + units.Interval(d); canvas.Width(s) <= w {
		return s
	}
	return sign + spanText(d, w-len(sign))
}

// spanText is [units.Duration] in w cells: without the smaller unit if both do not fit.
func spanText(d time.Duration, w int) string {
	s := units.Duration(d)
	if words := strings.Fields(s); canvas.Width(s) > w && len(words) > 2 {
		s = words[0] + " " + words[1]
	}
	return s
}
