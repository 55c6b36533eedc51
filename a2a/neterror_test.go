package a2a_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parley/a2a"
	"parley/internal/pipetest"
)

// call sends one message to u with changed options.
func call(t *testing.T, u string, change func(*a2a.Options)) (a2a.Answer, *tape) {
	t.Helper()
	tp := newTape()
	o := options(tp, u)
	if change != nil {
		change(&o)
	}
	c := a2a.NewClient(profile(a2a.V10, u), nil, o)
	defer c.Close()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	out := c.Do(ctx, request(a2a.OpSend), a2a.Hooks{})
	tp.check(t)
	return out, tp
}

// closedPort returns an address at which nobody listens and nobody can listen until the test
// ends: it is the local end of an open connection.
func closedPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c.LocalAddr().String()
}

func TestNobodyCanTakeAClosedPort(t *testing.T) {
	t.Parallel()
	address := closedPort(t)
	if l, err := net.Listen("tcp", address); err == nil {
		l.Close()
		t.Errorf("Listen: got no error at the closed port %s, want one", address)
	}
	if c, err := net.Dial("tcp", address); err == nil {
		c.Close()
		t.Errorf("Dial: got no error at the closed port %s, want one", address)
	}
}

func quietTLS(t *testing.T, config *tls.Config) *httptest.Server {
	s := httptest.NewUnstartedServer(answer(200, "application/json", taskAnswer))
	s.Config.ErrorLog = discardLog()
	s.TLS = config
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

func TestFailuresOfTheNetworkHaveOneSentenceAndAClass(t *testing.T) {
	t.Parallel()
	secure := quietTLS(t, nil)
	wantsCert := quietTLS(t, &tls.Config{ClientAuth: tls.RequireAnyClientCert, MaxVersion: tls.VersionTLS12})
	plain := serve(t, answer(200, "application/json", taskAnswer))
	closed := closedPort(t)
	speak := func(s string) string { return serveRaw(t, func(c net.Conn) { _, _ = io.WriteString(c, s) }) }
	unknown := &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		return nil, errors.New("no DNS server in this test")
	}}
	tests := []struct {
		name, url string
		change    func(*a2a.Options)
		reason    a2a.EndReason
		class     string
		says      []string
	}{
		{"connection refused", "http://" + closed, nil, a2a.Refused, a2a.ClassRefused, []string{closed, "refused the connection", "Start the agent"}},
		{"unknown host", "http://agent.invalid/", func(o *a2a.Options) {
			o.Dial = (&net.Dialer{Resolver: unknown}).DialContext
		}, a2a.Refused, a2a.ClassDNS, []string{"agent.invalid", "check the spelling"}},
		{"no such host", "http://agent.invalid/", func(o *a2a.Options) {
			o.Dial = func(context.Context, string, string) (net.Conn, error) {
				return nil, &net.OpError{Op: "dial", Err: &net.DNSError{Name: "agent.invalid", IsNotFound: true}}
			}
		}, a2a.Refused, a2a.ClassDNS, []string{"no host named agent.invalid"}},
		{"DNS too slow", "http://agent.invalid/", func(o *a2a.Options) {
			o.Dial = func(context.Context, string, string) (net.Conn, error) {
				return nil, &net.DNSError{Name: "agent.invalid", IsTimeout: true}
			}
		}, a2a.Refused, a2a.ClassDNS, []string{"in time"}},
		{"no route", "http://10.255.255.1/", func(o *a2a.Options) {
			o.Dial = func(context.Context, string, string) (net.Conn, error) {
				return nil, &net.OpError{Op: "dial", Err: errors.New("network is unreachable")}
			}
		}, a2a.Refused, a2a.ClassRefused, []string{"10.255.255.1 cannot be reached"}},
		{"dial too slow", "http://10.255.255.1/", func(o *a2a.Options) {
			o.Dial = func(context.Context, string, string) (net.Conn, error) {
				return nil, &net.OpError{Op: "dial", Err: context.DeadlineExceeded}
			}
		}, a2a.Refused, a2a.ClassTimeout, []string{"did not accept a connection in time"}},
		{"proxy that is not there", "http://agent.example/", func(o *a2a.Options) {
			o.Proxy = http.ProxyURL(&url.URL{Scheme: "http", Host: closed})
		}, a2a.Refused, a2a.ClassRefused, []string{"proxy"}},
		{"proxy that refuses", "https://agent.example/", func(o *a2a.Options) {
			u, _ := url.Parse(serve(t, answer(407, "text/plain", "who are you")).URL)
			o.Proxy = http.ProxyURL(u)
		}, a2a.Refused, a2a.ClassRefused, []string{"proxy", "407 Proxy Authentication Required", "agent.example"}},
		{"endless head", speak("HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 5<<20)), nil, a2a.Cut, a2a.ClassBody, []string{"more than 4 MB"}},
		{"unknown authority", secure.URL, nil, a2a.Refused, a2a.ClassTLS, []string{"--insecure", "does not trust"}},
		{"wants a certificate", wantsCert.URL, func(o *a2a.Options) { o.Servers.Insecure = true }, a2a.Refused, a2a.ClassTLS, []string{"handshake"}},
		{"TLS to a plain port", strings.Replace(plain.URL, "http:", "https:", 1), nil, a2a.Refused, a2a.ClassTLS, []string{"http:// instead of https://"}},
		{"no HTTP", speak("SSH-2.0-OpenSSH_9\r\n"), nil, a2a.Cut, a2a.ClassBody, []string{"not HTTP"}},
		{"closed without an answer", speak(""), nil, a2a.Cut, a2a.ClassCut, []string{", or something on the way to it, closed the connection without an answer. The agent may have crashed: check its log."}},
		{"closed inside the head", speak("HTTP/1.1 200 OK\r\nContent-"), nil, a2a.Cut, a2a.ClassCut, []string{", or something on the way to it, closed the connection in the middle of the head", "25 bytes"}},
		{"control character", speak("HTTP/1.1 200 OK\r\nX-Color: \x1b[31m\r\nContent-Length: 0\r\n\r\n"), nil, a2a.Cut, a2a.ClassBody, []string{"header X-Color contains a control character (U+001B)", "repair"}},
		{"no colon", speak("HTTP/1.1 200 OK\r\nA: b\r\nnonsense\r\n\r\n"), nil, a2a.Cut, a2a.ClassBody, []string{"line 3 has no colon"}},
		{"folded first line", speak("HTTP/1.1 200 OK\r\n A: b\r\n\r\n"), nil, a2a.Cut, a2a.ClassBody, []string{"line 2 begins with white space"}},
		{"bad status line", speak("HTTP/1.1 abc\r\nA: b\r\n\r\n"), nil, a2a.Cut, a2a.ClassBody, []string{"is not a status line"}},
		{"two lengths", speak("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"), nil, a2a.Cut, a2a.ClassBody, []string{"several Content-Length"}},
		{"unknown transfer encoding", speak("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"), nil, a2a.Cut, a2a.ClassBody, []string{"Transfer-Encoding"}},
		{"a TLS alert", speak("\x15\x03\x01\x00\x02\x02\x46"), nil, a2a.Refused, a2a.ClassTLS, []string{"write https:// instead of http://"}},
		{"plain HTTP to TLS", strings.Replace(secure.URL, "https:", "http:", 1), nil, a2a.Ended, a2a.ClassStatus, []string{"write https:// instead of http://"}},
		{"only HTTP/2", speak("\x00\x00\x06\x04\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x64"), nil, a2a.Refused, a2a.ClassUnsupported, []string{"only HTTP/2"}},
		{"a proxy's 407 in the clear", "http://agent.example/", func(o *a2a.Options) {
			u, _ := url.Parse(serve(t, answer(407, "text/plain", "who are you")).URL)
			o.Proxy = http.ProxyURL(u)
		}, a2a.Ended, a2a.ClassStatus, []string{"The proxy 127.0.0.1", "agent.example", "407"}},
		{"a proxy with a bad head", "https://agent.example/", func(o *a2a.Options) {
			u, _ := url.Parse(speak("HTTP/1.1 200 OK\r\nA: \x01\r\n\r\n"))
			o.Proxy = http.ProxyURL(u)
		}, a2a.Refused, a2a.ClassRefused, []string{"The proxy 127.0.0.1", "control character"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o, tp := call(t, tt.url, tt.change)
			var te *a2a.TransportError
			if !errors.As(o.Err, &te) || o.End.Reason != tt.reason || o.End.Class != tt.class {
				t.Fatalf("got error %v with end %+v, want %q of class %q", o.Err, o.End, tt.reason, tt.class)
			}
			sentence(t, o.End.Sentence, tt.says...)
			if regexp.MustCompile(`\b(read|write|dial) tcp|->|lookup |\b(http|tls|net/http|syscall): `).MatchString(o.End.Detail) {
				t.Errorf("got detail %q, want the cause without Go's words", o.End.Detail)
			}
			if o.End.Detail == "" && tt.reason != a2a.Ended || o.RejectedUnread() != (tt.reason == a2a.Refused) {
				t.Errorf("got detail %q, RejectedUnread %v; want a detail and %v", o.End.Detail, o.RejectedUnread(), tt.reason == a2a.Refused)
			}
			if len(tp.records) < 2 || tp.records[0].Kind != a2a.KindRequest || len(tp.records[0].Raw) == 0 {
				t.Errorf("got %d records, want the request with its body and an end", len(tp.records))
			}
		})
	}
}

func TestCertificateProblemsAreToldApart(t *testing.T) {
	t.Parallel()
	u := "https://agent.example/"
	for _, tt := range []struct {
		err  error
		says string
	}{
		{x509.HostnameError{Certificate: &x509.Certificate{}, Host: "agent.example"}, "another name"},
		{x509.CertificateInvalidError{Cert: &x509.Certificate{}, Reason: x509.Expired}, "expired"},
		{x509.CertificateInvalidError{Cert: &x509.Certificate{}, Reason: x509.TooManyIntermediates}, "cannot be trusted"},
		{&tls.CertificateVerificationError{Err: errors.New("odd")}, "cannot be trusted"},
		{tls.RecordHeaderError{Msg: "odd"}, "http:// instead"},
		{errors.New("tls: odd"), "The TLS handshake"},
	} {
		o, _ := call(t, u, func(o *a2a.Options) {
			o.Dial = func(context.Context, string, string) (net.Conn, error) { return nil, tt.err }
		})
		if o.End.Class != a2a.ClassTLS {
			t.Errorf("%T: got end %+v, want class %q", tt.err, o.End, a2a.ClassTLS)
		}
		sentence(t, o.End.Sentence, tt.says)
	}
}

func TestInsecureAcceptsAnyCertificate(t *testing.T) {
	t.Parallel()
	if o, _ := call(t, quietTLS(t, nil).URL, func(o *a2a.Options) { o.Servers.Insecure = true }); o.Err != nil {
		t.Errorf("got error %v, want none", o.Err)
	}
}

func TestTimeoutsEndCalls(t *testing.T) {
	t.Parallel()
	hang := func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	}
	dribble := func(w http.ResponseWriter, r *http.Request) {
		stream(status("WORKING"))(w, r)
		<-r.Context().Done()
	}
	t.Run("no answer", func(t *testing.T) {
		inTime(t, func(allowed time.Duration) bool {
			o, _ := call(t, serve(t, hang).URL, func(o *a2a.Options) { o.AnswerTimeout = allowed })
			sentence(t, o.End.Sentence)
			return o.End.Reason == a2a.TimedOut && o.End.Class == a2a.ClassTimeout && !o.RejectedUnread() &&
				strings.Contains(o.End.Sentence, "within "+allowed.String())
		})
	})
	// The rest takes the time of a bubble.
	do := func(ctx context.Context, op a2a.Op, h http.HandlerFunc) (o a2a.Answer, took time.Duration) {
		pipes := pipetest.New()
		agent := pipes.Serve(h)
		defer agent.Close()
		with := options(newTape(), agent.URL)
		with.AnswerTimeout, with.Dial = time.Minute, pipes.Dial
		c := a2a.NewClient(profile(a2a.V10, agent.URL), nil, with)
		defer c.Close()
		began := time.Now()
		o = c.Do(ctx, request(op), a2a.Hooks{})
		return o, time.Since(began)
	}
	t.Run("half an answer", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			if o, took := do(t.Context(), a2a.OpSend, dribble); o.End.Reason != a2a.TimedOut || o.Events != 1 || took != time.Minute {
				t.Errorf("got answer %+v after %v, want one event, then %q after a minute", o, took, a2a.TimedOut)
			}
		})
	})
	t.Run("the caller's deadline", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
			defer cancel()
			o, took := do(ctx, a2a.OpStream, dribble)
			if o.End.Reason != a2a.TimedOut || o.Events != 1 || took != time.Hour {
				t.Errorf("got answer %+v after %v, want one event, then %q after an hour", o, took, a2a.TimedOut)
			}
			sentence(t, o.End.Sentence)
		})
	})
	t.Run("streams have none", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			o, took := do(t.Context(), a2a.OpStream, func(w http.ResponseWriter, r *http.Request) {
				stream(status("WORKING"))(w, r)
				select {
				case <-time.After(time.Hour):
				case <-r.Context().Done():
				}
				_, _ = io.WriteString(w, status("COMPLETED"))
			})
			if o.Err != nil || o.Events != 2 || took != time.Hour {
				t.Errorf("got answer %+v after %v, want two events and the end after an hour", o, took)
			}
		})
	})
}

func TestDetailHoldsNoSecret(t *testing.T) {
	t.Parallel()
	o, tp := call(t, "http://"+closedPort(t)+"/?access_token=hush", nil)
	for _, r := range tp.records {
		if r.Head != nil && strings.Contains(r.Head.URL, "hush") || strings.Contains(r.Call.Endpoint, "hush") {
			t.Errorf("record %d: got head %+v, want the secret masked", r.ID, r.Head)
		}
	}
	if strings.Contains(o.End.Detail+o.End.Sentence+o.Err.Error(), "hush") {
		t.Errorf("got end %+v and error %q, want the secret masked", o.End, o.Err)
	}
}

// After a switch of protocols there is no body, and the connection does not end.
func TestSwitchingProtocolsDoesNotHang(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	agent := serveRaw(t, func(c net.Conn) {
		_, _ = io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nhello")
		<-release
	})
	o, _ := call(t, agent, nil)
	close(release)
	if o.End.Class != a2a.ClassStatus || o.End.Reason != a2a.Ended {
		t.Errorf("got answer %+v, want class %q", o, a2a.ClassStatus)
	}
	sentence(t, o.End.Sentence, "101 Switching Protocols")
}

func TestHTTP2StreamsEndAndBreakLikeAnyOther(t *testing.T) {
	t.Parallel()
	for name, abort := range map[string]bool{"ended": false, "cut": true} {
		t.Run(name, func(t *testing.T) {
			state := map[bool]string{false: "COMPLETED", true: "WORKING"}[abort]
			tp := newTape()
			s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				stream(status(state))(w, r)
				if err := tp.wait(a2a.KindEvent, 1); err != nil {
					t.Error(err)
				}
				if abort {
					panic(http.ErrAbortHandler)
				}
			}))
			s.EnableHTTP2 = true
			s.Config.ErrorLog = discardLog()
			s.StartTLS()
			defer s.Close()
			o := options(tp, s.URL)
			o.Servers.Insecure = true
			c := a2a.NewClient(profile(a2a.V10, s.URL), nil, o)
			defer c.Close()
			out := c.Do(t.Context(), request(a2a.OpStream), a2a.Hooks{})
			tp.check(t)
			if string(out.End.Reason) != name || out.Events != 1 || tp.records[1].Head.Proto != "HTTP/2.0" {
				t.Errorf("got answer %+v over %s, want one event and %q over HTTP/2.0", out, tp.records[1].Head.Proto, name)
			}
		})
	}
}

// The cause of an end is a clause that another sentence can quote: neither advice nor a guess belongs to it.
func TestACauseHasNoAdvice(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		end  a2a.End
		want string
	}{
		{a2a.End{Sentence: a2a.ClosedSentence("h:1")}, "h:1, or something on the way to it, closed the connection without an answer"},
		{a2a.End{Sentence: "The answer broke off."}, "The answer broke off"},
	} {
		if got := c.end.Cause(); got != c.want {
			t.Errorf("%q: got cause %q, want %q", c.end.Sentence, got, c.want)
		}
	}
	out, _ := call(t, "http://127.0.0.1:1/rpc", nil)
	if got := out.End.Cause(); got != "127.0.0.1:1 refused the connection" {
		t.Errorf("%q: got cause %q", out.End.Sentence, got)
	}
}
