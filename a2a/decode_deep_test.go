package a2a_test

import (
	"encoding/json"
	"strings"
	"testing"

	"parley/a2a"
)

// What is nested too deeply to be read is JSON all the same, and is not blamed for its syntax.
func TestDeepJSONIsNotCalledInvalid(t *testing.T) {
	const levels = 10_000
	body := []byte(strings.Repeat("[", levels) + strings.Repeat("]", levels))
	body = append(append([]byte(`{"jsonrpc":"2.0","id":"1","result":`), body...), '}')
	if !json.Valid(body[len(`{"jsonrpc":"2.0","id":"1","result":`)+2 : len(body)-3]) {
		t.Fatal("the body of the test is no JSON")
	}
	u := a2a.Decode(&a2a.Call{Op: a2a.OpSend, Dialect: a2a.V10}, a2a.Input{Body: body, Status: 200})
	if u.Err == nil || strings.Contains(u.Err.Sentence, "not valid") || !strings.Contains(u.Err.Sentence, "10,000 levels") {
		t.Errorf("%+v", u.Err)
	}
}
