package looks

import (
	"time"

	"parley/session/log"
	"parley/ui/styles"
)

// Stall returns the sign and the words of a stream that brings no bytes, the same in every pane.
func Stall(st *styles.Styles, s *log.Signal, now time.Time) string {
	return st.Waiting.S(st.G[styles.Pause] + " " + s.StallWords(now))
}
