package problem

import (
	"encoding/json"
	"testing"
	"time"

	"parley/a2a"
)

// Whoever gets a lasting refusal does not ask again; an agent that is busy, and a proxy in front of it, may answer
// otherwise later.
func TestARefusalOfABusyAgentDoesNotLast(t *testing.T) {
	refused, busy, failed := &a2a.RPCError{Code: -32601}, &a2a.RPCError{Code: -32010}, &a2a.RPCError{Code: 7}
	for _, c := range []struct {
		rpc    *a2a.RPCError
		status int
		pause  time.Duration
		want   bool
	}{
		{nil, 200, 0, false},
		{nil, 400, 0, true},
		{nil, 401, 0, true},
		{nil, 404, 0, true},
		{nil, 408, 0, false},
		{nil, 425, 0, false},
		{nil, 429, 0, false},
		{nil, 500, 0, false},
		{nil, 502, 0, false},
		{nil, 503, 0, false},
		{nil, 504, 0, false},
		{nil, 404, time.Second, false},
		{refused, 200, 0, true},
		{refused, 500, 0, true},
		{refused, 429, 0, false},
		{refused, 200, time.Second, false},
		{busy, 200, 0, false},
		{busy, 400, 0, false},
		{failed, 200, 0, true},
		{failed, 500, 0, false},
	} {
		if got := IsLasting(c.rpc, c.status, c.pause); got != c.want {
			t.Errorf("error %+v, status %d, pause %v: got lasting %v, want %v", c.rpc, c.status, c.pause, got, c.want)
		}
	}
}

func TestThePauseOfTheHeaderComesBeforeThatOfTheData(t *testing.T) {
	data := json.RawMessage(`{"retryAfter":7}`)
	for _, c := range []struct {
		rpc    a2a.RPCError
		header time.Duration
		want   time.Duration
	}{
		{a2a.RPCError{Code: -32010, Data: data}, 0, 7 * time.Second},
		{a2a.RPCError{Code: -32010, Data: data}, time.Second, time.Second},
		{a2a.RPCError{Code: -32010}, 0, 0},
		{a2a.RPCError{Code: -32601, Data: data}, 0, 0}, // it is not busy
	} {
		if got := RetryPause(&c.rpc, c.header); got != c.want {
			t.Errorf("error %d with %s and the header %v: got %v, want %v", c.rpc.Code, c.rpc.Data, c.header, got, c.want)
		}
	}
}
