package timeline

import (
	"strconv"
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/session"
)

// numbers are the figures of the stream that the cursor is on, in groups that belong
// together: when what came first, how much came, and how long nothing did.
func (v *View) numbers() [][]string {
	s := v.chain.last()
	if it := v.log.At(v.sel); it != nil {
		if k := v.chain.home(it); k >= 0 {
			s = v.chain.streams[k]
		}
	}
	firsts := v.firsts(s)
	if len(v.chain.streams) > 1 && len(firsts) > 0 {
		firsts[0] = "stream " + strconv.FormatUint(uint64(s.Exchange), 10) + ": " + firsts[0]
	}
	return [][]string{firsts, rates(s), gaps(s)}
}

// firsts says when the head, the first event and the first artifact came.
func (v *View) firsts(s *session.Stream) []string {
	var out []string
	add := func(name string, at time.Duration) {
		if at >= 0 {
			out = append(out, name+" "+units.Duration(at))
		}
	}
	head := s.Head
	if t := v.timing(s); t != nil && t.FirstByte > 0 {
		head = t.FirstByte
	}
	add("first byte", head)
	add("event", s.FirstEvent)
	add("artifact", s.FirstArtifact)
	return out
}

// timing returns what the head of a stream's response tells, nil if it tells nothing.
func (v *View) timing(s *session.Stream) *a2a.Timing {
	const early = 3 // a response's head comes right after its request
	for i := range s.Steps[:min(len(s.Steps), early)] {
		if st := &s.Steps[i]; st.Kind == session.StepHead {
			if h := v.log.At(st.From).Record.Head; h != nil { // a recording may lack it
				return h.Timing
			}
		}
	}
	return nil
}

// rates says how much came, in all and in a second.
func rates(s *session.Stream) []string {
	var out []string
	events, bytes := s.PerSecond()
	if s.Events > 0 {
		out = append(out, units.Plural(s.Events, "event"))
	}
	if events > 0 {
		out = append(out, decimal(events)+"/s")
	}
	if s.Bytes > 0 {
		out = append(out, units.Bytes(s.Bytes))
	}
	if bytes > 0 {
		out = append(out, units.Bytes(int64(bytes))+"/s")
	}
	return out
}

// gaps says how long the pauses between events were.
func gaps(s *session.Stream) []string {
	g := &s.Gaps
	if g.Count == 0 {
		return nil
	}
	most := "max " + units.Duration(g.Max)
	if g.Count == 1 {
		return []string{"gap " + units.Duration(g.Max)}
	}
	return []string{"gap p50 " + units.Duration(g.Quantile(0.5)), "p95 " + units.Duration(g.Quantile(0.95)), most}
}

// decimal writes a rate with one decimal where that tells anything.
func decimal(v float64) string {
	if v < 10 {
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return units.Count(int(v + 0.5))
}
