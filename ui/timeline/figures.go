package timeline

import (
	"strconv"
	"time"

	"parley/internal/units"
	"parley/session/log"
)

// numbers returns the figures of the stream under the cursor in groups: times of the first
// events, amounts and rates, and pauses.
func (v *View) numbers() [][]string {
	s := v.chain.last()
	if k := v.chain.streamOf(v.log, v.sel); k >= 0 {
		s = v.chain.streams[k]
	}
	firsts := v.firsts(s)
	if len(v.chain.streams) > 1 && len(firsts) > 0 {
		firsts[0] = "stream " + strconv.FormatUint(uint64(s.Exchange), 10) + ": " + firsts[0]
	}
	return [][]string{firsts, v.rates(s), gaps(s)}
}

// firsts returns the times of the head, the first event and the first artifact.
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

// rates returns the amounts of events and bytes, in total and per second: on average, or while
// the stream is open those of the last seconds.
func (v *View) rates(s *log.Stream) []string {
	var out []string
	events, bytes := s.Average()
	if s.Events > 0 {
		out = append(out, units.Plural(s.Events, "event"))
	}
	switch {
	case s.Events > 0 && s.Open():
		out = append(out, units.PerSecond(s.Rate(v.now))+"/s now")
	case events > 0:
		out = append(out, units.PerSecond(events)+"/s")
	}
	if s.Bytes > 0 {
		out = append(out, units.Bytes(s.Bytes))
	}
	if bytes > 0 {
		out = append(out, units.Bytes(int64(bytes))+"/s")
	}
	return out
}

// gaps returns the lengths of the pauses between events.
func gaps(s *log.Stream) []string {
	g := &s.Gaps
	most := "max " + units.Duration(g.Max)
	switch {
	case !g.Known():
		return nil
	case g.Count == 0: // a cut
		return []string{"gap " + most}
	case g.Count == 1 && g.Quantile(1) == g.Max:
		return []string{"gap " + units.Duration(g.Max)}
	}
	return []string{"gap p50 " + units.Duration(g.Quantile(0.5)), "p95 " + units.Duration(g.Quantile(0.95)), most}
}
