package cli

import (
	"fmt"
	"os"
	"testing"
	"time"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
)

// printing returns a command that prints events as they arrive, after its request.
func printing(t *testing.T) *operation {
	t.Helper()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { null.Close() })
	rules, err := newFindings("")
	if err != nil {
		t.Fatal(err)
	}
	op := &operation{
		app: &app{ctx: t.Context(), streams: Streams{Out: null, Err: null}, json: true}, flags: &callFlags{},
		feed: log.NewFeed(), state: model.NewState(), rules: rules, agent: 1,
	}
	op.state.Check(rules)
	op.live, op.answer.turn = &live{op: op}, 1
	return op
}

// streamed feeds a command with a stream of artifact chunks, working statuses and its end, and
// returns the resulting task.
func (op *operation) streamed(pieces int) *a2a.Task {
	call := &a2a.Call{Agent: 1, Turn: 1, Conversation: 1, Op: a2a.OpStream, Dialect: a2a.V10, Binding: a2a.BindingJSONRPC}
	id := a2a.RecordID(0)
	take := func(kind a2a.RecordKind, body string) {
		id++
		it := log.Item{Record: a2a.Record{ID: id, Exchange: 1, Kind: kind, Dir: a2a.In, Call: call, Time: time.Unix(int64(id), 0), Raw: []byte(body)}}
		if kind == a2a.KindEvent {
			it.Record.Data = it.Record.Raw
			it.Update = a2a.Decode(call, a2a.Input{Body: []byte(body), Status: 200, Stream: true})
		}
		op.take(&it)
	}
	take(a2a.KindRequest, `{"jsonrpc":"2.0","id":1,"method":"SendStreamingMessage","params":{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"hi"}]}}}`)
	take(a2a.KindEvent, `{"jsonrpc":"2.0","id":1,"result":{"task":{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_WORKING"}}}}`)
	for n := range pieces {
		take(a2a.KindEvent, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"result":{"artifactUpdate":{"taskId":"t1","contextId":"c1","artifact":{"artifactId":"a%d","parts":[{"text":"piece %d of it"}]},"append":%t}}}`, n%2, n, n > 1))
		take(a2a.KindEvent, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"result":{"statusUpdate":{"taskId":"t1","contextId":"c1","status":{"state":"TASK_STATE_WORKING","message":{"messageId":"s%d","role":"ROLE_AGENT","parts":[{"text":"on it"}]}}}}}`, n))
	}
	take(a2a.KindEvent, `{"jsonrpc":"2.0","id":1,"result":{"statusUpdate":{"taskId":"t1","contextId":"c1","status":{"state":"TASK_STATE_COMPLETED"}}}}`)
	return op.state.Assembled(1, "t1")
}

// A command that prints events as they arrive stores the same number of records for a short and
// a long stream, and still knows the final task.
func TestWhatIsPrintedIsNotKept(t *testing.T) {
	t.Parallel()
	var kept [2]int
	for i, pieces := range []int{10, 5000} {
		op := printing(t)
		task := op.streamed(pieces)
		if task == nil || task.Status.State != a2a.StateCompleted || len(task.Artifacts) != 2 {
			t.Fatalf("got task %+v, want it completed with 2 artifacts", task)
		}
		kept[i] = op.state.Log.Len()
		for _, a := range task.Artifacts {
			if len(a.Parts) != 1 {
				t.Errorf("got %d parts in an artifact, want 1", len(a.Parts))
			}
		}
		if len(task.History) > 1 {
			t.Errorf("got %d messages in the history, want at most 1", len(task.History))
		}
	}
	if kept[0] != kept[1] {
		t.Errorf("got %d records of a short stream and %d of a long one, want the same", kept[0], kept[1])
	}
}

// A command that prints its result at the end stores everything.
func TestWhatIsNotPrintedIsKept(t *testing.T) {
	t.Parallel()
	op := printing(t)
	op.live = nil
	if task := op.streamed(50); len(task.Artifacts) != 2 || len(task.Artifacts[0].Parts) == 0 || op.state.Log.Len() != 103 {
		t.Errorf("got %d records, want 103", op.state.Log.Len())
	}
}
