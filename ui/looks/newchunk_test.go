package looks

import (
	"testing"
	"time"

	"parley/a2a"
	"parley/internal/tape"
)

// The newest chunk of an open stream is new for a moment, unless something else came; one of the future is not.
func TestNewChunk(t *testing.T) {
	chunk := `{"jsonrpc":"2.0","id":1,"result":{"artifactUpdate":{"taskId":"t","contextId":"c","artifact":{"artifactId":"a","parts":[{"text":"x"}]},"append":true}}}`
	state := `{"jsonrpc":"2.0","id":1,"result":{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}}`
	f := tape.New()
	f.Put(0, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out})
	is := func(what string, now time.Time, want a2a.RecordID, wantLeft time.Duration) {
		t.Helper()
		if id, left := NewChunk(f.State.Log.Stream(f.Exchange), now); id != want || left != wantLeft {
			t.Errorf("%s: got record %d for %v, want %d for %v", what, id, left, want, wantLeft)
		}
	}
	is("before the answer", f.Now, 0, 0)
	id := f.Event(10, chunk)
	is("a chunk", f.Now.Add(100*time.Millisecond), id, 200*time.Millisecond)
	is("a chunk some time ago", f.Now.Add(300*time.Millisecond), 0, 0)
	is("a chunk of the future", f.Now.Add(-time.Second), 0, 0)
	id = f.Event(10, chunk)
	is("the next one", f.Now, id, 300*time.Millisecond)
	f.Event(10, state)
	is("a state", f.Now, 0, 0)
	f.Event(10, chunk)
	f.End(10, a2a.Ended)
	is("the end", f.Now, 0, 0)
	if id, _ := NewChunk(nil, f.Now); id != 0 {
		t.Errorf("got record %d without a stream, want none", id)
	}
}
