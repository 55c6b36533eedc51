package grpc_test

import (
	"bufio"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"

	"parley/a2a"
	"parley/a2a/grpc/grpctest"
	"parley/a2a/socks"
	"parley/internal/certtest"
)

// join copies between a connection and an address until both sides are closed.
func join(here net.Conn, from io.Reader, there net.Conn) {
	go func() {
		_, _ = io.Copy(here, there)
		here.Close()
	}()
	_, _ = io.Copy(there, from)
	there.Close()
}

// tunnels serves CONNECT (RFC 9110, 9.3.6) and counts the tunnels.
func tunnels(t *testing.T, made *atomic.Int32) (address string) {
	return serve(t, func(here net.Conn) {
		r := bufio.NewReader(here)
		req, err := http.ReadRequest(r)
		if err != nil || req.Method != http.MethodConnect {
			return
		}
		there, err := net.Dial("tcp", req.Host)
		if err != nil {
			_, _ = io.WriteString(here, "HTTP/1.1 502 Bad Gateway\r\n\r\n")
			return
		}
		made.Add(1)
		_, _ = io.WriteString(here, "HTTP/1.1 200 OK\r\n\r\n")
		join(here, r, there)
	})
}

// socksProxy serves SOCKS 5 (RFC 1928, 1929) for "user" with the password "pass", or for all, and
// counts the connections.
func socksProxy(t *testing.T, login bool, made *atomic.Int32) (address string) {
	return serve(t, func(here net.Conn) {
		read := func(n byte) []byte {
			b := make([]byte, n)
			if _, err := io.ReadFull(here, b); err != nil {
				return make([]byte, n)
			}
			return b
		}
		methods := string(read(read(2)[1]))
		switch {
		case !login:
			_, _ = here.Write([]byte{5, 0})
		case !strings.Contains(methods, "\x02"):
			_, _ = here.Write([]byte{5, 0xff})
			return
		default:
			_, _ = here.Write([]byte{5, 2})
			name, password := string(read(read(2)[1])), string(read(read(1)[0]))
			if name != "user" || password != "pass" {
				_, _ = here.Write([]byte{1, 1})
				return
			}
			_, _ = here.Write([]byte{1, 0})
		}
		kind, host := read(4)[3], ""
		if kind == 1 {
			host = net.IP(read(4)).String()
		} else {
			host = string(read(read(1)[0]))
		}
		port := read(2)
		there, err := net.Dial("tcp", net.JoinHostPort(host, strconv.Itoa(int(port[0])<<8|int(port[1]))))
		if err != nil {
			_, _ = here.Write([]byte{5, 5, 0, 1, 0, 0, 0, 0, 0, 0}) // refused
			return
		}
		made.Add(1)
		_, _ = here.Write([]byte{5, 0, 0, 1, 0, 0, 0, 0, 0, 0})
		join(here, here, there)
	})
}

// Calls go through the proxy that HTTP would use: one of HTTP or of SOCKS, with TLS to the agent or
// without.
func TestCallsGoThroughAProxy(t *testing.T) {
	t.Parallel()
	pair := certtest.New(t)
	own, pool := pair.TLS, pair.Roots()
	secure := grpctest.Start(t, answerTask, grpc.Creds(credentials.NewTLS(&tls.Config{Certificates: []tls.Certificate{own}})))
	plain := grpctest.Start(t, answerTask)
	var made atomic.Int32
	open, login, tunnel := socksProxy(t, false, &made), socksProxy(t, true, &made), tunnels(t, &made)
	deaf := serve(t, func(c net.Conn) { _, _ = io.ReadFull(c, make([]byte, 3)) })
	for _, c := range []struct{ name, proxy, endpoint, says string }{
		{"HTTP", "http://" + tunnel, "grpc://" + plain.Address, ""},
		{"HTTP, TLS inside", "http://" + tunnel, "grpcs://" + secure.Address, ""},
		{"HTTP, nobody behind it", "http://" + tunnel, "grpc://127.0.0.1:1", "did not connect to 127.0.0.1:1 (502"},
		{"SOCKS", "socks5://" + open, "grpc://" + plain.Address, ""},
		{"SOCKS, TLS inside", "socks5h://" + open, "grpcs://" + secure.Address, ""},
		{"SOCKS, a name that the proxy looks up", "socks5h://" + open, "grpc://localhost:" + plain.Address[strings.LastIndexByte(plain.Address, ':')+1:], ""},
		{"SOCKS with credentials", "socks5://user:pass@" + login, "grpc://" + plain.Address, ""},
		{"SOCKS with wrong credentials", "socks5://user:guess@" + login, "grpc://" + plain.Address, "requires other credentials"},
		{"SOCKS without credentials", "socks5://" + login, "grpc://" + plain.Address, "requires other credentials"},
		{"SOCKS, nobody behind it", "socks5://" + open, "grpc://127.0.0.1:1", "did not connect to 127.0.0.1:1 (connection refused)"},
		{"SOCKS, no proxy there", "socks5://127.0.0.1:1", "grpc://" + plain.Address, "The proxy on the way to " + plain.Address + " refused the connection"},
		{"SOCKS, a proxy that hangs up", "socks5://" + deaf, "grpc://" + plain.Address, "did not connect to " + plain.Address + " (the connection closed)"},
		{"another protocol", "ftp://" + open, "grpc://" + plain.Address, "does not know the protocol of the proxy ftp://" + open},
	} {
		t.Run(c.name, func(t *testing.T) {
			through, err := url.Parse(c.proxy)
			if err != nil {
				t.Fatal(err)
			}
			before := made.Load()
			client, _ := newClient(t, c.endpoint, a2a.V10, func(o *a2a.Options) {
				o.RootCAs, o.Proxy, o.Socks = pool, http.ProxyURL(through), socks.Dial
			})
			out := do(t, client, request(a2a.OpGet), a2a.Hooks{})
			if c.says != "" {
				if out.End.Reason != a2a.Refused || !strings.Contains(out.End.Sentence, c.says) || strings.Contains(out.End.Sentence, "guess@") {
					t.Errorf("got %+v, want %q", out.End, c.says)
				}
				return
			}
			if out.Err != nil || made.Load() == before {
				t.Errorf("got %v and %d connections through the proxy, want one", out.Err, made.Load()-before)
			}
		})
	}
}

// A proxy that says nothing holds no call longer than the user wants.
func TestASilentProxyIsGivenUp(t *testing.T) {
	t.Parallel()
	silent := serve(t, func(c net.Conn) { _, _ = io.Copy(io.Discard, c) })
	client, _ := newClient(t, "grpc://127.0.0.1:1", a2a.V10, func(o *a2a.Options) {
		o.Proxy, o.Socks = http.ProxyURL(&url.URL{Scheme: "socks5", Host: silent}), socks.Dial
		o.AnswerTimeout = 200e6
	})
	if out := do(t, client, request(a2a.OpGet), a2a.Hooks{}); out.End.Reason != a2a.TimedOut {
		t.Errorf("got %+v, want a timeout", out.End)
	}
}
