package log

import (
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/session/problem"
)

// The word for what broke a stream is the beginning of the words that say where.
func TestAWordSaysWhatBrokeAStream(t *testing.T) {
	for class, want := range map[string]string{
		a2a.ClassCut: "cut", a2a.ClassSevered: "you cut", problem.ClassStopped: "you stopped", problem.ClassUnfinished: "closed by agent",
		a2a.ClassTimeout: "timed out", a2a.ClassUnrecorded: "recording ends", "": "cut",
	} {
		s := &Stream{End: &a2a.End{Reason: a2a.Cut, Class: class}, LastEvent: 7}
		if got := s.BreakWord(); got != want || !strings.HasPrefix(s.Break(), want+" after #7") {
			t.Errorf("class %q: got %q and %q, want %q", class, got, s.Break(), want)
		}
	}
	for _, s := range []*Stream{{}, {End: &a2a.End{Reason: a2a.Ended}}} {
		if s.BreakWord() != "" || s.Break() != "" {
			t.Errorf("got %q for a stream that was not cut, want nothing", s.Break())
		}
	}
}

func TestTheNewestThatCame(t *testing.T) {
	for _, c := range []struct {
		head, event, want time.Duration
	}{{-1, -1, 0}, {40, -1, 40}, {40, 90, 90}} {
		if s := (&Stream{Head: c.head, past: past{event: c.event}}); s.Came() != c.want {
			t.Errorf("head %v, event %v: got %v, want %v", c.head, c.event, s.Came(), c.want)
		}
	}
}
