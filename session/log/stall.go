package log

import (
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/problem"
)

// Silence returns how long the stream of a [SignalStall] has brought no bytes at a time.
func (s *Signal) Silence(now time.Time) time.Duration { return s.After + max(now.Sub(s.Time), 0) }

// StallWords says how long the stream of a [SignalStall] has brought no bytes: "no bytes for 10 s".
func (s *Signal) StallWords(now time.Time) string {
	return "no bytes for " + units.Seconds(s.Silence(now))
}

const (
	// leastStall is the shortest silence of an open stream that is a stall.
	leastStall = 2 * time.Second
	// stallFactor is how many times longer than the usual pause it is.
	stallFactor = 5
)

// usual returns the median of the pauses of the stream; as long as it has too few, that of an earlier one
// of the agent; 0 if that is not known.
func (s *Stream) usual() time.Duration {
	switch {
	case s.Gaps.Count >= aMedian:
		return s.Gaps.Quantile(0.5)
	case s.past.before != nil:
		return s.past.before.Gaps.Quantile(0.5)
	}
	return 0
}

// stallAfter returns from when on a silence is a stall: [leastStall], or several times the usual pause if
// that is longer. Of an exchange without a stream nothing is expected before its answer.
func (s *Stream) stallAfter() time.Duration {
	if !s.Streamed() {
		return a2a.StallAfter
	}
	return max(leastStall, stallFactor*s.usual())
}

// Stall returns for how long nothing has come at a time if that is a stall, else 0. A stall lasts until
// bytes come: what is usual changes with nothing else. Where the task is over or waits for the user,
// nothing is missed.
func (s *Stream) Stall(now time.Time) time.Duration {
	if now.IsZero() || s.State.Terminal() || s.State.Interrupted() {
		return 0
	}
	if quiet := s.Silence(now); quiet >= leastStall && quiet >= s.stallAfter() {
		return quiet
	}
	return 0
}

// Touch notes that bytes of something that is not complete yet came at a time.
func (s *Stream) Touch(at time.Time) { s.past.touched = max(s.past.touched, at.Sub(s.Start)) }

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
