package grpc_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
	"google.golang.org/grpc/metadata"

	"parley/a2a"
	"parley/a2a/grpc/grpctest"
)

// serve accepts connections on a port of its own and lets do speak on each.
func serve(t *testing.T, do func(net.Conn)) (address string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				do(conn)
			}()
		}
	}()
	return listener.Addr().String()
}

// An answerer speaks HTTP/2 frame by frame.
type answerer struct {
	*http2.Framer
	head bytes.Buffer
	pack *hpack.Encoder
	conn net.Conn
}

// hangUp closes the connection.
func (a *answerer) hangUp() { a.conn.Close() }

// headers sends a head, as a trailer if it ends the stream.
func (a *answerer) headers(end bool, fields ...string) {
	a.head.Reset()
	for i := 0; i < len(fields); i += 2 {
		_ = a.pack.WriteField(hpack.HeaderField{Name: fields[i], Value: fields[i+1]})
	}
	rest := bytes.Clone(a.head.Bytes())
	const most = 16 << 10
	first := rest[:min(len(rest), most)]
	rest = rest[len(first):]
	_ = a.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: first, EndStream: end, EndHeaders: len(rest) == 0})
	for len(rest) > 0 {
		part := rest[:min(len(rest), most)]
		rest = rest[len(part):]
		_ = a.WriteContinuation(1, len(rest) == 0, part)
	}
}

// message sends a message with the length that its prefix claims.
func (a *answerer) message(compressed byte, claimed int, content []byte) {
	prefix := append([]byte{compressed}, binary.BigEndian.AppendUint32(nil, uint32(claimed))...)
	all := append(prefix, content...)
	for len(all) > 0 {
		part := all[:min(len(all), 16<<10)]
		all = all[len(part):]
		_ = a.WriteData(1, false, part)
	}
}

// http2Server answers the first request of each connection by a script.
func http2Server(t *testing.T, script func(*answerer)) (address string) {
	return serve(t, func(conn net.Conn) {
		if _, err := io.ReadFull(conn, make([]byte, len(http2.ClientPreface))); err != nil {
			return
		}
		a := &answerer{Framer: http2.NewFramer(conn, conn), conn: conn}
		a.pack = hpack.NewEncoder(&a.head)
		if a.WriteSettings() != nil {
			return
		}
		asked := false
		for {
			frame, err := a.ReadFrame()
			if err != nil {
				return
			}
			switch f := frame.(type) {
			case *http2.SettingsFrame:
				if !f.IsAck() {
					_ = a.WriteSettingsAck()
				}
			case *http2.DataFrame:
				if !asked && f.StreamEnded() {
					asked = true
					script(a)
				}
			case *http2.PingFrame:
				if !f.IsAck() {
					_ = a.WritePing(true, f.Data)
				}
			}
		}
	})
}

const (
	grpcHead = "application/grpc"
	okHead   = "200"
)

func (a *answerer) begin() { a.headers(false, ":status", okHead, "content-type", grpcHead) }

// Every bad answer has one sentence, and none holds the client.
func TestBadAnswersHaveOneSentence(t *testing.T) {
	t.Parallel()
	var bomb bytes.Buffer
	zip := gzip.NewWriter(&bomb)
	for range 64 {
		_, _ = zip.Write(make([]byte, 1<<20))
	}
	zip.Close()
	page := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(page.Close)
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(secure.Close)
	for _, c := range []struct {
		name, endpoint string
		reason         a2a.EndReason
		says           string
	}{
		{"nothing listens", "grpc://127.0.0.1:1", a2a.Refused, "refused the connection: nothing listens there"},
		{"HTTP/1.1", "grpc://" + page.Listener.Addr().String(), a2a.Refused, "speaks HTTP/1.1 on this port and not gRPC"},
		{"TLS without HTTP/2", "grpcs://" + secure.Listener.Addr().String(), a2a.Refused, "speaks TLS but not HTTP/2 on this port"},
		{"plain server asked with TLS", "grpcs://" + page.Listener.Addr().String(), a2a.Refused, "does not speak TLS"},
		{"silence", "grpc://" + serve(t, func(net.Conn) {}), a2a.Cut, ", or something on the way to it, closed the connection without an answer."},
		{"noise", "grpc://" + serve(t, func(c net.Conn) {
			_, _ = c.Write(bytes.Repeat([]byte("noise "), 40))
			_, _ = io.Copy(io.Discard, c)
		}), a2a.Refused, "something that is not gRPC"},
		{"a page over HTTP/2", "grpc://" + http2Server(t, func(a *answerer) {
			a.headers(true, ":status", "404", "content-type", "text/html")
		}), a2a.Cut, "answered over HTTP/2 but not with gRPC"},
		{"half a message", "grpc://" + http2Server(t, func(a *answerer) {
			a.begin()
			a.message(0, 100, []byte("half"))
			a.headers(true, "grpc-status", "0")
		}), a2a.Cut, "ended its answer inside a message"},
		{"a message that is too long", "grpc://" + http2Server(t, func(a *answerer) {
			a.begin()
			a.message(0, 1<<31-1, []byte("much"))
		}), a2a.Cut, "--max-answer raises the limit"},
		{"a compression bomb", "grpc://" + http2Server(t, func(a *answerer) {
			a.headers(false, ":status", okHead, "content-type", grpcHead, "grpc-encoding", "gzip")
			a.message(1, bomb.Len(), bomb.Bytes())
			a.headers(true, "grpc-status", "0")
		}), a2a.Cut, "--max-answer raises the limit"},
		{"an unknown compression", "grpc://" + http2Server(t, func(a *answerer) {
			a.headers(false, ":status", okHead, "content-type", grpcHead, "grpc-encoding", "own")
			a.message(1, 4, []byte("what"))
			a.headers(true, "grpc-status", "0")
		}), a2a.Cut, "compression Parley cannot read"},
		{"metadata of 5 MB", "grpc://" + http2Server(t, func(a *answerer) {
			a.headers(false, ":status", okHead, "content-type", grpcHead, "x-large", strings.Repeat("x", 5<<20))
		}), a2a.Cut, "metadata that are too long"},
		{"a reset", "grpc://" + http2Server(t, func(a *answerer) {
			a.begin()
			_ = a.WriteRSTStream(1, http2.ErrCodeInternal)
		}), a2a.Cut, "reset the call"},
		{"a GOAWAY", "grpc://" + http2Server(t, func(a *answerer) {
			_ = a.WriteGoAway(0, http2.ErrCodeEnhanceYourCalm, []byte("too much"))
		}), a2a.Cut, "closed the connection"},
		{"a message that is none", "grpc://" + http2Server(t, func(a *answerer) {
			a.begin()
			a.message(0, 2, []byte{0xff, 0xff})
			a.headers(true, "grpc-status", "0")
		}), a2a.Ended, ""},
		{"no message", "grpc://" + http2Server(t, func(a *answerer) {
			a.begin()
			a.headers(true, "grpc-status", "0")
		}), a2a.Ended, "empty body"},
		{"another service", "grpc://" + http2Server(t, func(a *answerer) {
			a.headers(true, ":status", okHead, "content-type", grpcHead, "grpc-status", "12", "grpc-message", "unknown service lf.a2a.v1.A2AService")
		}), a2a.Ended, ""},
		{"a status that is no number", "grpc://" + http2Server(t, func(a *answerer) {
			a.headers(true, ":status", okHead, "content-type", grpcHead, "grpc-status", "fine")
		}), a2a.Cut, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			client, tape := newClient(t, c.endpoint, a2a.V10, func(o *a2a.Options) { o.Servers.Insecure = true })
			began := time.Now()
			out := do(t, client, request(a2a.OpGet), a2a.Hooks{})
			if out.Err == nil || out.End.Reason != c.reason || !strings.Contains(out.End.Sentence, c.says) {
				t.Fatalf("got %+v (%v), want %s with %q", out.End, out.Err, c.reason, c.says)
			}
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("got the end after %s", took)
			}
			if got := tape.kinds(); !strings.HasPrefix(got, "request") || !strings.HasSuffix(got, "end") {
				t.Errorf("got records %s", got)
			}
			t.Log(out.End.Sentence, out.Err)
		})
	}
}

func TestMetadataOfAMegabyteAreRead(t *testing.T) {
	t.Parallel()
	large := strings.Repeat("x", 1<<20)
	server := grpctest.Start(t, func(c *grpctest.Call) error {
		if err := c.Stream.SetHeader(metadata.Pairs("x-large", large)); err != nil {
			return err
		}
		return c.Answer(`{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_WORKING"}}`)
	})
	client, tape := newClient(t, "grpc://"+server.Address, a2a.V10)
	if out := do(t, client, request(a2a.OpGet), a2a.Hooks{}); out.Err != nil {
		t.Fatalf("got %v", out.Err)
	}
	if got := tape.of(a2a.KindHead)[0].Head.Header.Get("X-Large"); got != large {
		t.Errorf("got %d bytes of metadata, want %d", len(got), len(large))
	}
}

func TestABrokenMessageInAStreamEndsNothing(t *testing.T) {
	t.Parallel()
	server := grpctest.Start(t, func(c *grpctest.Call) error {
		if err := c.Answer(working); err != nil {
			return err
		}
		if err := c.Send([]byte{0x0a, 0x7f, 0x0a, 2, 't', '1'}); err != nil {
			return err
		}
		return c.Answer(`{"statusUpdate":{"taskId":"t1","contextId":"c1","status":{"state":"TASK_STATE_COMPLETED"}}}`)
	})
	client, tape := newClient(t, "grpc://"+server.Address, a2a.V10)
	out := do(t, client, request(a2a.OpStream), a2a.Hooks{})
	if out.State != a2a.StateCompleted || out.End.Reason != a2a.Ended {
		t.Fatalf("got %+v (%v)", out, out.Err)
	}
	bad := tape.of(a2a.KindEvent)[1]
	if string(bad.Raw) != `{"task":{"id":"t1"}}` || len(bad.Binary.Bytes) != 6 {
		t.Errorf("got %s with %x", bad.Raw, bad.Binary.Bytes)
	}
	if u := tape.updates[3]; u.Err == nil || !strings.Contains(u.Err.Sentence, "bytes are missing") {
		t.Errorf("got update %+v, want an error", u)
	}
}
