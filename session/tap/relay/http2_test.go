package relay

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"parley/internal/certtest"
)

// startHTTP2 begins an agent of HTTP/2 without TLS, or with it.
func startHTTP2(t testing.TB, secure *tls.Config, serve http.HandlerFunc) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	protocols.SetHTTP2(true)
	protocols.SetHTTP1(secure != nil)
	server := &http.Server{Handler: serve, Protocols: protocols, TLSConfig: secure, ErrorLog: log.New(io.Discard, "", 0)}
	t.Cleanup(func() { server.Close() })
	if secure != nil {
		go server.ServeTLS(l, "", "")
	} else {
		go server.Serve(l)
	}
	return l.Addr().String()
}

// clientOf returns a client that speaks HTTP/2 only.
func clientOf(t testing.TB, roots *tls.Config) *http.Transport {
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	protocols.SetHTTP2(true)
	tr := &http.Transport{Protocols: protocols, TLSClientConfig: roots, DisableCompression: true}
	t.Cleanup(tr.CloseIdleConnections)
	return tr
}

func TestStreamsOfHTTP2PassBothWays(t *testing.T) {
	t.Parallel()
	agent := startHTTP2(t, nil, func(w http.ResponseWriter, r *http.Request) {
		if r.Host != r.Context().Value(http.LocalAddrContextKey).(net.Addr).String() || r.Header.Get("Te") != "trailers" || r.Header.Get("User-Agent") != "" || r.RequestURI != "/a%2fb?x" {
			t.Errorf("got %s %s %v", r.Host, r.RequestURI, r.Header)
		}
		w.Header()["X-Two"] = []string{"1", "2"}
		w.Header()["Date"] = nil
		w.Header().Set("Content-Type", "application/grpc")
		w.Header().Set("Trailer", "Grpc-Status")
		buf := make([]byte, 100)
		for {
			n, err := r.Body.Read(buf)
			w.Write(bytes.ToUpper(buf[:n]))
			w.(http.Flusher).Flush()
			if err != nil {
				break
			}
		}
		w.Header().Set("Grpc-Status", "0")
		w.Header().Set(http.TrailerPrefix+"Undeclared", r.Trailer.Get("X-Last"))
	})
	n := newNotebook(nil)
	r := startRelay(t, agent, Options{Observer: n})
	read, write := io.Pipe()
	req, _ := http.NewRequest("POST", r.URL()+"/a%2fb?x", read)
	req.Header = http.Header{"User-Agent": {""}, "Te": {"trailers"}, "Content-Type": {"application/grpc"}}
	req.Trailer = http.Header{"X-Last": nil}
	go write.Write([]byte("first"))
	resp, err := clientOf(t, nil).RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	expect := func(want string) {
		t.Helper()
		b := make([]byte, len(want))
		if _, err := io.ReadFull(resp.Body, b); err != nil || string(b) != want {
			t.Fatalf("got %q, %v; want %q", b, err, want)
		}
	}
	expect("FIRST")
	write.Write([]byte("second")) // while the response is open
	expect("SECOND")
	req.Trailer.Set("X-Last", "bye")
	write.Close()
	if rest, err := io.ReadAll(resp.Body); len(rest) > 0 || err != nil {
		t.Errorf("got %q, %v", rest, err)
	}
	if resp.Trailer.Get("Grpc-Status") != "0" || resp.Trailer.Get("Undeclared") != "bye" || len(resp.Header["X-Two"]) != 2 || resp.Header["Date"] != nil || resp.Header["Content-Length"] != nil {
		t.Errorf("got header %v, trailer %v", resp.Header, resp.Trailer)
	}
	p := n.ended(1)[0]
	if p.requestBody.String() != "firstsecond" || p.body.String() != "FIRSTSECOND" || p.end.Cause != Complete || !p.whole || p.sents != 1 || p.wrong != 0 ||
		p.request.URI != "/a%2fb?x" || p.sent.Host != agent || p.request.Proto != "HTTP/2.0" || p.end.Trailer.Get("Grpc-Status") != "0" {
		t.Errorf("got %+v", p)
	}
}

func TestAGRPCClientLearnsThatTheAgentCannotBeReached(t *testing.T) {
	t.Parallel()
	n := newNotebook(nil)
	r := startRelay(t, "127.0.0.1:1", Options{Observer: n})
	req, _ := http.NewRequest("POST", r.URL()+"/x.Y/Z", strings.NewReader("\x00\x00\x00\x00\x00"))
	req.Header.Set("Content-Type", "application/grpc")
	resp, err := clientOf(t, nil).RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != 200 || resp.Header.Get("Grpc-Status") != "14" || !strings.Contains(resp.Header.Get("Grpc-Message"), "cannot reach the agent") {
		t.Errorf("got %d %v", resp.StatusCode, resp.Header)
	}
	if p := n.ended(1)[0]; p.end.Cause != Unreachable {
		t.Errorf("got %+v", p.end)
	}
}

func TestAResetStreamIsReset(t *testing.T) {
	t.Parallel()
	agent := startHTTP2(t, nil, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/whole" {
			return
		}
		io.WriteString(w, "begun")
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	})
	n := newNotebook(nil)
	r := startRelay(t, agent, Options{Observer: n})
	tr := clientOf(t, nil)
	req, _ := http.NewRequest("GET", r.URL()+"/cut", nil)
	resp, err := tr.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if _, reset := errors.AsType[streamError](err); !reset || string(b) != "begun" {
		t.Errorf("got %q, %v; want a reset", b, err)
	}
	if p := n.ended(1)[0]; p.end.Cause != AgentBroke || !p.end.Reset || p.end.PassedOn != 5 {
		t.Errorf("got %+v", p.end)
	}
	req, _ = http.NewRequest("GET", r.URL()+"/whole", nil)
	if _, err := tr.RoundTrip(req); err != nil {
		t.Errorf("got %v, want the connection to go on", err)
	}
	if p := n.ended(2)[1]; p.client.Connection != 1 {
		t.Errorf("got connection %d, want the first one", p.client.Connection)
	}
}

func TestTheAgentLearnsThatAClientOfHTTP2Left(t *testing.T) {
	t.Parallel()
	left := make(chan struct{})
	agent := startHTTP2(t, nil, func(w http.ResponseWriter, r *http.Request) {
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		close(left)
	})
	n := newNotebook(nil)
	r := startRelay(t, agent, Options{Observer: n})
	ctx, cancel := context.WithCancel(t.Context())
	req, _ := http.NewRequestWithContext(ctx, "GET", r.URL(), nil)
	resp, err := clientOf(t, nil).RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	cancel()
	<-left
	if p := n.ended(1)[0]; p.end.Cause != ClientBroke {
		t.Errorf("got %+v", p.end)
	}
}

func TestTLSOnEitherSide(t *testing.T) {
	t.Parallel()
	pair := certtest.New(t)
	roots := &tls.Config{RootCAs: pair.Roots()}
	own := &tls.Config{Certificates: []tls.Certificate{pair.TLS}}
	echo := func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Proto+" "+r.Host) }
	plain, secure := startHTTP2(t, nil, echo), startHTTP2(t, own.Clone(), echo)
	old := startHTTP1(t, http.HandlerFunc(echo))
	both := &http.Transport{TLSClientConfig: roots, ForceAttemptHTTP2: true}
	t.Cleanup(both.CloseIdleConnections)
	for _, tt := range []struct {
		name   string
		agent  url.URL
		tls    *tls.Config
		client *http.Transport
		want   string
	}{
		{"HTTP/2 without, agent with", url.URL{Scheme: "https", Host: secure}, nil, clientOf(t, nil), "HTTP/2.0"},
		{"HTTP/1 without, agent with", url.URL{Scheme: "https", Host: secure}, nil, http.DefaultTransport.(*http.Transport), "HTTP/1.1"},
		{"HTTP/2 with, agent without", url.URL{Scheme: "http", Host: plain}, own, clientOf(t, roots), "HTTP/2.0"},
		{"either with, agent with", url.URL{Scheme: "https", Host: secure}, own, both, "HTTP/2.0"},
		{"either with, agent without", url.URL{Scheme: "http", Host: old}, own, both, "HTTP/1.1"},
	} {
		n := newNotebook(nil)
		r := startRelay(t, "", Options{Target: &tt.agent, TLS: tt.tls, TargetTLS: func(string) *tls.Config { return roots }, Observer: n})
		req, _ := http.NewRequest("GET", r.URL(), nil)
		resp, err := tt.client.RoundTrip(req)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		b, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if want := tt.want + " " + tt.agent.Host; string(b) != want || resp.StatusCode != 200 {
			t.Errorf("%s: got %d %q, want %q", tt.name, resp.StatusCode, b, want)
		}
		if p := n.ended(1)[0]; p.client.TLS != (tt.tls != nil) || p.end.Cause != Complete {
			t.Errorf("%s: got %+v", tt.name, p)
		}
		tt.client.CloseIdleConnections()
	}
}

func startHTTP1(t testing.TB, h http.Handler) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: h}
	t.Cleanup(func() { server.Close() })
	go server.Serve(l)
	return l.Addr().String()
}

func TestTLSWhereNoneIsExpected(t *testing.T) {
	t.Parallel()
	pair := certtest.New(t)
	roots := &tls.Config{RootCAs: pair.Roots()}
	own := &tls.Config{Certificates: []tls.Certificate{pair.TLS}}
	echo := func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Proto) }
	plain, secure := startHTTP1(t, http.HandlerFunc(echo)), startHTTP2(t, own.Clone(), echo)
	const ask = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
	for _, tt := range []struct {
		name  string
		agent url.URL
		tls   *tls.Config
		want  string
		cause Cause
	}{
		{"a plain client", url.URL{Scheme: "http", Host: plain}, own, "400 Bad Request\r\n|This tap speaks TLS", Rejected},
		{"a plain agent", url.URL{Scheme: "https", Host: plain}, nil, "502 Bad Gateway\r\n|write http:// in place of https://", Unreachable},
		{"an unknown agent", url.URL{Scheme: "https", Host: secure}, nil, "502 Bad Gateway\r\n|TLS failed", Unreachable},
		{"an agent with TLS", url.URL{Scheme: "http", Host: rawTLS(t)}, nil, "502 Bad Gateway\r\n|write https:// in place of http://", Unreachable},
	} {
		n := newNotebook(nil)
		r := startRelay(t, "", Options{Target: &tt.agent, TLS: tt.tls, Observer: n})
		answer, err := exchangeRaw(t, r.Addr().String(), ask)
		if err != nil || !contains(answer, strings.Split(tt.want, "|")...) {
			t.Errorf("%s: got %q, %v", tt.name, answer, err)
		}
		if p := n.ended(1)[0]; p.end.Cause != tt.cause || p.end.Err == nil {
			t.Errorf("%s: got %+v", tt.name, p.end)
		}
	}
	n := newNotebook(nil)
	r := startRelay(t, plain, Options{Observer: n})
	if _, err := (&http.Client{Transport: &http.Transport{TLSClientConfig: roots}}).Get(strings.Replace(r.URL(), "http:", "https:", 1)); err == nil || !strings.Contains(err.Error(), "HTTP response to HTTPS client") {
		t.Errorf("got %v", err)
	}
	if p := n.ended(1)[0]; p.end.Cause != Rejected {
		t.Errorf("got %+v", p.end)
	}
}

// rawTLS is an agent that answers with an alert, as one with TLS does.
func rawTLS(t testing.TB) string {
	return rawAgent(t, func(conn *net.TCPConn) {
		conn.Read(make([]byte, 1000))
		io.WriteString(conn, "\x15\x03\x01\x00\x02\x02\x46")
	})
}
