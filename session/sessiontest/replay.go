package sessiontest

import (
	"context"
	"io"
	"math"
	"slices"
	"testing"

	"parley/session/check"
	"parley/session/log"
	"parley/session/model"
)

// A recording is a session file that is open to be replayed.
type recording interface {
	Prepare(stage *check.Stage)
	Replay(ctx context.Context, feed *log.Feed, ahead int)
}

// ReplayState applies a recording to a new state. It may report these sentences and no other.
func ReplayState(t *testing.T, r recording, rules log.Checker, sentences ...string) *model.State {
	t.Helper()
	feed, stage := log.NewFeed(), check.New(rules)
	r.Prepare(stage)
	r.Replay(t.Context(), feed, math.MaxInt)
	feed.Close()
	s := model.NewState()
	s.Follow(stage)
	for {
		items, err := feed.Next(context.Background(), 0)
		if err == io.EOF {
			return s
		}
		for _, it := range items {
			if it.Signal != nil && !slices.Contains(sentences, it.Signal.Sentence) {
				t.Errorf("replay: got signal %q, want only %q", it.Signal.Sentence, sentences)
			}
			s.Apply(it)
		}
	}
}
