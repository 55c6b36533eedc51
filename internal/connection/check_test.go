package connection_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"parley/internal/certtest"
	"parley/internal/connection"
	"parley/internal/porttest"
)

// server starts an HTTPS server with a pair.
func server(t *testing.T, pair certtest.Pair, change func(*tls.Config)) string {
	t.Helper()
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.TLS = &tls.Config{Certificates: []tls.Certificate{pair.TLS}}
	change(s.TLS)
	s.StartTLS()
	t.Cleanup(s.Close)
	return s.URL
}

func same(*tls.Config) {}

// listener accepts connections and hands each to a function.
func listener(t *testing.T, serve func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				serve(conn)
			}()
		}
	}()
	return l.Addr().String()
}

func through(t *testing.T, proxy string) func(*http.Request) (*url.URL, error) {
	t.Helper()
	u, err := url.Parse(proxy)
	if err != nil {
		t.Fatal(err)
	}
	return http.ProxyURL(u)
}

func lookup(addrs ...string) func(context.Context, string) ([]netip.Addr, error) {
	return func(context.Context, string) (found []netip.Addr, err error) {
		for _, a := range addrs {
			found = append(found, netip.MustParseAddr(a))
		}
		return found, nil
	}
}

func TestTheFirstBrokenStepSaysWhatToDo(t *testing.T) {
	good, stranger := certtest.New(t), certtest.New(t)
	expired := certtest.Changed(t, func(c *x509.Certificate) {
		c.NotBefore, c.NotAfter = time.Now().Add(-48*time.Hour), time.Now().Add(-24*time.Hour)
	})
	future := certtest.Changed(t, func(c *x509.Certificate) {
		c.NotBefore, c.NotAfter = time.Now().Add(24*time.Hour), time.Now().Add(48*time.Hour)
	})
	other := certtest.Changed(t, func(c *x509.Certificate) { c.IPAddresses, c.DNSNames = nil, []string{"other.example"} })
	plain := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(plain.Close)
	gone := "http://" + porttest.Keep(t).Address
	silent := listener(t, func(c net.Conn) { _, _ = io.Copy(io.Discard, c) })
	ends := listener(t, func(net.Conn) {})
	refuses := func(status string) string {
		return "http://" + listener(t, func(c net.Conn) {
			_, _ = c.Read(make([]byte, 4096))
			_, _ = io.WriteString(c, "HTTP/1.1 "+status+"\r\nContent-Length: 0\r\n\r\n")
		})
	}
	https := server(t, good, same)

	for name, c := range map[string]struct {
		url          string
		o            connection.Options
		step         string
		says, remedy string
	}{
		"no URL":         {"localhost", connection.Options{}, "address", "not the URL of a server", "https://agent.example"},
		"another scheme": {"ftp://a.example", connection.Options{}, "address", "not the URL of a server", ""},
		"no host":        {"http://a.example\u202e:80", connection.Options{}, "address", "The host a.example%E2%80%AE:80 cannot be looked up.", "letters"},
		"another host":   {"http://Ａ。example", connection.Options{Lookup: lookup()}, "DNS", "There is no host a.example.", "VPN"},
		"bad proxy":      {https, connection.Options{Proxy: func(*http.Request) (*url.URL, error) { return nil, io.ErrUnexpectedEOF }}, "address", "proxy in the environment", "HTTPS_PROXY"},
		"no such host":   {"http://parley.invalid", connection.Options{}, "DNS", "parley.invalid", ""},
		"no addresses":   {"http://a.example", connection.Options{Lookup: lookup()}, "DNS", "There is no host a.example.", "VPN"},
		"slow DNS": {"http://a.example", connection.Options{Timeout: 20 * time.Millisecond, Lookup: func(ctx context.Context, _ string) ([]netip.Addr, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}}, "DNS", "No DNS server answered for a.example.", "network"},
		"nobody there":       {gone, connection.Options{}, "TCP", "Nothing listens at", "Start the agent"},
		"not TLS":            {strings.Replace(plain.URL, "http:", "https:", 1), connection.Options{}, "TLS", "The server does not speak TLS.", "http://"},
		"silent":             {"https://" + silent, connection.Options{Timeout: 100 * time.Millisecond}, "TLS", "does not answer the TLS handshake", "without TLS"},
		"ends":               {"https://" + ends, connection.Options{}, "TLS", "", ""},
		"expired":            {server(t, expired, same), connection.Options{RootCAs: expired.Roots()}, "TLS", "The certificate expired on ", "Renew"},
		"not yet valid":      {server(t, future, same), connection.Options{RootCAs: future.Roots()}, "TLS", "The certificate is valid from", "clock"},
		"another name":       {server(t, other, same), connection.Options{RootCAs: other.Roots()}, "TLS", "", ""},
		"unknown authority":  {https, connection.Options{RootCAs: stranger.Roots()}, "TLS", "authority that this machine does not trust", "--cacert"},
		"client certificate": {server(t, good, func(c *tls.Config) { c.ClientAuth = tls.RequireAnyClientCert }), connection.Options{RootCAs: good.Roots()}, "TLS", "certificate", "--cert"},
		"client certificate 1.2": {server(t, good, func(c *tls.Config) { c.ClientAuth, c.MaxVersion = tls.RequireAnyClientCert, tls.VersionTLS12 }),
			connection.Options{RootCAs: good.Roots()}, "TLS", "certificate", "--cert"},
		"strange client certificate": {server(t, good, func(c *tls.Config) { c.ClientAuth, c.ClientCAs = tls.RequireAndVerifyClientCert, good.Roots() }),
			connection.Options{RootCAs: good.Roots(), Certificates: []tls.Certificate{stranger.TLS}}, "TLS", "does not accept the client certificate", "--cert"},
		"proxy away":      {https, connection.Options{Proxy: through(t, gone)}, "TCP", "The proxy at", "NO_PROXY=127.0.0.1"},
		"proxy login":     {https, connection.Options{Proxy: through(t, refuses("407 Proxy Authentication Required"))}, "proxy", "asks for credentials", "user:password@"},
		"proxy forbids":   {https, connection.Options{Proxy: through(t, refuses("403 Forbidden"))}, "proxy", "with status 403", "NO_PROXY"},
		"proxy that none": {https, connection.Options{Proxy: through(t, "http://"+ends)}, "proxy", "does not answer as a proxy", "HTTPS_PROXY"},
	} {
		t.Run(name, func(t *testing.T) {
			c.o.Now = time.Now
			steps := connection.Check(t.Context(), c.url, c.o)
			last := steps[len(steps)-1]
			if last.Name != c.step || last.Status != connection.Failed || !strings.Contains(last.Found, c.says) || !strings.Contains(last.Remedy, c.remedy) || last.Remedy == "" {
				t.Errorf("got %+v, want step %s to fail with %q and %q", last, c.step, c.says, c.remedy)
			}
			for _, s := range steps[:len(steps)-1] {
				if s.Status == connection.Failed {
					t.Errorf("%s failed before", s.Name)
				}
			}
		})
	}
}

func TestEachStepSaysWhatItFound(t *testing.T) {
	pair := certtest.New(t)
	https := server(t, pair, same)
	steps := connection.Check(t.Context(), strings.Replace(https, "127.0.0.1", "localhost", 1), connection.Options{
		Insecure: func(string) bool { return true }, Now: time.Now, Lookup: lookup("127.0.0.1"),
	})
	var words []string
	for _, s := range steps {
		words = append(words, s.Name+" "+s.Status.String()+": "+s.Found+" "+s.Remedy)
	}
	got := strings.Join(words, "\n")
	for _, want := range []string{"address ok: https://localhost:", "DNS ok: localhost is 127.0.0.1", "TCP ok: 127.0.0.1:", "proxy skipped: none", "TLS warning: TLS 1.3, certificate of 127.0.0.1 until", "--insecure"} {
		if !strings.Contains(got, want) {
			t.Errorf("got no %q in\n%s", want, got)
		}
	}
}

func TestACertificateThatEndsSoonIsAWarning(t *testing.T) {
	pair := certtest.New(t) // for an hour
	steps := connection.Check(t.Context(), server(t, pair, same), connection.Options{RootCAs: pair.Roots(), Now: time.Now})
	if last := steps[len(steps)-1]; last.Status != connection.Warning || !strings.Contains(last.Remedy, "ends in 0 days") {
		t.Errorf("got %+v, want a warning", last)
	}
}

func TestAnAddressThatDoesNotAnswerIsPassedOver(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(s.Close)
	address := strings.Replace(s.URL, "127.0.0.1", "two.example", 1)
	steps := connection.Check(t.Context(), address, connection.Options{Now: time.Now, Lookup: lookup("127.0.0.2", "127.0.0.1")})
	if tcp := steps[2]; tcp.Status != connection.Warning || !strings.HasPrefix(tcp.Found, "127.0.0.1:") || !strings.Contains(tcp.Remedy, "127.0.0.2:") {
		t.Errorf("got %+v, want a warning that names the first address", tcp)
	}
}

func TestAProxyIsPassedThrough(t *testing.T) {
	pair := certtest.New(t)
	https := server(t, pair, same)
	var login string
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		login = r.Header.Get("Proxy-Authorization")
		there, err := net.Dial("tcp", r.Host)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		here, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		_, _ = io.WriteString(here, "HTTP/1.1 200 OK\r\n\r\n")
		go func() { defer there.Close(); _, _ = io.Copy(there, here) }()
		go func() { defer here.Close(); _, _ = io.Copy(here, there) }()
	}))
	t.Cleanup(proxy.Close)
	steps := connection.Check(t.Context(), https, connection.Options{
		RootCAs: pair.Roots(), Now: time.Now, Proxy: through(t, strings.Replace(proxy.URL, "http://", "http://ann:s3cret@", 1)),
	})
	if last := steps[len(steps)-1]; last.Name != "TLS" || last.Status == connection.Failed {
		t.Fatalf("got %+v, want TLS through the proxy", steps)
	}
	if login == "" || strings.Contains(steps[3].Found, "s3cret") || !strings.Contains(steps[3].Found, "ann:xxxxx@") {
		t.Errorf("got login %q and %+v, want the login sent and its password masked", login, steps[3])
	}
}

func TestACheckEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(s.Close)
	steps := connection.Check(ctx, s.URL, connection.Options{Now: time.Now})
	if last := steps[len(steps)-1]; last.Status != connection.Failed {
		t.Errorf("got %+v, want a failure", last)
	}
}
