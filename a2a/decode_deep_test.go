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
