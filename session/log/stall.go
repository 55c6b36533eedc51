package log

import (
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/problem"
)

// Silence returns how long the stream of a [SignalStall] has brought no bytes at a time.
func (s *Signal) Silence(now time.Time) time.Duration { return s.After + max(now.Sub(s.Time), 0) }

// StallWords says how long the stream of a [SignalStall] has brought no bytes, wherever that is
// shown: "no bytes for 10 s".
func (s *Signal) StallWords(now time.Time) string {
	return "no bytes for " + units.Seconds(s.Silence(now))
}

// BreakWords says where a stream broke, by the class of its end and its last event, which is 0
// if there was none: "cut after #41", or "you cut after #41" if the user caused it.
func BreakWords(class string, after a2a.RecordID) string {
	what := "cut"
	switch class {
	case a2a.ClassSevered:
		what = "you cut"
	case problem.ClassStopped:
		what = "you stopped"
	case problem.ClassUnfinished:
		what = "closed by agent"
	case a2a.ClassTimeout:
		what = "timed out"
	case a2a.ClassUnrecorded:
		what = "recording ends"
	}
	if after == 0 {
		return what + " before the first event"
	}
	return what + " after #" + IDText(after)
}

// Break says where the stream was cut, empty if it was not.
func (s *Stream) Break() string {
	if s.Open() || s.End.Reason != a2a.Cut {
		return ""
	}
	return BreakWords(s.End.Class, s.LastEvent)
}
