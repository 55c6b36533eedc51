package engine

import (
	"testing"
	"time"

	"parley/a2a"
)

// Two engines differ in what their uses say, and in nothing else.
func TestWhatEnginesDifferIn(t *testing.T) {
	t.Parallel()
	type same struct { // what no use changes
		grace, result, idle time.Duration
		resubscribe         int
	}
	sameOf := func(o *options) same { return same{o.Grace, o.ResultWait, o.Idle, o.Resubscribe} }
	first := optionsFor(Base{}, Use{})
	if first.Resubscribe != 5 || first.Grace > 2*time.Second || first.ResultWait > 6*time.Second || first.Idle != a2a.StallAfter || first.Secrets == nil {
		t.Errorf("got %+v, want an engine that resubscribes, waits for a state and ends in time", first)
	}
	type differs struct {
		shortest, longest, ask time.Duration
		dials, polls           bool // agents that are away, tasks that wait for credentials
		extended, checks       bool
	}
	for name, c := range map[string]struct {
		use  Use
		want differs
	}{
		"the workbench":           {Use{}, differs{time.Second / 2, 30 * time.Second, grace, true, true, true, true}},
		"with --no-check":         {Use{Unchecked: true}, differs{time.Second / 2, 30 * time.Second, grace, true, true, true, false}},
		"a script":                {Use{Scripted: true, Poll: 2 * time.Second}, differs{time.Second / 2, 2 * time.Second, askGrace, true, true, true, true}},
		"a command":               {Use{Ends: true, Poll: 8 * time.Second}, differs{2 * time.Second, 8 * time.Second, askGrace, false, false, false, false}},
		"a poll of a microsecond": {Use{Ends: true, Poll: time.Microsecond}, differs{time.Millisecond, time.Millisecond, askGrace, false, false, false, false}},
	} {
		o := optionsFor(Base{}, c.use)
		if got := (differs{o.PollMin, o.PollMax, o.AskGrace, o.WatchEvery > 0, o.AuthPolls, o.Extended, o.CheckStreams}); got != c.want {
			t.Errorf("%s: got %+v, want %+v", name, got, c.want)
		}
		if got, want := sameOf(&o), sameOf(&first); got != want {
			t.Errorf("%s: got %+v, want what all engines have, %+v", name, got, want)
		}
		if o.AskGrace <= 0 || o.AskGrace > o.Grace {
			t.Errorf("%s: got %v for a question, want no longer than for an end", name, o.AskGrace)
		}
	}
}
