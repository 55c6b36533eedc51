package grpc

import (
	"context"
	"encoding/base64"
	"net"
	"net/http"
	"strings"
	"time"

	"google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	grpcstatus "google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"parley/a2a"
	"parley/internal/crash"
)

// Serve answers the calls of any service at a listener, byte for byte. A request may have limit
// bytes. It returns at once; stop ends every call and returns when nothing runs any more.
func Serve(l net.Listener, limit int, answer func(a2a.IncomingCall) a2a.FlowEnd) (stop func()) {
	kept := &keptConnections{Listener: l, open: map[string]*keptConnection{}}
	format := NewFormat()
	server := grpc.NewServer(
		grpc.ForceServerCodecV2(Codec{}), grpc.MaxRecvMsgSize(limit), grpc.MaxConcurrentStreams(maxServedCalls), grpc.ConnectionTimeout(greetingTimeout),
		grpc.UnknownServiceHandler(func(_ any, stream grpc.ServerStream) error {
			c := &incomingCall{stream: stream, conn: kept.of(stream.Context())}
			c.path, _ = grpc.MethodFromServerStream(stream)
			if err := stream.RecvMsg(&c.message.Bytes); err != nil {
				return err
			}
			if m, ok := format.schema().methods[c.path]; ok {
				c.message.Kind = m.takes.name
			}
			return c.end(answer(c))
		}))
	done := make(chan struct{})
	go func() {
		defer crash.Guard()
		defer close(done)
		_ = server.Serve(kept) // ends with Stop
	}()
	return func() {
		server.Stop()
		<-done
	}
}

// The limits for clients of a server.
const (
	maxServedCalls  = 100 // open on one connection
	greetingTimeout = 10 * time.Second
)

// An incomingCall is a call that a server answers.
type incomingCall struct {
	stream  grpc.ServerStream
	path    string
	message a2a.Binary
	conn    *keptConnection // nil if it has gone
}

var _ a2a.IncomingCall = (*incomingCall)(nil)

func (c *incomingCall) Context() context.Context { return c.stream.Context() }

func (c *incomingCall) Path() string { return c.path }

func (c *incomingCall) Message() a2a.Binary { return c.message }

func (c *incomingCall) Head(h http.Header) error { return c.stream.SendHeader(served(h)) }

func (c *incomingCall) Send(b []byte) error {
	if c.conn != nil {
		c.conn.due.Add(messageHead + int64(len(b)))
	}
	return c.stream.SendMsg(&b)
}

// Sever closes the connection of the call, with all other calls on it, when its messages are on the
// wire.
func (c *incomingCall) Sever(reset bool) {
	if c.conn == nil {
		return
	}
	for range severTries {
		if c.conn.sent.bytes() >= c.conn.due.Load() {
			break
		}
		time.Sleep(time.Millisecond) // gRPC writes in the background, and does not say when
	}
	if reset {
		c.conn.reset()
	} else {
		c.conn.finish()
	}
	<-c.stream.Context().Done() // so that no status is sent before
}

// severTries limits how many milliseconds a client may take for the last message, and then for
// closing its side.
const severTries = 1000

// end returns the status of a call.
func (c *incomingCall) end(e a2a.FlowEnd) error {
	c.stream.SetTrailer(served(e.Trailer))
	if e.Failure == nil {
		return nil
	}
	var described status.Status
	if proto.Unmarshal(e.Failure.Bytes, &described) != nil || described.Code == 0 {
		return grpcstatus.Error(codes.Unknown, "the recorded error cannot be read")
	}
	return grpcstatus.FromProto(&described).Err()
}

// served returns recorded metadata for gRPC.
func served(h http.Header) metadata.MD {
	md := metadata.MD{}
	for name, values := range h {
		name = strings.ToLower(name)
		for _, value := range values {
			if strings.HasSuffix(name, "-bin") { // it encodes them again
				if b, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(value, "=")); err == nil {
					value = string(b)
				}
			}
			md.Append(name, value)
		}
	}
	return md
}
