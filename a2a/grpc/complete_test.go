package grpc_test

import (
	"net"
	"strings"
	"sync"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"parley/a2a"
	"parley/a2a/grpc/grpctest"
)

// listening remembers the connections that it accepts.
type listening struct {
	net.Listener
	mu    sync.Mutex
	conns []net.Conn
}

func (l *listening) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.conns = append(l.conns, c)
	return c, err
}

// A stream whose task is over is complete, with whatever status or reset it ends; before that, it is not.
func TestAFailureAfterTheTaskIsOverIsNoneOfTheTask(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		state    string
		code     codes.Code // OK for a connection that breaks
		complete bool
	}{
		{"COMPLETED", codes.Internal, true}, {"COMPLETED", codes.Unavailable, true}, {"FAILED", codes.Unknown, true}, {"INPUT_REQUIRED", codes.Internal, true}, {"COMPLETED", codes.OK, true},
		{"WORKING", codes.Internal, false}, {"WORKING", codes.Unavailable, false}, {"AUTH_REQUIRED", codes.Internal, true}, {"WORKING", codes.OK, false},
	} {
		inner, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		l := &listening{Listener: inner}
		seen := make(chan bool, 8)
		server := grpctest.Serve(t, l, func(call *grpctest.Call) error {
			if err := call.Answer(`{"statusUpdate":{"taskId":"t1","contextId":"c1","status":{"state":"TASK_STATE_` + c.state + `"}}}`); err != nil {
				return err
			}
			<-seen
			if c.code != codes.OK {
				return status.Error(c.code, "boom")
			}
			l.mu.Lock()
			defer l.mu.Unlock()
			for _, conn := range l.conns {
				conn.Close()
			}
			return nil
		})
		client, tape := newClient(t, "grpc://"+server.Address, a2a.V10)
		out := do(t, client, request(a2a.OpStream), a2a.Hooks{Recorded: func(a2a.Update) { seen <- true }})
		end := tape.of(a2a.KindEnd)[0].End
		if c.complete && (out.Err != nil || out.End.Reason != a2a.Ended || out.End.Class != "" || end.Break == "" || len(tape.of(a2a.KindBody)) > 0) {
			t.Errorf("%s, %s: got answer %+v and end %+v, want a complete answer and its break", c.state, c.code, out, end)
		}
		if c.complete && c.code != codes.OK && (end.Trailer == nil || end.Trailer.Header.Get("Grpc-Status") == "" || !strings.Contains(end.Break, "status")) {
			t.Errorf("%s, %s: got end %+v, want the status in its break and in the trailer", c.state, c.code, end)
		}
		if !c.complete && (out.Err == nil || end.Break != "") {
			t.Errorf("%s, %s: got answer %+v, want a failure", c.state, c.code, out)
		}
	}
}
