package relay

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
)

// startProxy begins a proxy of HTTP that leads every tunnel to one server, or answers with a line.
func startProxy(t *testing.T, to, refuse string) (address string, asked func() []string) {
	var mu sync.Mutex
	var all []string
	address = rawAgent(t, func(conn *net.TCPConn) {
		br := bufio.NewReader(conn)
		req, err := http.ReadRequest(br)
		if err != nil {
			return
		}
		mu.Lock()
		all = append(all, strings.TrimSpace(req.Method+" "+req.RequestURI+" "+req.Header.Get("Proxy-Authorization")))
		mu.Unlock()
		if refuse != "" {
			_, _ = io.WriteString(conn, refuse+"\r\nContent-Length: 0\r\n\r\n")
			return
		}
		server, err := net.Dial("tcp", to)
		if err != nil {
			t.Error(err)
			return
		}
		defer server.Close()
		_, _ = io.WriteString(conn, "HTTP/1.1 200 Fine\r\nX: y\r\n\r\n")
		go func() {
			_, _ = io.Copy(server, br)
			_ = server.(*net.TCPConn).CloseWrite()
		}()
		_, _ = io.Copy(conn, server)
	})
	return address, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return all
	}
}

func TestAnAgentBehindAProxyIsReachedByATunnel(t *testing.T) {
	t.Parallel()
	agent := startHTTP1(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.Host+r.RequestURI) }))
	proxy, asked := startProxy(t, agent, "")
	target := &url.URL{Scheme: "http", Host: "agent.invalid:8080"}
	r := startRelay(t, "", Options{Target: target, Proxy: func(req *http.Request) (*url.URL, error) {
		if req.URL.String() != target.String() {
			t.Errorf("got %s, want the target", req.URL)
		}
		return &url.URL{Scheme: "http", Host: proxy, User: url.UserPassword("u", "p")}, nil
	}})
	got, err := exchangeRaw(t, r.Addr().String(), "GET /a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
	if err != nil || !strings.HasSuffix(got, "agent.invalid:8080/a") {
		t.Errorf("got %q, %v, want the agent's answer", got, err)
	}
	if all := strings.Join(asked(), "|"); all != "CONNECT agent.invalid:8080 Basic dTpw" {
		t.Errorf("got %q at the proxy, want one tunnel", all)
	}
}

func TestHTTP2PassesAProxy(t *testing.T) {
	t.Parallel()
	agent := startHTTP2(t, nil, func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.Proto+" "+r.Host) })
	proxy, _ := startProxy(t, agent, "")
	r := startRelay(t, "agent.invalid", Options{Proxy: func(*http.Request) (*url.URL, error) { return &url.URL{Scheme: "http", Host: proxy}, nil }})
	req, _ := http.NewRequest("GET", r.URL(), nil)
	resp, err := clientOf(t, nil).RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if b, err := io.ReadAll(resp.Body); string(b) != "HTTP/2.0 agent.invalid" || err != nil {
		t.Errorf("got %q, %v, want the agent's answer", b, err)
	}
}

func TestAProxyThatMakesNoTunnelIsNamed(t *testing.T) {
	t.Parallel()
	refusing, _ := startProxy(t, "", "HTTP/1.1 407 Proxy Authentication Required")
	silent := rawAgent(t, func(conn *net.TCPConn) { readRequest(conn) })
	for proxy, want := range map[string]string{
		"http://u:secret@" + refusing: `the proxy ` + refusing + ` makes no tunnel: it answered "407 Proxy Authentication Required"`,
		"http://" + silent:            "the proxy " + silent + " makes no tunnel",
		"ftp://p.invalid":             "does not know the protocol ftp of the proxy p.invalid",
		"socks5://p.invalid":          "the proxy p.invalid does not reach it: nothing answered in time",
	} {
		n := newNotebook(nil)
		u, _ := url.Parse(proxy)
		r := startRelay(t, "agent.invalid", Options{
			Observer: n, Proxy: func(*http.Request) (*url.URL, error) { return u, nil },
			Socks: func(context.Context, *url.URL, string, func(context.Context, string, string) (net.Conn, error)) (net.Conn, error) {
				return nil, context.DeadlineExceeded
			},
		})
		got, err := exchangeRaw(t, r.Addr().String(), getRoot)
		if err != nil || !contains(got, "502 Bad Gateway", want) || strings.Contains(got, "secret") {
			t.Errorf("%s: got %q, %v, want %q", proxy, got, err, want)
		}
		if p := n.ended(1)[0]; p.end.Cause != Unreachable {
			t.Errorf("%s: got %+v", proxy, p.end)
		}
	}
}
