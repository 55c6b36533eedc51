package timeline

import (
	"strconv"
	"time"

	"parley/internal/units"
	"parley/session/log"
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
func (v *View) firsts(s *log.Stream) []string {
	var out []string
	add := func(name string, at time.Duration) {
		if at >= 0 {
			out = append(out, name+" "+units.Duration(at))
		}
	}
	add("first byte", s.FirstByte)
	add("event", s.FirstEvent)
	add("artifact", s.FirstArtifact)
	return out
}

// rates says how much came, in all and in a second.
func rates(s *log.Stream) []string {
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
func gaps(s *log.Stream) []string {
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
