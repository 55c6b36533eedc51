package lanes

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/ui/axis"
	"parley/ui/canvas"
)

// A span is the time that the user selected: while it is open, from the cell where it was begun to
// the cell of the cursor.
type span struct {
	on, open bool
	from, to time.Duration // of the cell where it was begun; once it is closed, of the span
}

// bounds returns the beginning and the end of the span, false if there is none.
func (s *span) bounds(p *Pane) (from, to time.Duration, ok bool) {
	from, to = s.from, s.to
	if s.open {
		w := &p.window
		at := floor(p.at, w.cell)
		from, to = min(from, at), max(to, at+w.cell)
	}
	return from, to, s.on
}

// cells returns the cells of the span on an axis, from one to before another; false if it shows none
// of them.
func (s *span) cells(p *Pane, a axis.Axis) (from, to int, ok bool) {
	begin, end, ok := s.bounds(p)
	if !ok || end <= a.From || begin >= a.To() {
		return 0, 0, false
	}
	return a.Cell(begin), a.Cell(end-1) + 1, true
}

// toggleSpan begins a span at the cursor, or ends the open one there.
func (p *Pane) toggleSpan() {
	w, s := &p.window, &p.span
	if w.cells == 0 || len(p.rows) == 0 {
		return
	}
	if s.open {
		s.from, s.to, _ = s.bounds(p)
		s.open = false
		return
	}
	at := floor(p.at, w.cell)
	*s = span{on: true, open: true, from: at, to: at + w.cell}
	w.follow = false
}

// filter returns the filter that lists the records of the span, empty if there is no span.
func (p *Pane) filter() string {
	from, to, ok := p.span.bounds(p)
	if !ok {
		return ""
	}
	text := "until:" + p.moment(to)
	if from > p.session.begin {
		text = "since:" + p.moment(from) + " " + text
	}
	return text
}

// moment writes a time as a value of the filter.
func (p *Pane) moment(at time.Duration) string {
	if first := p.log.TimeOf(1); at >= 0 && first.Round(0).Equal(p.session.base) {
		return "+" + at.String()
	}
	return p.session.base.Add(at).Format(time.RFC3339Nano)
}

// recordsIn returns the number of records from one time to another, by binary search.
func (p *Pane) recordsIn(from, to time.Duration) int {
	before := func(at time.Duration) int {
		return sort.Search(p.log.Len(), func(i int) bool {
			p.work.probes++
			return bounded(p.log.TimeOf(a2a.RecordID(i+1)).Sub(p.session.base)) >= at
		})
	}
	return max(before(to+1)-before(from), 0)
}

// maxLines is how many lines a copied span has at most.
const maxLines = 2000

// text returns the span as text, or the window if there is no span: what happened in which exchange.
func (p *Pane) text() (text, what string) {
	from, to, ok := p.span.bounds(p)
	what = "the span"
	if a := p.window.axis(); !ok {
		from, to, what = max(a.From, p.session.begin), min(a.To(), p.session.end+1), "the window"
	}
	base := p.session.base
	lines := []string{fmt.Sprintf("%s to %s (%s), %s to %s", p.time(from), p.time(to), units.Duration(to-from),
		p.zoned(base.Add(from)).Format(clockFormat), p.zoned(base.Add(to)).Format(clockFormat))}
	owner := log.Owner{}
	for _, e := range p.entries {
		l := p.rows[e].lane
		if l.fold != nil && l.fold.open == l.isLine() {
			continue
		}
		for _, x := range l.parts {
			if x.start >= to || x.end(p.now) < from {
				continue
			}
			if o := p.log.Owner(x.s.Exchange); o != owner || len(lines) == 1 {
				owner = o
				lines = append(lines, "", p.ownerName(o))
			}
			if lines = append(lines, p.partLines(x, from, to)...); len(lines) > maxLines {
				return strings.Join(append(lines[:maxLines], "and more"), "\n") + "\n", what
			}
		}
	}
	return strings.Join(lines, "\n") + "\n", what
}

// clockFormat is a time of day.
const clockFormat = "15:04:05.000"

// partLines describes what happened in an exchange between two times.
func (p *Pane) partLines(x *part, from, to time.Duration) []string {
	ids := p.log.Exchange(x.s.Exchange)
	first := p.search(x, ids, 0, from)
	n := p.search(x, ids, first, to+1) - first
	lines := []string{fmt.Sprintf("  #%d %s, %s to %s, %s%s", x.s.Exchange, p.partName(x), p.time(x.start), p.time(x.end(p.now)),
		units.Plural(n, "record"), p.status(x))}
	steps := x.s.Steps
	i := sort.Search(len(steps), func(i int) bool { return x.later(steps[i].End) >= from })
	for ; i < len(steps) && x.later(steps[i].Begin) < to && len(lines) <= maxLines; i++ {
		lines = append(lines, "    "+p.time(x.later(steps[i].Begin))+"  "+p.stepText(&steps[i]))
	}
	return lines
}

// stepText describes a step in a line.
func (p *Pane) stepText(st *log.Step) string {
	took := units.Duration(st.End - st.Begin)
	if st.Kind == log.StepWait {
		return "nothing for " + took
	}
	text := canvas.SanitizeLine(log.Describe(p.log.At(st.From)))
	if st.Records > 1 {
		text += ", " + units.Plural(st.Records, "record") + " in " + took
	}
	return "#" + strconv.FormatUint(uint64(st.From), 10) + " " + text
}
