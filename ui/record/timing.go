package record

import (
	"strconv"
	"strings"
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/ui/canvas"
	"parley/ui/styles"
)

// A phase is a part of an exchange's duration.
type phase struct {
	name     string
	from, to time.Duration // since the request; to is negative if it did not happen
	remark   string
}

// timing adds the timing of the record's exchange and returns the exchange's records, whose
// steps follow.
func (w *writer) timing(v *View) []a2a.RecordID {
	s := v.log.Stream(v.it.Record.Exchange)
	if s == nil {
		w.line(w.st.Faint, 0, "This record is not part of an exchange, so it has no timing.")
		return nil
	}
	ids := v.log.Exchange(s.Exchange)
	total := s.Duration(s.Last)
	t := headTiming(v.log, ids)
	all := phases(s, t)
	last := phase{name: "end", to: total}
	if n := len(all); n > 0 {
		last.from = min(all[n-1].to, total)
	}
	if s.Open() {
		last.name, last.remark = "newest record", "not over"
	} else {
		last.remark = string(s.End.Reason)
	}
	gutter, column := w.phaseCells()
	w.idle(w.st.Faint.S(canvas.Fit("", gutter) + canvas.FitRight("took", column) + canvas.FitRight("at", column)))
	for _, p := range append(all, last) {
		w.phase(p, total)
	}
	w.blank()
	w.field("began", s.Start.Format("2006-01-02 15:04:05.000 -07:00"), "")
	w.connection(t)
	w.figures(s)
	w.blank()
	w.idle(w.st.Faint.S(stepRow("record", "at", "gap", "")))
	return ids
}

// headTiming returns the connection's timing from the response's head, nil if unknown.
func headTiming(log *log.Log, ids []a2a.RecordID) *a2a.Timing {
	for _, id := range ids[:min(len(ids), headsAmong)] {
		if h := log.At(id).Record.Head; h != nil && h.Timing != nil {
			return h.Timing
		}
	}
	return nil
}

// phases returns the phases of an exchange from its start.
func phases(s *log.Stream, t *a2a.Timing) []phase {
	var out []phase
	if t != nil {
		at := time.Duration(0)
		for _, p := range []struct {
			name string
			took time.Duration
		}{{"name lookup", t.DNS}, {"connect", t.Connect}, {"TLS", t.TLS}} {
			if p.took > 0 {
				out = append(out, phase{p.name, at, at + p.took, ""})
				at += p.took
			}
		}
		out = append(out, phase{"request sent", min(at, t.Sent), t.Sent, ""})
		if t.FirstByte > 0 {
			out = append(out, phase{"first byte", t.Sent, t.FirstByte, ""})
		}
	}
	before := time.Duration(0)
	if t != nil {
		before = t.FirstByte
	}
	for _, p := range []struct {
		name string
		at   time.Duration
	}{{"head", s.Head}, {"first event", s.FirstEvent}, {"first artifact", s.FirstArtifact}} {
		if p.at >= 0 {
			out = append(out, phase{p.name, min(before, p.at), p.at, ""})
			before = p.at
		}
	}
	return out
}

// phaseCell is the width of a duration, "59 min 59 s" with a space before it, and shortPhase that of
// "59.9 s" where a row has little room. nameCell has room for the longest name of a phase.
const phaseCell, shortPhase, nameCell = 12, 8, 15

// phaseCells returns the widths of a phase's name and of each of its two durations.
func (w *writer) phaseCells() (gutter, column int) {
	if fieldWidth+2*phaseCell <= w.w {
		return fieldWidth, phaseCell
	}
	return nameCell, max(shortPhase, (w.w-nameCell)/2)
}

// phase adds a phase: its name, its duration, its end and a bar.
func (w *writer) phase(p phase, total time.Duration) {
	const least, most, remark = 6, 40, 14
	took, at := units.Duration(p.to-p.from), units.Duration(p.to)
	w.text.WriteString(strings.TrimSpace(p.name+" took "+took+", at "+at+" "+canvas.SanitizeLine(p.remark)) + "\n")
	gutter, column := w.phaseCells()
	line := w.st.Faint.S(canvas.Fit(p.name, gutter)) + w.st.Text.S(canvas.FitRight(took, column)) + w.st.Dim.S(canvas.FitRight(at, column))
	if room := min(w.w-gutter-2*column-2-remark, most); room >= least && total > 0 {
		cell := func(at time.Duration) float64 { // a recording may have any times
			return float64(room) * min(max(float64(at)/float64(total), 0), 1)
		}
		from := min(int(cell(p.from)), room-1)
		to := max(int(cell(p.to)+0.5), from+1)
		bar := strings.Repeat(w.st.G[styles.Spark+3], to-from)
		line += "  " + strings.Repeat(" ", from) + w.st.Accent.S(bar) + strings.Repeat(" ", room-to)
	}
	if p.remark != "" {
		line += "  " + w.st.Faint.S(canvas.SanitizeLine(p.remark))
	}
	w.put(line)
}

// connection adds the address of the server.
func (w *writer) connection(t *a2a.Timing) {
	if t == nil || t.Remote == "" {
		return
	}
	remark := ""
	if t.Reused {
		remark = "a connection that was already open"
	}
	w.field("with", t.Remote, remark)
}

// figures adds the statistics of a stream, and the streams that it continues.
func (w *writer) figures(s *log.Stream) {
	w.transfer(s)
	if g := &s.Gaps; g.Count > 0 {
		w.field("gaps", "half within "+units.Duration(g.Quantile(0.5))+", 95 % within "+units.Duration(g.Quantile(0.95))+
			", the longest "+units.Duration(g.Max)+" before record "+strconv.FormatUint(uint64(g.After), 10), "")
	}
	w.links(s)
}

// transfer adds the size and the rate of a stream.
func (w *writer) transfer(s *log.Stream) {
	if s.Events == 0 && s.Bytes == 0 {
		return
	}
	came := units.Bytes(s.Bytes)
	if s.Events > 0 {
		came = units.Plural(s.Events, "event") + ", " + came
	}
	w.field("came", came, "")
	if events, bytes := s.Average(); events > 0 {
		w.field("rate", units.PerSecond(events)+" events/s, "+units.Bytes(int64(bytes))+"/s", "")
	}
}

// links adds the streams before and after this one.
func (w *writer) links(s *log.Stream) {
	if s.Prev != 0 {
		w.entry.record = s.Prev
		w.field("continues", "the stream of record "+strconv.FormatUint(uint64(s.Prev), 10), "")
	}
	if s.Next != 0 {
		w.entry.record = s.Next
		w.field("continued by", "the stream of record "+strconv.FormatUint(uint64(s.Next), 10), "")
	}
	w.entry = entry{}
}

// stepRow lays out one row of the list of steps.
func stepRow(record, at, gap, bar string) string {
	return canvas.FitRight(record, 7) + " " + canvas.FitRight(at, 11) + " " + canvas.FitRight(gap, 11) + " " + canvas.Fit(bar, 1) + " "
}

// span returns the time of record i since the exchange began, and since the previous record.
func (v *View) span(ids []a2a.RecordID, i int) (at, gap time.Duration) {
	it := v.log.At(ids[i])
	at = it.Record.Time.Sub(v.log.At(ids[0]).Record.Time)
	if i > 0 {
		gap = it.Record.Time.Sub(v.log.At(ids[i-1]).Record.Time)
	}
	return at, gap
}

// after formats the time since the previous record.
func after(gap time.Duration) string {
	s := units.Interval(gap)
	if s[0] != '<' && s[0] != '-' {
		s = "+" + s
	}
	return s
}

// step draws row i of the list of steps.
func (v *View) step(ids []a2a.RecordID, i int) string {
	at, gap := v.span(ids, i)
	it := v.log.At(ids[i])
	longest := time.Duration(0)
	if s := v.log.Stream(it.Record.Exchange); s != nil {
		longest = s.Gaps.Quantile(1)
	}
	paint := v.st.Text
	if longest > 0 && gap >= longest && gap >= time.Second {
		paint = v.st.Bold
	}
	row := stepRow(strconv.FormatUint(uint64(ids[i]), 10), units.Duration(at), after(gap), v.st.G.Spark(int(gap/time.Microsecond), int(longest/time.Microsecond)))
	if ids[i] == v.it.Record.ID {
		row = v.st.Bold.S(row)
	} else {
		row = paint.S(row)
	}
	words := canvas.SanitizeLine(log.Describe(it))
	if sep := v.st.G[styles.Separator]; sep != "·" {
		words = strings.ReplaceAll(words, " · ", " "+sep+" ")
	}
	return canvas.Fit(row+v.st.Dim.S(words), v.w)
}

// plainText returns the sheet as text, with all steps.
func (s *sheet) plainText(v *View) string {
	if len(s.steps) == 0 {
		return s.text
	}
	var b strings.Builder
	b.WriteString(s.text)
	began := v.log.At(s.steps[0]).Record.Time
	last, all := began, v.log.Scan()
	for _, id := range s.steps {
		it := all.At(id)
		at, gap := it.Record.Time.Sub(began), it.Record.Time.Sub(last)
		last = it.Record.Time
		b.WriteString(strconv.FormatUint(uint64(id), 10) + "\t" + units.Duration(at) + "\t" + after(gap) + "\t" + log.Describe(it) + "\n")
	}
	return b.String()
}
