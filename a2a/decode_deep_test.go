package a2a_test

import (
	"encoding/json"
	"strings"
	"testing"

	"parley/a2a"
)

// JSON that is nested too deeply is not reported as invalid.
func TestDeepJSONIsNotCalledInvalid(t *testing.T) {
	t.Parallel()
	const levels = 10_000
	body := []byte(strings.Repeat("[", levels) + strings.Repeat("]", levels))
	body = append(append([]byte(`{"jsonrpc":"2.0","id":"1","result":`), body...), '}')
	if !json.Valid(body[len(`{"jsonrpc":"2.0","id":"1","result":`)+2 : len(body)-3]) {
		t.Fatal("got invalid JSON as the test's body, want valid JSON")
	}
	u := a2a.Decode(&a2a.Call{Op: a2a.OpSend, Dialect: a2a.V10}, a2a.Input{Body: body, Status: 200})
	if u.Err == nil || strings.Contains(u.Err.Sentence, "not valid") || !strings.Contains(u.Err.Sentence, "10,000 levels") {
		t.Errorf("got error %+v, want the limit of 10,000 levels", u.Err)
	}
}

// A limit of Parley is told as such, with the flag that raises it, and is no finding about the agent.
func TestManyValuesAreNotCalledInvalid(t *testing.T) {
	t.Parallel()
	doc := `{"jsonrpc":"2.0","id":"1","result":{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"},"artifacts":[{"artifactId":"a","parts":[{"data":[` +
		strings.Repeat("1,", 1_100_000) + `1]}]}]}}}`
	for _, stream := range []bool{false, true} {
		call, flag := a2a.Call{Op: a2a.OpSend, Dialect: a2a.V10}, "--max-answer"
		if stream {
			call.Op, flag = a2a.OpStream, "--max-event"
		}
		u := a2a.Decode(&call, a2a.Input{Body: []byte(doc), Status: 200, Stream: stream})
		if u.Err == nil || strings.Contains(u.Err.Sentence, "not valid") || !strings.Contains(u.Err.Sentence, "1,000,000 values") || !strings.Contains(u.Err.Sentence, flag+" raises that limit") {
			t.Errorf("got error %+v, want the limit and %s", u.Err, flag)
		}
		if len(u.Findings) > 0 {
			t.Errorf("got findings %+v, want none", u.Findings)
		}
		if u = a2a.Decode(&call, a2a.Input{Body: []byte(doc), Status: 200, Stream: stream, Values: 2_000_000}); u.Err != nil || len(u.Events) != 1 || u.Events[0].Kind != a2a.EventTask {
			t.Errorf("with a higher limit: got error %v and %d events, want the task", u.Err, len(u.Events))
		}
	}
}
