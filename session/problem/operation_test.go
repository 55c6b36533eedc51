package problem

import (
	"testing"

	"parley/a2a"
)

func TestASentenceBeginsWithWhatFailed(t *testing.T) {
	message := &Problem{Sentence: "It broke."}
	get := message.Of([]a2a.Op{a2a.OpGet})
	both := get.And([]a2a.Op{a2a.OpGet, a2a.OpCancel})
	for _, c := range []struct {
		pr   *Problem
		want string
	}{
		{message, "It broke."}, {get, "Get: It broke."}, {both, "Get and cancel: It broke."}, {both.Of([]a2a.Op{a2a.OpSubscribe}), "Subscription: It broke."},
		{both.Of(nil), "It broke."}, {message.And([]a2a.Op{a2a.OpGet}), "It broke."}, {get.And(nil), "Get: It broke."},
	} {
		if c.pr.Sentence != c.want || c.pr.Bare() != "It broke." {
			t.Errorf("got %q and %q, want %q", c.pr.Sentence, c.pr.Bare(), c.want)
		}
	}
	if OnTask(a2a.OpSend) || OnTask(a2a.OpList) || !OnTask(a2a.OpCancel) {
		t.Error("got an operation on a task that is none, or none that is one")
	}
}
