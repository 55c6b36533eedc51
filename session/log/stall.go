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

// breakWord says what broke a stream, by the class of its end.
func breakWord(class string) string {
	switch class {
	case a2a.ClassSevered:
		return "you cut"
	case problem.ClassStopped:
		return "you stopped"
	case problem.ClassUnfinished:
		return "closed by agent"
	case a2a.ClassTimeout:
		return "timed out"
	case a2a.ClassUnrecorded:
		return "recording ends"
	default:
		return "cut"
	}
}

// BreakWords says where a stream broke, by the class of its end and its last event, which is 0
// if there was none: "cut after #41", or "you cut after #41" if the user caused it.
func BreakWords(class string, after a2a.RecordID) string {
	what := breakWord(class)
	if after == 0 {
		return what + " before the first event"
	}
	return what + " after #" + IDText(after)
}

// Break says where the stream was cut, empty if it was not.
func (s *Stream) Break() string {
	if s.BreakWord() == "" {
		return ""
	}
	return BreakWords(s.End.Class, s.LastEvent)
}

// BreakWord says what broke the stream, as the first words of [Stream.Break]; empty if it was not cut.
func (s *Stream) BreakWord() string {
	if s.Open() || s.End.Reason != a2a.Cut {
		return ""
	}
	return breakWord(s.End.Class)
}

// Came returns the offset of the newest event, else of the head of the response, 0 if nothing came.
func (s *Stream) Came() time.Duration { return max(s.past.event, s.Head, 0) }
