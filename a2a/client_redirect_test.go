package a2a_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"parley/a2a"
)

// redirector answers /from with a redirect and all other paths as an agent.
func redirector(t *testing.T, status int, where func(self string) string) (url string, bodies *atomic.Int32) {
	bodies = new(atomic.Int32)
	var self string
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/from") {
			w.Header().Set("Location", where(self))
			w.WriteHeader(status)
			_, _ = io.WriteString(w, "moved")
			return
		}
		if b, _ := io.ReadAll(r.Body); strings.Contains(string(b), "hello") && r.Method == "POST" {
			bodies.Add(1)
		}
		_, _ = io.WriteString(w, taskAnswer)
	})
	self = s.URL
	return s.URL, bodies
}

func TestRedirectsOfAPost(t *testing.T) {
	t.Parallel()
	tests := []struct {
		status   int
		location string
		follow   bool
		says     string
	}{
		{307, "/to", true, ""},
		{308, "/to?token=hush", true, ""},
		{301, "/to", false, "/to"},
		{302, "http://elsewhere.example/to?api_key=hush", false, "http://elsewhere.example/to?api_key=•••"},
		{302, "http://elsewhere.example/to", false, "another origin; nothing was sent there"},
		{303, "/to", false, "probably wrong"},
		{307, "", false, "without a Location"},
		{307, "ftp://h/x", false, "ftp://h/x"},
		{307, "http://%zz/", false, "not an http or https URL"},
		{308, "/from", false, "redirects without end"},
	}
	for _, tt := range tests {
		t.Run(http.StatusText(tt.status)+" "+tt.location, func(t *testing.T) {
			url, bodies := redirector(t, tt.status, func(string) string { return tt.location })
			o, tp := call(t, url+"/from", nil)
			checkNoSecrets(t, tp, "hush")
			if tt.follow {
				if o.Err != nil || bodies.Load() != 1 || o.Exchange != 4 {
					t.Errorf("got answer %+v with %d bodies, want exchange 4 with 1", o, bodies.Load())
				}
				if first := tp.records[2]; first.Kind != a2a.KindEnd || first.End.Reason != a2a.Ended || string(first.Raw) != "moved" {
					t.Errorf("got end %+v of the redirect, want %q", first.End, a2a.Ended)
				}
				if got := tp.records[3].Head.URL; !strings.HasPrefix(got, url+"/to") || tp.records[3].Call.Endpoint != got {
					t.Errorf("got redirected request to %s, want %s", got, url+"/to")
				}
				return
			}
			if bodies.Load() != 0 || o.End.Class != a2a.ClassRedirect || o.Err == nil {
				t.Errorf("got answer %+v with %d bodies, want class %q with none", o, bodies.Load(), a2a.ClassRedirect)
			}
			sentence(t, o.End.Sentence, tt.says)
		})
	}
}

func TestRedirectTakesNoCredentialsAlong(t *testing.T) {
	t.Parallel()
	for _, allowed := range []bool{false, true} {
		other, asked := stranger(t)
		url, _ := redirector(t, 307, func(string) string { return other + "/rpc" })
		o, tp := call(t, url+"/from", func(o *a2a.Options) {
			o.Bearer = bearer
			if allowed {
				o.AllowOrigins = []string{other}
			}
		})
		if allowed {
			if o.Err != nil || asked.Load() != 1 {
				t.Errorf("origin is allowed: got %d requests and answer %+v, want 1 and no error", asked.Load(), o)
			}
			continue
		}
		if asked.Load() != 0 || o.End.Class != a2a.ClassOrigin || o.End.Reason != a2a.Refused {
			t.Errorf("got %d requests and end %+v, want none and class %q", asked.Load(), o.End, a2a.ClassOrigin)
		}
		sentence(t, o.End.Sentence, "Nothing was sent beyond "+url, url+" redirects to "+other, "--allow-origin "+other)
		checkNoSecrets(t, tp, bearer)
	}
}

// Without credentials, too, a redirect is followed only to an origin that the user named: a message goes
// nowhere else, whatever the status, and every sentence names both ends.
func TestARedirectToAnUnnamedOriginIsNotFollowed(t *testing.T) {
	t.Parallel()
	other, asked := stranger(t)
	for _, status := range []int{301, 302, 303, 307, 308} {
		for location, offered := range map[string]bool{
			other + "/rpc": true, strings.TrimPrefix(other, "http:") + "/rpc": true, "https://elsewhere.example/rpc": true, "//elsewhere.example/rpc": false,
			"http://169.254.169.254/latest/meta-data": false, "http://10.0.0.1/": false, "http://me:hush@box/rpc#there": false,
		} {
			url, _ := redirector(t, status, func(string) string { return location })
			o, tp := call(t, url+"/from", nil)
			if o.End.Class != a2a.ClassRedirect || o.Err == nil || len(tp.of(a2a.KindRequest)) != 1 {
				t.Errorf("%d to %s: got answer %+v and %d requests, want class %q after one", status, location, o, len(tp.of(a2a.KindRequest)), a2a.ClassRedirect)
			}
			to := location[strings.Index(location, "//")+2:]
			to = strings.TrimPrefix(to[:strings.IndexByte(to, '/')], "me:hush@")
			sentence(t, o.End.Sentence, url+"/from answered "+strconv.Itoa(status), "://"+to, "another origin; nothing was sent there", "open that address")
			if got := strings.Contains(o.End.Sentence, "--allow-origin"); got != (offered && status >= 307) {
				t.Errorf("%d to %s: got %q, want --allow-origin offered: %v", status, location, o.End.Sentence, offered && status >= 307)
			}
			checkNoSecrets(t, tp, "hush")
		}
	}
	if asked.Load() != 0 {
		t.Errorf("got %d requests at the other origin, want none", asked.Load())
	}
	url, _ := redirector(t, 307, func(string) string { return other })
	if o, _ := call(t, url+"/from", func(o *a2a.Options) { o.AllowOrigins = []string{other} }); o.Err != nil || asked.Load() != 1 {
		t.Errorf("allowed: got %d requests and answer %+v, want one and no error", asked.Load(), o)
	}
	// Back to where it began is no other origin.
	back, _ := redirector(t, 307, func(self string) string { return self + "/to" })
	if o, _ := call(t, back+"/from", func(o *a2a.Options) { o.UserAddresses = nil }); o.Err != nil {
		t.Errorf("the origin of the first request: got answer %+v, want no error", o)
	}
}

// pairOf returns a dialer under which every host leads to one of two servers, by its port: that without
// TLS, or that with it.
func pairOf(plain, secure *httptest.Server) func(ctx context.Context, network, address string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		to := plain
		if strings.HasSuffix(address, ":443") {
			to = secure
		}
		return (&net.Dialer{}).DialContext(ctx, network, to.Listener.Addr().String())
	}
}

// A redirect to the same host over TLS is followed, also by a message and with credentials.
func TestARedirectFromHTTPToHTTPSIsFollowed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		from, to string
		follows  bool
	}{
		{"http://agent.test/rpc", "https://agent.test/rpc", true},
		{"http://agent.test:80/rpc", "https://Agent.Test:443/other", true},
		{"http://agent.test:443/rpc", "https://agent.test:443/rpc", false}, // not the same mapping
		{"http://agent.test/rpc", "https://agent.test:8443/rpc", false},
		{"http://agent.test/rpc", "https://www.agent.test/rpc", false},
		{"http://agent.test/rpc", "https://agent.test.evil.test/rpc", false},
	} {
		for _, status := range []int{307, 308} {
			for _, token := range []string{"", bearer} {
				var got, body string
				secure := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					b, _ := io.ReadAll(r.Body)
					got, body = r.Header.Get("Authorization"), string(b)
					_, _ = io.WriteString(w, taskAnswer)
				}))
				plain := serve(t, func(w http.ResponseWriter, r *http.Request) {
					_, _ = io.Copy(io.Discard, r.Body)
					w.Header().Set("Location", c.to)
					w.WriteHeader(status)
				})
				change := func(o *a2a.Options) {
					o.Dial, o.Servers.Insecure, o.Bearer = pairOf(plain, secure), true, token
					if strings.Contains(c.from, ":443") {
						o.Dial = pairOf(plain, plain)
					}
				}
				o, _ := call(t, c.from, change)
				secure.Close()
				if c.follows && (o.Err != nil || !strings.Contains(body, "hello") || (token != "") != strings.Contains(got, bearer)) {
					t.Errorf("%d from %s to %s, token %q: got answer %+v and token %q, want the message over TLS", status, c.from, c.to, token, o, got)
				}
				if !c.follows && (o.Err == nil || body != "") {
					t.Errorf("%d from %s to %s: got answer %+v, want a refusal", status, c.from, c.to, o)
				}
			}
		}
	}
	// Never back.
	plain, asked := stranger(t)
	secure := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", "http://agent.test/rpc")
		w.WriteHeader(307)
	}))
	defer secure.Close()
	o, _ := call(t, "https://agent.test/rpc", func(o *a2a.Options) {
		o.Servers.Insecure = true
		o.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
			if address == "agent.test:443" {
				return (&net.Dialer{}).DialContext(ctx, network, secure.Listener.Addr().String())
			}
			return (&net.Dialer{}).DialContext(ctx, network, strings.TrimPrefix(plain, "http://"))
		}
	})
	if asked.Load() != 0 || o.End.Class != a2a.ClassUnencrypted {
		t.Errorf("got %d requests in clear and end %+v, want none", asked.Load(), o.End)
	}
	sentence(t, o.End.Sentence, "https://agent.test redirects to http://agent.test,", "--endpoint https://agent.test/rpc")
}

// What goes wrong at the end of a redirect is told with both ends: the server that answered badly, or
// nobody, is not what the card names.
func TestAFailureAfterARedirectNamesBothEnds(t *testing.T) {
	t.Parallel()
	dead := "http://" + closedPort(t)
	for to, says := range map[string]string{dead + "/rpc": "refused the connection", "/gone?api_key=hush": "404", "/empty": "empty body", "/again": "redirects without end"} {
		url := serve(t, func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			switch r.URL.Path {
			case "/gone":
				w.WriteHeader(404)
			case "/empty":
			default:
				w.Header().Set("Location", to)
				w.WriteHeader(307)
			}
		}).URL
		o, tp := call(t, url+"/from", func(o *a2a.Options) { o.AllowOrigins = []string{dead} })
		if strings.HasPrefix(to, "/") {
			to = url + to
		}
		from := url + "/from"
		if strings.HasSuffix(to, "/again") {
			from = to
		}
		sentence(t, o.End.Sentence, from+" redirected the request to "+strings.ReplaceAll(to, "hush", a2a.Mask+"₁")+". ", says)
		checkNoSecrets(t, tp, "hush")
	}
}

// References of a Location are read as RFC 3986 says, and its user and fragment are not used.
func TestLocationsOfOneOrigin(t *testing.T) {
	t.Parallel()
	for location, want := range map[string]string{
		"/to": "/to", "to": "/from/to", "?x=1": "/from/here?x=1", "../to": "/to", "//SELF/to": "/to", "http://SELF/to#part": "/to", "http://me:hush@SELF/to": "/to",
		"HTTP://SELF/a%2Fb": "/a%2Fb",
	} {
		var got, user string
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			if r.RequestURI == "/from/here" {
				w.Header().Set("Location", strings.ReplaceAll(location, "SELF", r.Host))
				w.WriteHeader(308)
				return
			}
			got, user = r.RequestURI, r.Header.Get("Authorization")
			_, _ = io.WriteString(w, taskAnswer)
		})
		if o, tp := call(t, s.URL+"/from/here", nil); o.Err != nil || got != want || user != "" {
			t.Errorf("%s: got %q with credentials %q and answer %+v, want %q", location, got, user, o, want)
		} else {
			checkNoSecrets(t, tp, "hush")
		}
	}
	for _, location := range []string{"https:///rpc", "http://", "http:\\\\other\\x", "http://[::1/", "javascript:alert(1)", "http://a b/", "file:///etc/passwd"} {
		url, _ := redirector(t, 307, func(string) string { return location })
		o, _ := call(t, url+"/from", nil)
		if o.End.Class != a2a.ClassRedirect {
			t.Errorf("%s: got end %+v, want class %q", location, o.End, a2a.ClassRedirect)
		}
		sentence(t, o.End.Sentence, "not an http or https URL")
	}
}
