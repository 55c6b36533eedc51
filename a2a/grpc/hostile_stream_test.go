package grpc_test

import (
	"context"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"

	"parley/a2a"
	"parley/a2a/grpc/grpctest"
	"parley/internal/certtest"
)

// bytesOf returns the bytes of a message of a stream.
func bytesOf(t *testing.T, text string) []byte {
	t.Helper()
	b, err := format.Rebuild("lf.a2a.v1.StreamResponse", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes
}

const completed = `{"statusUpdate":{"taskId":"t1","contextId":"c1","status":{"state":"TASK_STATE_COMPLETED"}}}`

// Whatever happens in the middle of a stream, what came before it is kept, and the end has one
// sentence.
func TestWhatCameBeforeAStreamBrokeIsKept(t *testing.T) {
	t.Parallel()
	first, last := bytesOf(t, working), bytesOf(t, completed)
	for _, c := range []struct {
		name   string
		then   func(*answerer)
		reason a2a.EndReason
		events int
		says   string
	}{
		{"the connection closes", func(a *answerer) { a.hangUp() }, a2a.Cut, 1, "broke"},
		{"a GOAWAY, and the connection closes", func(a *answerer) {
			_ = a.WriteGoAway(1, http2.ErrCodeNo, nil)
			a.hangUp()
		}, a2a.Cut, 1, ""},
		{"a GOAWAY that disowns the stream", func(a *answerer) { _ = a.WriteGoAway(0, http2.ErrCodeInternal, []byte("oops")) }, a2a.Cut, 1, "closed the connection"},
		{"a GOAWAY, and the rest of the stream", func(a *answerer) {
			_ = a.WriteGoAway(1, http2.ErrCodeNo, nil)
			a.message(0, len(last), last)
			a.headers(true, "grpc-status", "0")
		}, a2a.Ended, 2, ""},
		{"UNAVAILABLE", func(a *answerer) { a.headers(true, "grpc-status", "14", "grpc-message", "restart") }, a2a.Cut, 1, "is shutting down (gRPC UNAVAILABLE"},
		{"a reset", func(a *answerer) { _ = a.WriteRSTStream(1, http2.ErrCodeCancel) }, a2a.Cut, 1, ""},
		{"half a message", func(a *answerer) {
			a.message(0, len(last), last[:5])
			a.headers(true, "grpc-status", "0")
		}, a2a.Cut, 1, "inside a message"},
		{"a message that is too long", func(a *answerer) { a.message(0, 1<<31-1, []byte("much")) }, a2a.Cut, 1, "raises the limit"},
		{"a frame that HTTP/2 does not allow", func(a *answerer) { _ = a.WriteRawFrame(http2.FrameData, 0, 0, []byte("stray")) }, a2a.Cut, 1, ""},
		{"trailers of 5 MB", func(a *answerer) { a.headers(true, "grpc-status", "0", "x-large", strings.Repeat("x", 5<<20)) }, a2a.Cut, 1, "metadata that are too long"},
		{"trailers of 1 MB", func(a *answerer) {
			a.message(0, len(last), last)
			a.headers(true, "grpc-status", "0", "x-large", strings.Repeat("x", 1<<20))
		}, a2a.Ended, 2, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			address := http2Server(t, func(a *answerer) {
				a.begin()
				a.message(0, len(first), first)
				c.then(a)
			})
			client, tape := newClient(t, "grpc://"+address, a2a.V10)
			out := do(t, client, request(a2a.OpStream), a2a.Hooks{})
			if out.End.Reason != c.reason || out.Events != c.events || !strings.Contains(out.End.Sentence, c.says) || c.reason == a2a.Cut && out.End.Sentence == "" {
				t.Fatalf("got %+v with %d events, want %s, %d events and %q", out.End, out.Events, c.reason, c.events, c.says)
			}
			if events := tape.of(a2a.KindEvent); len(events) != c.events || string(events[0].Binary.Bytes) != string(first) {
				t.Errorf("got %d event records, want %d with their bytes", len(events), c.events)
			}
			t.Log(out.End.Sentence)
		})
	}
}

// Words that an enumeration lacks, and texts that are not UTF-8, are shown and end nothing.
func TestStrangeValuesEndNothing(t *testing.T) {
	t.Parallel()
	server := grpctest.Start(t, func(c *grpctest.Call) error {
		if err := c.Answer(`{"task":{"id":"t1","contextId":"c1","status":{"state":77}}}`); err != nil {
			return err
		}
		if err := c.Send([]byte("\x0a\x08\x0a\x02t1\x12\x02\xff\xfe")); err != nil { // task {id, contextId}
			return err
		}
		return c.Answer(completed)
	})
	client, tape := newClient(t, "grpc://"+server.Address, a2a.V10)
	out := do(t, client, request(a2a.OpStream), a2a.Hooks{})
	if out.State != a2a.StateCompleted || out.End.Reason != a2a.Ended || len(tape.of(a2a.KindEvent)) != 3 {
		t.Fatalf("got %+v (%v) and %s", out, out.Err, tape.kinds())
	}
	events := tape.of(a2a.KindEvent)
	if !strings.Contains(string(events[0].Raw), `"state":77`) {
		t.Errorf("got %s, want the number of the state", events[0].Raw)
	}
	if got := string(events[1].Binary.Bytes); !strings.Contains(got, "\xff\xfe") {
		t.Errorf("got %q, want the bytes as they came", got)
	}
}

// A server that accepts connections and says nothing is reported when the time for a connection is
// over, and nothing was sent to it.
func TestAServerThatSaysNothingIsGivenUp(t *testing.T) {
	t.Parallel()
	for _, scheme := range []string{"grpc", "grpcs"} {
		silent := serve(t, func(c net.Conn) { _, _ = io.Copy(io.Discard, c) })
		client, tape := newClient(t, scheme+"://"+silent, a2a.V10, func(o *a2a.Options) { o.ConnectTimeout = 200 * time.Millisecond })
		out := do(t, client, request(a2a.OpGet), a2a.Hooks{})
		if out.End.Class != a2a.ClassTimeout || out.End.Sentence == "" || scheme == "grpc" && (out.End.Reason != a2a.Refused || !strings.Contains(out.End.Sentence, "then said nothing for 200ms")) {
			t.Errorf("%s: got %+v", scheme, out.End)
		}
		if got := tape.kinds(); got != "request end" {
			t.Errorf("got records %s", got)
		}
	}
}

// A server that answers nothing to a call is waited for, as over HTTP, until the time of the call
// is over.
func TestACallWithoutAnAnswerEndsWithItsTime(t *testing.T) {
	t.Parallel()
	address := http2Server(t, func(*answerer) {})
	client, _ := newClient(t, "grpc://"+address, a2a.V10, func(o *a2a.Options) {
		o.ConnectTimeout, o.AnswerTimeout = 100*time.Millisecond, 500*time.Millisecond
	})
	out := do(t, client, request(a2a.OpGet), a2a.Hooks{})
	if out.End.Reason != a2a.TimedOut || !strings.Contains(out.End.Sentence, "did not answer within 500ms") {
		t.Errorf("got %+v, want a timeout", out.End)
	}
}

// On another machine TLS is not tried where the user wrote grpc://: a server that speaks TLS is
// named as such.
func TestTLSWhereNoneWasAskedFor(t *testing.T) {
	t.Parallel()
	pair := certtest.New(t)
	secure := grpctest.Start(t, answerTask, grpc.Creds(credentials.NewServerTLSFromCert(&pair.TLS)))
	client, _ := newClient(t, "grpc://agent.example:50051", a2a.V10, func(o *a2a.Options) {
		o.Dial = func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, secure.Address)
		}
	})
	out := do(t, client, request(a2a.OpGet), a2a.Hooks{})
	if out.End.Reason != a2a.Refused || !strings.Contains(out.End.Sentence, "write grpcs:// instead of grpc://") {
		t.Errorf("got %+v, want the advice to use TLS", out.End)
	}
}
