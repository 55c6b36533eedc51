// Package grpctest serves scripted answers over gRPC on real sockets, byte for byte.
package grpctest

import (
	"net"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	a2agrpc "parley/a2a/grpc"
)

// A Call is a call that a script answers.
type Call struct {
	Path     string
	Metadata metadata.MD
	Request  []byte
	Stream   grpc.ServerStream
	format   *a2agrpc.Format
}

// Send sends bytes as a message.
func (c *Call) Send(b []byte) error { return c.Stream.SendMsg(&b) }

// Answer sends the message that JSON describes, in the type of the method's answers.
func (c *Call) Answer(text string) error {
	b, err := c.format.Rebuild(c.format.Answers(c.Path), []byte(text))
	if err != nil {
		return err
	}
	return c.Send(b.Bytes)
}

// A Server answers every call by its script.
type Server struct {
	Address string // host and port on the loopback interface
	Server  *grpc.Server
}

// Start starts a server that ends with the test.
func Start(t testing.TB, script func(*Call) error, options ...grpc.ServerOption) *Server {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return Serve(t, listener, script, options...)
}

// Serve is Start on a listener.
func Serve(t testing.TB, listener net.Listener, script func(*Call) error, options ...grpc.ServerOption) *Server {
	format := a2agrpc.NewFormat()
	options = append(options, grpc.ForceServerCodecV2(a2agrpc.Codec{}), grpc.UnknownServiceHandler(func(_ any, stream grpc.ServerStream) error {
		path, _ := grpc.MethodFromServerStream(stream)
		c := &Call{Path: path, Stream: stream, format: format}
		c.Metadata, _ = metadata.FromIncomingContext(stream.Context())
		if err := stream.RecvMsg(&c.Request); err != nil {
			return err
		}
		return script(c)
	}))
	s := &Server{Address: listener.Addr().String(), Server: grpc.NewServer(options...)}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = s.Server.Serve(listener) // ends with Stop
	}()
	t.Cleanup(func() {
		s.Server.Stop()
		<-done
	})
	return s
}
