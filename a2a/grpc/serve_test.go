package grpc

import (
	"context"
	"crypto/tls"
	"encoding/base64"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"parley/a2a"
)

// served starts a server and returns a flow of a call to it.
func servedFlow(t *testing.T, answer func(a2a.IncomingCall) a2a.FlowEnd) a2a.Flow {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(Serve(l, 1<<20, answer))
	line := New().Connect(a2a.LineOptions{
		Dial: func(ctx context.Context, to a2a.Destination) (a2a.Connection, error) {
			if to.TLS {
				return a2a.Connection{}, tls.RecordHeaderError{Msg: "no TLS"}
			}
			conn, err := new(net.Dialer).DialContext(ctx, "tcp", to.Address)
			return a2a.Connection{Conn: conn}, err
		},
		MaxMessage: 1 << 20, MaxHead: 1 << 16, Now: time.Now,
	})
	t.Cleanup(line.Close)
	flow, err := line.Open(t.Context(), a2a.Carriage{URL: "grpc://" + l.Addr().String(), Path: "/lf.a2a.v1.A2AService/GetTask", Header: http.Header{}, Bytes: []byte("\x12\x01t")})
	if err != nil {
		t.Fatal(err)
	}
	return flow
}

func TestServedCallsAreAnsweredByteForByte(t *testing.T) {
	t.Parallel()
	odd := []byte("\x0a\x01x\xf8\x07\x01") // with a field that no type has
	failure, err := NewFormat().Rebuild(a2a.KindStatus, []byte(`{"code":5,"message":"no such task"}`))
	if err != nil {
		t.Fatal(err)
	}
	trace := base64.RawStdEncoding.EncodeToString([]byte{0, 1, 2})
	flow := servedFlow(t, func(c a2a.IncomingCall) a2a.FlowEnd {
		if m := c.Message(); c.Path() != "/lf.a2a.v1.A2AService/GetTask" || m.Kind != "lf.a2a.v1.GetTaskRequest" || string(m.Bytes) != "\x12\x01t" {
			t.Errorf("got %s %+v, want the request", c.Path(), m)
		}
		_ = c.Head(http.Header{"X-Odd": {"a", "b"}, "X-Trace-Bin": {trace}})
		_ = c.Send(odd)
		return a2a.FlowEnd{Trailer: http.Header{"X-End": {"z"}}, Failure: failure}
	})
	head, err := flow.Head()
	if err != nil || len(head.Header["X-Odd"]) != 2 || head.Header.Get("X-Trace-Bin") != trace {
		t.Fatalf("got head %+v, %v, want the metadata", head, err)
	}
	if f, err := flow.Next(); err != nil || string(f.Bytes) != string(odd) {
		t.Errorf("got %q, %v, want %q", f.Bytes, err, odd)
	}
	_, err = flow.Next()
	if end := flow.End(); err != io.EOF || end.Word != "gRPC NOT_FOUND" || end.Trailer.Get("X-End") != "z" {
		t.Errorf("got end %+v, %v, want the error with its trailer", end, err)
	}
}

// A client has every message that was sent before the connection broke.
func TestServedCallsBreakAfterTheirMessages(t *testing.T) {
	t.Parallel()
	for _, reset := range []bool{false, true} {
		const messages = 20
		flow := servedFlow(t, func(c a2a.IncomingCall) a2a.FlowEnd {
			for range messages {
				_ = c.Send([]byte("\x0a\x01x"))
			}
			c.Sever(reset)
			return a2a.FlowEnd{}
		})
		if _, err := flow.Head(); err != nil {
			t.Fatal(err)
		}
		got := 0
		var err error
		for ; err == nil; got++ {
			_, err = flow.Next()
		}
		if got--; got > messages || !reset && got != messages || err == io.EOF {
			t.Errorf("reset %v: got %d messages and %v, want %d and a broken connection", reset, got, err, messages)
		}
	}
}
