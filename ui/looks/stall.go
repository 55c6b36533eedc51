package looks

import (
	"time"

	"parley/internal/units"
	"parley/session/log"
	"parley/ui/styles"
)

// Stall returns the sign and the words of a stream that stalls, the same in every pane; empty if it does not.
func Stall(st *styles.Styles, s *log.Stream, now time.Time) string {
	quiet := s.Stall(now)
	if quiet == 0 {
		return ""
	}
	return st.Waiting.S(st.G[styles.Pause] + " " + Silent(quiet))
}

// NoBytes returns the sign and the words of the report that a stream brings no bytes.
func NoBytes(st *styles.Styles, s *log.Signal, now time.Time) string {
	return st.Waiting.S(st.G[styles.Pause] + " " + s.StallWords(now))
}

// Silent says for how long nothing has come: "silent 4 s".
func Silent(quiet time.Duration) string { return "silent " + units.Seconds(quiet) }

// Stalled is the sign and the word of a stream that stalls where something else says for how long.
func Stalled(st *styles.Styles) string { return st.G[styles.Pause] + " stalled" }

// Quiet returns for how long a stream of events stalls, 0 if it does not. The stream may be nil.
func Quiet(s *log.Stream, now time.Time) time.Duration {
	if s == nil || !s.Streamed() {
		return 0
	}
	return s.Stall(now)
}
