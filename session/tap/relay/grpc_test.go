package relay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// plainCodec sends strings as they are.
type plainCodec struct{}

func (plainCodec) Name() string { return "plain" }

func (plainCodec) Marshal(v any) (mem.BufferSlice, error) {
	return mem.BufferSlice{mem.SliceBuffer(*v.(*string))}, nil
}

func (plainCodec) Unmarshal(b mem.BufferSlice, v any) error {
	*v.(*string) = string(b.Materialize())
	return nil
}

var _ encoding.CodecV2 = plainCodec{}

// startGRPC begins an agent of gRPC, by the official library.
func startGRPC(t testing.TB, serve func(grpc.ServerStream) error) (address string, server *grpc.Server) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server = grpc.NewServer(grpc.ForceServerCodecV2(plainCodec{}), grpc.UnknownServiceHandler(func(_ any, s grpc.ServerStream) error { return serve(s) }))
	t.Cleanup(server.Stop)
	go server.Serve(l)
	return l.Addr().String(), server
}

func dialGRPC(t testing.TB, address string) *grpc.ClientConn {
	t.Helper()
	conn, err := grpc.NewClient("passthrough:///"+address, grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithDefaultCallOptions(grpc.ForceCodecV2(plainCodec{})), grpc.WithDisableRetry())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// echo answers each message, and ends with a status that the client's metadata names.
func echo(s grpc.ServerStream) error {
	in, _ := metadata.FromIncomingContext(s.Context())
	if len(in.Get("x-fail")) > 0 { // at once, so that the head is the whole answer
		return status.Error(codes.NotFound, "no such thing")
	}
	s.SetHeader(metadata.Pairs("x-head", "1", "x-head", "2"))
	s.SetTrailer(metadata.Pairs("x-tail-bin", "\x00\xff"))
	for {
		var text string
		if err := s.RecvMsg(&text); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
		text += "!"
		if err := s.SendMsg(&text); err != nil {
			return err
		}
	}
	if want := in.Get("x-want"); len(want) > 0 {
		return status.Error(codes.NotFound, "nö %")
	}
	return nil
}

func TestTheOfficialLibraryOfGRPCOnBothSides(t *testing.T) {
	t.Parallel()
	address, _ := startGRPC(t, echo)
	n := newNotebook(nil)
	r := startRelay(t, address, Options{Observer: n})
	conn := dialGRPC(t, r.Addr().String())
	var head, tail metadata.MD
	question, answer := "unary", ""
	if err := conn.Invoke(t.Context(), "/x.Y/Unary", &question, &answer, grpc.Header(&head), grpc.Trailer(&tail)); err != nil || answer != "unary!" {
		t.Fatalf("got %q, %v", answer, err)
	}
	if fmt.Sprint(head.Get("x-head")) != "[1 2]" || fmt.Sprint(tail.Get("x-tail-bin")) != "[\x00\xff]" {
		t.Errorf("got %v, %v", head, tail)
	}
	ctx := metadata.AppendToOutgoingContext(t.Context(), "x-want", "something else")
	err := conn.Invoke(ctx, "/x.Y/Unary", &question, &answer)
	if st := status.Convert(err); st.Code() != codes.NotFound || st.Message() != "nö %" {
		t.Fatalf("got %v", err)
	}
	err = conn.Invoke(metadata.AppendToOutgoingContext(t.Context(), "x-fail", "1"), "/x.Y/Unary", &question, &answer)
	if st := status.Convert(err); st.Code() != codes.NotFound || st.Message() != "no such thing" {
		t.Errorf("got %v", err)
	}
	s, err := conn.NewStream(t.Context(), &grpc.StreamDesc{ServerStreams: true, ClientStreams: true}, "/x.Y/Both")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 200 {
		text := fmt.Sprint("message ", i)
		if err := s.SendMsg(&text); err != nil {
			t.Fatal(err)
		}
		if err := s.RecvMsg(&answer); err != nil || answer != text+"!" {
			t.Fatalf("got %q, %v", answer, err)
		}
	}
	s.CloseSend()
	if err := s.RecvMsg(&answer); !errors.Is(err, io.EOF) {
		t.Errorf("got %v, want the end", err)
	}
	for i, p := range n.ended(4) {
		early := p.request.Header.Get("X-Fail") != "" // the agent answers before it has the request
		if p.end.Cause != Complete || !p.whole && !early || p.sents != 1 || p.wrong > 0 || p.client.Connection != 1 {
			t.Errorf("call %d: got %+v", i, p)
		}
	}
}

func TestEndsOfGRPC(t *testing.T) {
	t.Parallel()
	begun, left := make(chan bool, 1), make(chan bool, 1)
	address, server := startGRPC(t, func(s grpc.ServerStream) error {
		text := "first"
		s.SendMsg(&text)
		begun <- true
		<-s.Context().Done()
		left <- true
		return s.Context().Err()
	})
	n := newNotebook(nil)
	r := startRelay(t, address, Options{Observer: n})
	conn := dialGRPC(t, r.Addr().String())
	open := func(ctx context.Context) grpc.ClientStream {
		t.Helper()
		s, err := conn.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true, ClientStreams: true}, "/x.Y/Both")
		if err != nil {
			t.Fatal(err)
		}
		var text string
		if err := s.RecvMsg(&text); err != nil || text != "first" {
			t.Fatalf("got %q, %v", text, err)
		}
		<-begun
		return s
	}
	ctx, cancel := context.WithCancel(t.Context())
	open(ctx)
	cancel()
	<-left
	if p := n.ended(1)[0]; p.end.Cause != ClientBroke {
		t.Errorf("got %+v, want that the client left", p.end)
	}
	s := open(t.Context())
	server.Stop() // the agent dies
	var text string
	if err := s.RecvMsg(&text); status.Code(err) != codes.Unavailable {
		t.Errorf("got %v, want UNAVAILABLE as without the tap", err)
	}
	if p := n.ended(2)[1]; p.end.Cause != AgentBroke {
		t.Errorf("got %+v, want that the agent broke", p.end)
	}
	question := "x"
	if err := conn.Invoke(t.Context(), "/x.Y/Unary", &question, &text, grpc.WaitForReady(true)); status.Code(err) != codes.Unavailable || !contains(err.Error(), "cannot reach the agent") {
		t.Errorf("got %v", err)
	}
}

func TestAFaultOfGRPCByTheOfficialLibrary(t *testing.T) {
	t.Parallel()
	address, _ := startGRPC(t, func(s grpc.ServerStream) error {
		for i := range 5 {
			text := fmt.Sprint("message ", i)
			s.SendMsg(&text)
		}
		return nil
	})
	r := startRelay(t, address, Options{Observer: newNotebook(func(Head) Plan { return Plan{Fault: Fault{CutAfter: 3}} })})
	s, err := dialGRPC(t, r.Addr().String()).NewStream(t.Context(), &grpc.StreamDesc{ServerStreams: true}, "/x.Y/Down")
	if err != nil {
		t.Fatal(err)
	}
	s.CloseSend()
	got := 0
	for {
		var text string
		if err = s.RecvMsg(&text); err != nil {
			break
		}
		got++
	}
	if got != 3 || status.Code(err) != codes.Unavailable {
		t.Errorf("got %d messages, %v; want 3 and UNAVAILABLE", got, err)
	}
}
