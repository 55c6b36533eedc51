package looks

import (
	"net/http"
	"slices"
	"time"

	"parley/a2a"
	"parley/session/log"
	"parley/ui/styles"
)

// Ending returns the sign and the paint of a stream's end; of an open stream, those of its growing
// end now.
func Ending(st *styles.Styles, s *log.Stream, now time.Time) (styles.Glyph, styles.Paint) {
	switch {
	case s.Stall(now) > 0:
		return styles.Pause, st.Waiting
	case s.Open():
		return styles.Block, st.Agent
	case s.End.Reason == a2a.Ended:
		return styles.Vertical, st.Dim
	case s.End.Reason == a2a.Cancelled:
		return styles.Canceled, st.Dim
	case s.End.Class == a2a.ClassSevered:
		return styles.Broken, st.Dim
	default:
		return styles.Broken, st.Failed
	}
}

// EndOf returns the sign and the paint of the end of an exchange of a log: of the state that its task then has, if
// it tells one, else of how it went.
func EndOf(st *styles.Styles, l *log.Log, s *log.Stream) (styles.Glyph, styles.Paint) {
	if !s.Open() && s.End.Reason == a2a.Ended && s.State != a2a.StateUnknown {
		return State(st, s.State)
	}
	return Outcome(st, l, s)
}

// Outcome returns the sign and the paint of how an exchange of a log went. It looks at few records.
func Outcome(st *styles.Styles, l *log.Log, s *log.Stream) (styles.Glyph, styles.Paint) {
	const most = 8 // records that are looked at
	switch {
	case s.Open():
		return styles.Online, st.Agent
	case s.End.Reason != a2a.Ended:
		return Ending(st, s, time.Time{})
	case hasStep(s, log.StepError), l.StatusOf(s.Exchange) >= http.StatusBadRequest:
		return styles.Failed, st.Failed
	}
	brought, ids := hasStep(s, log.StepState), l.Exchange(s.Exchange)
	for _, id := range ids[:min(len(ids), most)] {
		it := l.At(id)
		if it.Update.Err != nil {
			return Ending(st, s, time.Time{})
		}
		brought = brought || len(it.Update.Events) > 0
	}
	if !brought {
		return Ending(st, s, time.Time{})
	}
	return styles.Done, st.OK
}

// hasStep reports whether an exchange has a step of a kind among its first and last ones.
func hasStep(s *log.Stream, k log.StepKind) bool {
	const most = 8
	is := func(st log.Step) bool { return st.Kind == k }
	return slices.ContainsFunc(s.Steps[:min(len(s.Steps), most)], is) || slices.ContainsFunc(s.Steps[max(len(s.Steps)-most, 0):], is)
}
