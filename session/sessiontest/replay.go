package sessiontest

import (
	"context"
	"io"
	"math"
	"testing"

	"parley/session/log"
	"parley/session/model"
)

// A recording is a session file that is open to be replayed.
type recording interface {
	Check(rules log.Checker)
	Replay(ctx context.Context, feed *log.Feed, ahead int)
}

// ReplayState applies a recording to a new state.
func ReplayState(t *testing.T, r recording, rules log.Checker) *model.State {
	t.Helper()
	feed := log.NewFeed()
	r.Check(rules)
	r.Replay(t.Context(), feed, math.MaxInt)
	feed.Close()
	s := model.NewState()
	s.Check(rules)
	for {
		items, err := feed.Next(context.Background(), 0)
		if err == io.EOF {
			return s
		}
		for _, it := range items {
			if it.Signal != nil {
				t.Errorf("replay: got signal %q, want none", it.Signal.Sentence)
			}
			s.Apply(it)
		}
	}
}
