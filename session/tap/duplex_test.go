package tap

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/reflection"
	reflections "google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"parley/a2a"
	a2agrpc "parley/a2a/grpc"
	"parley/internal/certtest"
	"parley/session/log"
	"parley/session/tap/relay"
)

// A servant is an agent of gRPC by the official library, with reflection, behind a tap. What is no
// reflection is served by a function.
type servant struct {
	*session
	tap  *Tap
	conn *grpc.ClientConn
	url  string
}

func serveGRPC(t *testing.T, secure bool, serve func(path string, s grpc.ServerStream) error) *servant {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	pair := certtest.New(t)
	o := []grpc.ServerOption{grpc.UnknownServiceHandler(func(_ any, s grpc.ServerStream) error {
		path, _ := grpc.MethodFromServerStream(s)
		return serve(path, s)
	})}
	target := &url.URL{Scheme: "http", Host: l.Addr().String()}
	ro := relay.Options{Target: target}
	trust := insecure.NewCredentials()
	if secure {
		own := &tls.Config{Certificates: []tls.Certificate{pair.TLS}}
		target.Scheme, ro.TLS = "https", own.Clone()
		ro.TargetTLS = func(string) *tls.Config { return &tls.Config{RootCAs: pair.Roots()} }
		o = append(o, grpc.Creds(credentials.NewTLS(own)))
		trust = credentials.NewTLS(&tls.Config{RootCAs: pair.Roots()})
	}
	server := grpc.NewServer(o...)
	reflection.Register(server)
	t.Cleanup(server.Stop)
	go server.Serve(l)
	d := &servant{session: newSession(t)}
	d.tap = New(Options{Target: target, Recorder: d.rec, Secrets: &a2a.Secrets{}, Format: a2agrpc.NewFormat()})
	ro.Observer = d.tap
	r, err := relay.Start(t.Context(), ro)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	d.tap.At(r.URL())
	d.url = r.URL()
	if d.conn, err = grpc.NewClient("passthrough:///"+r.Addr().String(), grpc.WithTransportCredentials(trust), grpc.WithDisableRetry()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.conn.Close() })
	return d
}

// open begins a call both of whose sides stay open.
func (d *servant) open(path string, md ...string) grpc.ClientStream {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(d.t.Context(), time.Minute) // only a failure takes so long
	d.t.Cleanup(cancel)
	s, err := d.conn.NewStream(metadata.AppendToOutgoingContext(ctx, md...), &grpc.StreamDesc{ServerStreams: true, ClientStreams: true}, path)
	if err != nil {
		d.t.Fatal(err)
	}
	return s
}

func over(t *testing.T, with func(t *testing.T, secure bool)) {
	for name, secure := range map[string]bool{"h2c": false, "TLS": true} {
		t.Run(name, func(t *testing.T) { with(t, secure) })
	}
}

func TestReflectionPassesATap(t *testing.T) {
	t.Parallel()
	over(t, func(t *testing.T, secure bool) {
		d := serveGRPC(t, secure, nil)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // only a failure takes so long
		defer cancel()
		ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer bearer-of-the-client")
		s, err := reflections.NewServerReflectionClient(d.conn).ServerReflectionInfo(ctx)
		if err != nil {
			t.Fatal(err)
		}
		ask := func(r *reflections.ServerReflectionRequest) *reflections.ServerReflectionResponse {
			t.Helper()
			if err := s.Send(r); err != nil {
				t.Fatal(err)
			}
			answer, err := s.Recv()
			if err != nil {
				t.Fatal(err)
			}
			return answer
		}
		list := ask(&reflections.ServerReflectionRequest{MessageRequest: &reflections.ServerReflectionRequest_ListServices{}})
		for _, service := range list.GetListServicesResponse().GetService() {
			file := ask(&reflections.ServerReflectionRequest{MessageRequest: &reflections.ServerReflectionRequest_FileContainingSymbol{FileContainingSymbol: service.Name}})
			if len(file.GetFileDescriptorResponse().GetFileDescriptorProto()) == 0 {
				t.Errorf("got %v about %s, want its file", file, service.Name)
			}
		}
		_ = s.CloseSend()
		if _, err := s.Recv(); !errors.Is(err, io.EOF) {
			t.Errorf("got %v, want the end", err)
		}
		d.ends(1)
		d.waitNote(log.NoteTap, "2 more messages")
		requests, answers := d.records(a2a.KindRequest), d.records(a2a.KindBody)
		if len(requests) != 1 || len(answers) != 3 || requests[0].Record.Call.Op != "" || requests[0].Record.Binary == nil || !strings.HasSuffix(requests[0].Record.Head.URL, "ServerReflectionInfo") {
			t.Errorf("got %s, want the request with its first message, and every answer", d.describe())
		}
		if strings.Contains(d.everything(), "bearer-of-the-client") {
			t.Errorf("got the token in %s", d.everything())
		}
	})
}

// Both sides of a call of any service talk, also while a fault of the tap waits for another operation.
func TestACallBothOfWhoseSidesTalkPassesATap(t *testing.T) {
	t.Parallel()
	over(t, func(t *testing.T, secure bool) {
		d := serveGRPC(t, secure, func(_ string, s grpc.ServerStream) error {
			for {
				var text wrapperspb.StringValue
				if err := s.RecvMsg(&text); errors.Is(err, io.EOF) {
					return nil
				} else if err != nil {
					return err
				}
				text.Value += "!"
				if err := s.SendMsg(&text); err != nil {
					return err
				}
			}
		})
		for _, fault := range []FaultKind{"", FaultUnavailable} {
			if fault != "" {
				d.tap.Faults().On(Fault{Kind: fault, Op: a2a.OpSend})
			}
			s := d.open("/x.Y/Both")
			for i := range 100 {
				text := wrapperspb.String(fmt.Sprint("message ", i))
				if err := s.SendMsg(text); err != nil {
					t.Fatal(err)
				}
				var answer wrapperspb.StringValue
				if err := s.RecvMsg(&answer); err != nil || answer.Value != text.Value+"!" {
					t.Fatalf("got %q, %v", answer.Value, err)
				}
			}
			_ = s.CloseSend()
			if err := s.RecvMsg(&wrapperspb.StringValue{}); !errors.Is(err, io.EOF) {
				t.Errorf("got %v, want the end", err)
			}
		}
		d.ends(2)
		if answers := d.records(a2a.KindBody); len(answers) != 200 {
			t.Errorf("got %d answers, want all of them", len(answers))
		}
	})
}

func TestAnUploadPassesATapMessageByMessage(t *testing.T) {
	t.Parallel()
	over(t, func(t *testing.T, secure bool) {
		got := make(chan string)
		d := serveGRPC(t, secure, func(_ string, s grpc.ServerStream) error {
			for {
				var text wrapperspb.StringValue
				if err := s.RecvMsg(&text); err != nil {
					return s.SendMsg(wrapperspb.String("thanks"))
				}
				got <- text.Value
			}
		})
		s := d.open("/x.Y/Up")
		for i := range 20 {
			text := fmt.Sprint(i, strings.Repeat("x", 10_000))
			if err := s.SendMsg(wrapperspb.String(text)); err != nil {
				t.Fatal(err)
			}
			select { // before the next one is sent
			case at := <-got:
				if at != text {
					t.Fatalf("got %.20q at the agent, want %.20q", at, text)
				}
			case <-s.Context().Done():
				t.Fatalf("message %d did not reach the agent", i)
			}
		}
		_ = s.CloseSend()
		var answer wrapperspb.StringValue
		if err := s.RecvMsg(&answer); err != nil || answer.Value != "thanks" {
			t.Errorf("got %q, %v", answer.Value, err)
		}
		if err := s.RecvMsg(&answer); !errors.Is(err, io.EOF) {
			t.Errorf("got %v, want the end", err)
		}
		d.ends(1)
		d.waitNote(log.NoteTap, "19 more messages")
	})
}

// A call that registers a webhook waits for its one message, and no longer.
func TestAWebhookOfACallIsChangedBeforeItsEnd(t *testing.T) {
	t.Parallel()
	format := a2agrpc.NewFormat()
	over(t, func(t *testing.T, secure bool) {
		got := make(chan string, 1)
		d := serveGRPC(t, secure, func(path string, s grpc.ServerStream) error {
			var raw rawMessage
			if err := s.RecvMsg(&raw); err != nil {
				return err
			}
			text, _ := format.Render(&a2a.Binary{Kind: "lf.a2a.v1.SendMessageRequest", Bytes: raw.bytes})
			got <- string(text)
			answer, err := format.Rebuild("lf.a2a.v1.StreamResponse", []byte(`{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"}}}`))
			if err != nil {
				return err
			}
			return s.SendMsg(&rawMessage{answer.Bytes})
		})
		request, err := format.Rebuild("lf.a2a.v1.SendMessageRequest", []byte(message("go", ``)[:len(message("go", ``))-1]+`,"configuration":{"taskPushNotificationConfig":{"url":"http://127.0.0.1:9/hook"}}}`))
		if err != nil {
			t.Fatal(err)
		}
		s := d.open("/lf.a2a.v1.A2AService/SendStreamingMessage")
		if err := s.SendMsg(&rawMessage{request.Bytes}); err != nil { // and the side of the client stays open
			t.Fatal(err)
		}
		var answer rawMessage
		if err := s.RecvMsg(&answer); err != nil {
			t.Fatal(err)
		}
		if text := <-got; !strings.Contains(text, d.url+webhookPath) {
			t.Errorf("got %s at the agent, want a webhook of the tap", text)
		}
		d.ends(1)
		d.waitNote(log.NoteTap, "was given a webhook of the tap")
		if r := &d.records(a2a.KindRequest)[0].Record; r.Call.Op != a2a.OpStream || !strings.Contains(string(r.Raw), "http://127.0.0.1:9/hook") || len(r.Call.Tapped.Changed) != 1 {
			t.Errorf("got %s of %+v, want the request as the client sent it", r.Raw, r.Call)
		}
	})
}

// A rawMessage is a message of any type, as its bytes.
type rawMessage struct{ bytes []byte }

func (m *rawMessage) Reset()         { m.bytes = nil }
func (m *rawMessage) String() string { return string(m.bytes) }
func (*rawMessage) ProtoMessage()    {}

func (m *rawMessage) Marshal() ([]byte, error) { return m.bytes, nil }
func (m *rawMessage) Unmarshal(b []byte) error { m.bytes = append([]byte(nil), b...); return nil }

// Over HTTP/1.1 an exchange may go on in both directions, and a webhook in the first request of the body
// is changed all the same.
func TestChunksThatDependOnTheAnswerPassATap(t *testing.T) {
	t.Parallel()
	for _, media := range []string{"application/json", "text/plain", "application/octet-stream", ""} {
		s := newSession(t)
		base, _, _ := tapped(t, s, func(w http.ResponseWriter, r *http.Request) {
			if err := http.NewResponseController(w).EnableFullDuplex(); err != nil {
				t.Error(err)
			}
			br := bufio.NewReader(r.Body)
			for {
				text, err := br.ReadString('\n')
				_, _ = io.WriteString(w, text)
				w.(http.Flusher).Flush()
				if err != nil {
					return
				}
			}
		})
		conn, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.SetDeadline(time.Now().Add(time.Minute)) // only a failure takes so long
		head := "POST /a2a HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
		if media != "" {
			head += "Content-Type: " + media + "\r\n"
		}
		_, _ = io.WriteString(conn, head+"\r\n")
		var answer *bufio.Reader
		for i, text := range []string{
			rpc("1", "SendMessage", `{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"go"}]},"configuration":{"taskPushNotificationConfig":{"url":"http://127.0.0.1:9/hook"}}}`) + "\n",
			`{"more":"of it"` + "\n", "}\n", "no JSON\n",
		} {
			_, _ = fmt.Fprintf(conn, "%x\r\n%s\r\n", len(text), text)
			if answer == nil {
				resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
				if err != nil {
					t.Fatalf("%s: %v", media, err)
				}
				answer = bufio.NewReader(resp.Body)
			}
			got, err := answer.ReadString('\n')
			if i == 0 && media != "application/octet-stream" {
				if !strings.Contains(got, base+webhookPath) {
					t.Errorf("%s: got %q at the agent, want a webhook of the tap", media, got)
				}
			} else if got != text || err != nil {
				t.Errorf("%s: got %q, %v; want %q", media, got, err, text)
			}
		}
		_, _ = io.WriteString(conn, "0\r\n\r\n")
		if rest, err := io.ReadAll(answer); err != nil || len(rest) > 0 {
			t.Errorf("%s: got %q, %v, want the end", media, rest, err)
		}
		conn.Close()
		s.ends(1)
		if media != "application/octet-stream" {
			s.waitNote(log.NoteTap, "was given a webhook of the tap")
		} else {
			s.waitNote(log.NoteTap, "stays as it is")
		}
		s.waitNote(log.NoteTap, "of it passed after that")
	}
}
