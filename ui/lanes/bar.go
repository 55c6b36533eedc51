package lanes

import (
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
)

// kind says what an exchange did in a segment.
type kind uint8

const (
	running  kind = iota // from the request on
	stalled              // nothing comes, up to now
	broken               // from the last that came to a cut, or whatever else ended it badly
	retrying             // between a cut and the stream that continues it
)

// A segment is what an exchange did from one time to another, with the words about it. Segments of an
// exchange are in order and touch each other. They say nothing of cells and colours.
type segment struct {
	kind     kind
	from, to time.Duration
	first    string // when the answer began
	label    string // how long it took, or what went wrong
	short    string // the label where there is little room, empty for none
}

// segments returns the course of an exchange up to its end, or to now: one segment, and a second one if it
// stalls or broke.
func (x *part) segments(now time.Time) []segment {
	s, end := x.s, x.end(now)
	run := segment{kind: running, from: x.start, to: end, label: units.Duration(end - x.start)}
	if s.FirstByte >= 0 {
		run.first = "first " + units.Duration(s.FirstByte)
	}
	words := badEnd(s)
	switch quiet := s.Stall(now); {
	case quiet > 0:
		run.to, run.label = max(end-quiet, x.start), ""
		return []segment{run, {kind: stalled, from: run.to, to: end, label: units.Duration(quiet.Truncate(time.Second))}}
	case words == "":
		return []segment{run}
	case s.End.Reason == a2a.Refused:
		return []segment{{kind: broken, from: x.start, to: end, label: words}}
	}
	run.to, run.label = min(x.later(x.s.Came()), end), ""
	if gap := end - run.to; gap >= time.Millisecond {
		words += " " + units.Duration(gap)
	}
	return []segment{run, {kind: broken, from: run.to, to: end, label: words}}
}

// badEnd says in a word or two how an exchange ended, empty unless that was a cut, a refusal or a time-out.
func badEnd(s *log.Stream) string {
	if s.Open() {
		return ""
	}
	switch s.End.Reason {
	case a2a.Cut:
		return s.BreakWord()
	case a2a.TimedOut:
		return "timed out"
	case a2a.Refused:
		return "refused"
	default:
		return ""
	}
}

// gap returns the time between the end of an exchange and the one that continues it.
func (x *part) gap(next *part, now time.Time) segment {
	end := x.end(now)
	took := units.Duration(max(next.start-end, 0))
	return segment{kind: retrying, from: end, to: max(next.start, end), label: "retry " + took, short: took}
}
