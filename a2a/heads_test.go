package a2a_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"parley/a2a"
)

// chunkedAnswer is a chunked answer without its trailer.
var chunkedAnswer = fmt.Sprintf("%x\r\n%s\r\n0\r\n", len(taskAnswer), taskAnswer)

// serveScript answers each request of a connection with the next answer, whose bytes may be in
// several pieces, and stores the bytes read before each.
func serveScript(t *testing.T, answers ...[]string) (address string, requests func() []string) {
	t.Helper()
	read := make(chan string, 2*len(answers))
	u := serveConns(t, func(c net.Conn) {
		var all strings.Builder
		r := bufio.NewReader(io.TeeReader(c, &all))
		for _, pieces := range answers {
			req, err := http.ReadRequest(r)
			if err != nil {
				return
			}
			_, _ = io.Copy(io.Discard, req.Body)
			read <- all.String()
			all.Reset()
			for _, piece := range pieces {
				if _, err := io.WriteString(c, piece); err != nil {
					return
				}
			}
		}
	})
	return u, func() []string {
		var all []string
		for range len(read) {
			all = append(all, <-read)
		}
		return all
	}
}

// headOf returns the head of the nth response.
func headOf(t *testing.T, tp *tape, n int) *a2a.Head {
	t.Helper()
	for _, r := range tp.records {
		if r.Kind == a2a.KindHead {
			if n == 0 {
				return r.Head
			}
			n--
		}
	}
	t.Fatalf("got too few heads in %d records", len(tp.records))
	return nil
}

func TestHeadsAreRecordedAsTheyWereSentAndReceived(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, head, body, trailer string }{
		{"order and spelling", "HTTP/1.1 200 Quite fine\r\nx-Zeta: 1\r\nContent-type:application/json\r\nALPHA:  two  \r\nx-Zeta: 3\r\ntransfer-encoding: chunked\r\n\r\n", chunkedAnswer + "\r\n", ""},
		{"informational", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", chunkedAnswer + "\r\n", ""},
		{"trailer", "HTTP/1.1 200 OK\r\nTrailer: x-sum\r\nTransfer-Encoding: chunked\r\n\r\n", chunkedAnswer, "x-sum: 12\r\nX-Unannounced: yes\r\n\r\n"},
		{"folded and not ASCII", "HTTP/1.1 200 OK\r\nA: b\r\n\tc\r\nB: \xe9\r\nTransfer-Encoding: chunked\r\n\r\n", chunkedAnswer + "\r\n", ""},
		{"space before the colon", "HTTP/1.1 200 OK\r\nA : b\r\n\r\n", taskAnswer, ""},
		{"bare line feeds", "HTTP/1.1 200 OK\nb: 2\na: 1\n\n", taskAnswer, ""},
		{"2 MB", "HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 2<<20) + "\r\n\r\n", taskAnswer, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			whole := tt.head + tt.body + tt.trailer
			third := len(tt.head) / 3
			u, requests := serveScript(t, []string{whole[:third], whole[third:]})
			o, tp := call(t, u, nil)
			if o.Err != nil {
				t.Fatalf("got error %v, want none", o.Err)
			}
			h := headOf(t, tp, 0)
			if string(h.Wire) != tt.head || h.Rebuilt != "" || h.Omitted != 0 {
				t.Errorf("got head %.200q (%q, %d omitted), want %.200q", h.Wire, h.Rebuilt, h.Omitted, tt.head)
			}
			sent := requests()[0]
			sent = sent[:strings.Index(sent, "\r\n\r\n")+4]
			if string(h.Sent) != sent || !strings.HasPrefix(sent, "POST / HTTP/1.1\r\nHost: ") {
				t.Errorf("agent got %q, record has %q", sent, h.Sent)
			}
			end := tp.records[len(tp.records)-1].End
			if tt.trailer == "" && end.Trailer != nil || tt.trailer != "" && (end.Trailer == nil || string(end.Trailer.Wire) != tt.trailer) {
				t.Errorf("got trailer %+v, want %q", end.Trailer, tt.trailer)
			}
		})
	}
}

func TestHeadsSurviveJSON(t *testing.T) {
	t.Parallel()
	for _, wire := range []a2a.HeadBytes{"", "HTTP/1.1 200 OK\r\na: <b>\r\n\r\n", "HTTP/1.1 200 OK\r\na: \xff\x00\r\n\r\n"} {
		b, err := json.Marshal(a2a.Head{Wire: wire})
		var again a2a.Head
		if err == nil {
			err = json.Unmarshal(b, &again)
		}
		if err != nil || again.Wire != wire {
			t.Errorf("got %q from JSON %s, want %q (%v)", again.Wire, b, wire, err)
		}
	}
}

// Requests on one connection and on the next one each have their own heads. net/http decides
// which requests share a connection, and drops one that is not free in time.
func TestHeadsBelongToTheirExchange(t *testing.T) {
	t.Parallel()
	var n atomic.Int32
	u := serveConns(t, func(c net.Conn) {
		r := bufio.NewReader(c)
		for stays := "keep-alive"; stays != "close"; {
			req, err := http.ReadRequest(r)
			if err != nil {
				return
			}
			_, _ = io.Copy(io.Discard, req.Body)
			number := n.Add(1) - 1
			if number%3 == 2 {
				stays = "close"
			}
			fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nconnection: %s\r\nnumber: %d\r\ncontent-length: %d\r\n\r\n%s",
				stays, number, len(taskAnswer), taskAnswer)
		}
	})
	tp := newTape()
	p := profile(a2a.V10, u)
	c := a2a.NewClient(p, nil, options(tp, u))
	t.Cleanup(c.Close) // before the server waits for its connections
	for range 7 {
		if o := c.Do(t.Context(), request(a2a.OpGet), a2a.Hooks{}); o.Err != nil {
			t.Fatalf("got error %v, want none", o.Err)
		}
	}
	for n := range 7 {
		h := headOf(t, tp, n)
		if want := fmt.Sprintf("number: %d\r\n", n); !strings.Contains(string(h.Wire), want) || h.Earlier != "" || strings.Count(string(h.Sent), "POST / HTTP/1.1\r\n") != 1 {
			t.Errorf("exchange %d: got head %q (%s), sent %q after %q", n, h.Wire, h.Rebuilt, h.Sent, h.Earlier)
		}
	}
}

// If an agent closes an idle connection when the next request arrives, net/http repeats the
// request. That request's record has both attempts, and no other record has.
func TestARequestThatIsSentTwiceHasBothHeads(t *testing.T) {
	t.Parallel()
	// Under load net/http may drop the connection before the second request, which is then sent
	// only once.
	const tries = 100
	for range tries {
		var read atomic.Int32 // how often the second request was read
		u := serveConns(t, func(c net.Conn) {
			r := bufio.NewReader(c)
			for first := true; ; first = false {
				req, err := http.ReadRequest(r)
				if err != nil {
					return
				}
				if req.URL.Path == "/second" && read.Add(1) == 1 && !first {
					return // closes the reused connection
				}
				fmt.Fprintf(c, "HTTP/1.1 200 OK\r\npath: %s\r\ncontent-length: 2\r\n\r\n{}", req.URL.Path)
			}
		})
		tp := newTape()
		c := a2a.NewClient(profile(a2a.V10, u), nil, options(tp, u))
		for n, path := range []string{"/first", "/second", "/third"} {
			if o := c.Raw(t.Context(), a2a.Call{}, a2a.RawRequest{Method: "GET", URL: u + path}, a2a.Hooks{}); o.End.Reason != a2a.Ended {
				t.Fatalf("got end %q (%s), want %q", o.End.Reason, o.End.Sentence, a2a.Ended)
			}
			h, earlier := headOf(t, tp, n), ""
			if path == "/second" && read.Load() == 2 {
				earlier = string(h.Sent)
			}
			if !strings.HasPrefix(string(h.Sent), "GET "+path+" HTTP/1.1\r\n") || strings.Count(string(h.Sent), "\r\n\r\n") != 1 ||
				string(h.Earlier) != earlier || !strings.Contains(string(h.Wire), "path: "+path+"\r\n") {
				t.Errorf("%s: sent %q after %q, got head %q", path, h.Sent, h.Earlier, h.Wire)
			}
		}
		c.Close() // before the server waits for its connections
		if read.Load() == 2 {
			return
		}
	}
	t.Errorf("got no request that net/http repeated in %d attempts, want one", tries)
}

func TestRedirectsHaveHeadsOfTheirOwn(t *testing.T) {
	t.Parallel()
	goal, _ := serveScript(t, []string{"HTTP/1.1 200 OK\r\nhere: yes\r\ncontent-length: " + fmt.Sprint(len(taskAnswer)) + "\r\n\r\n" + taskAnswer})
	first, _ := serveScript(t, []string{"HTTP/1.1 307 Over there\r\nlocation: " + goal + "\r\ncontent-length: 0\r\n\r\n"})
	o, tp := call(t, first, func(o *a2a.Options) { o.AllowOrigins = []string{goal} })
	if o.Err != nil {
		t.Fatalf("got error %v, want none", o.Err)
	}
	for n, want := range []string{"HTTP/1.1 307 Over there\r\nlocation: ", "HTTP/1.1 200 OK\r\nhere: yes"} {
		if h := headOf(t, tp, n); !strings.HasPrefix(string(h.Wire), want) {
			t.Errorf("got head %d %q, want %q", n, h.Wire, want)
		}
	}
}

func TestRefusedHeadsAreRecorded(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, head string
		status     int
		torn       bool
	}{
		{"control character", "HTTP/1.1 200 OK\r\nx: \x01\r\nb: 2\r\n\r\n", 200, false},
		{"is not a status line", "HTTP/1.1 OK\r\nx: y\r\n\r\n", 0, false},
		{"no HTTP", "SSH-2.0-OpenSSH_9\r\n", 0, true},
		{"torn", "HTTP/1.1 404 Not Found\r\nx: ", 404, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			u, _ := serveScript(t, []string{tt.head})
			_, tp := call(t, u, nil)
			h := headOf(t, tp, 0)
			if string(h.Wire) != tt.head || h.Status != tt.status || tp.records[1].Torn != tt.torn || h.Sent == "" {
				t.Errorf("got head %+v, torn %v; want %q, status %d, torn %v", h, tp.records[1].Torn, tt.head, tt.status, tt.torn)
			}
		})
	}
}

func TestHTTP2HeadsAreMarkedAsDecoded(t *testing.T) {
	t.Parallel()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Trailer", "X-Sum")
		_, _ = io.WriteString(w, taskAnswer)
		w.Header().Set("X-Sum", "12")
	}))
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(s.Close)
	o, tp := call(t, s.URL, func(o *a2a.Options) { o.Servers.Insecure = true })
	if o.Err != nil {
		t.Fatalf("got error %v, want none", o.Err)
	}
	h := headOf(t, tp, 0)
	end := tp.records[len(tp.records)-1].End
	if h.Proto != "HTTP/2.0" || h.Wire != "" || h.Sent != "" || !strings.HasPrefix(h.Rebuilt, "HTTP/2, decoded") {
		t.Errorf("got head %+v, want one decoded from HTTP/2", h)
	}
	if end.Trailer == nil || end.Trailer.Header.Get("X-Sum") != "12" || end.Trailer.Rebuilt == "" {
		t.Errorf("got trailer %+v, want X-Sum 12, rebuilt", end.Trailer)
	}
}

// serveTunnels starts a proxy of HTTP that connects to where a CONNECT leads, and answers every other
// request itself; seen gets each request.
func serveTunnels(t *testing.T, seen func(*http.Request)) *httptest.Server {
	return serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen(r)
		if r.Method != http.MethodConnect {
			_, _ = io.WriteString(w, taskAnswer)
			return
		}
		there, err := net.Dial("tcp", r.Host)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		here, _, _ := w.(http.Hijacker).Hijack()
		_, _ = io.WriteString(here, "HTTP/1.1 200 Connection established\r\n\r\n")
		go func() { _, _ = io.Copy(there, here); there.Close() }()
		_, _ = io.Copy(here, there)
		here.Close()
	}))
}

func TestHeadsBehindTLSAndTunnelsAreExact(t *testing.T) {
	t.Parallel()
	secure := quietTLS(t, nil) // of HTTP/1.1
	proxy := serveTunnels(t, func(*http.Request) {})
	through := func(o *a2a.Options) {
		u, _ := url.Parse(proxy.URL)
		o.Servers.Insecure, o.Proxy = true, http.ProxyURL(u)
	}
	for _, tt := range []struct {
		name, url string
		change    func(*a2a.Options)
		line      string
	}{
		{"TLS", secure.URL, func(o *a2a.Options) { o.Servers.Insecure = true }, "POST / HTTP/1.1\r\n"},
		{"tunnel", secure.URL, through, "POST / HTTP/1.1\r\n"},
		{"proxy", "http://agent.example/", through, "POST http://agent.example/ HTTP/1.1\r\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o, tp := call(t, tt.url, tt.change)
			if o.Err != nil {
				t.Fatalf("got error %v, want none", o.Err)
			}
			h := headOf(t, tp, 0)
			if !strings.HasPrefix(string(h.Wire), "HTTP/1.1 200 OK\r\n") || !strings.HasPrefix(string(h.Sent), tt.line) {
				t.Errorf("got head %q (%s), sent %q", h.Wire, h.Rebuilt, h.Sent)
			}
		})
	}
}

// A proxy on the way to an agent behind TLS learns the host, and nothing that the request carries.
func TestAProxyGetsNoCredentials(t *testing.T) {
	t.Parallel()
	var carried, connected atomic.Int32
	secure := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "Bearer "+bearer && r.Header.Get("X-Pass") == "p" {
			carried.Add(1)
		}
		_, _ = io.WriteString(w, taskAnswer)
	}))
	defer secure.Close()
	proxy := serveTunnels(t, func(r *http.Request) {
		connected.Add(1)
		if head := fmt.Sprint(r.Header); r.Method != http.MethodConnect || strings.Contains(head, bearer) || r.Header.Get("X-Pass") != "" {
			t.Errorf("got %s %s with %s at the proxy, want CONNECT without credentials", r.Method, r.RequestURI, head)
		}
	})
	o, _ := call(t, secure.URL, func(o *a2a.Options) {
		u, _ := url.Parse(proxy.URL)
		o.Servers.Insecure, o.Proxy, o.Bearer = true, http.ProxyURL(u), bearer
		o.Headers = []a2a.HeaderPair{{Name: "X-Pass", Value: "p"}}
	})
	if o.Err != nil || carried.Load() != 1 || connected.Load() != 1 {
		t.Errorf("got error %v, %d requests with credentials and %d connections through the proxy, want one each", o.Err, carried.Load(), connected.Load())
	}
}

func TestSecretsAreMaskedInHeads(t *testing.T) {
	t.Parallel()
	const token = "sesame-open-123"
	u, _ := serveScript(t, []string{"HTTP/1.1 200 " + token + "\r\nset-cookie : a=" + token + "\r\nECHO: <" + token + ">\r\nlocation: http://x/?token=abc&b=c\r\n" +
		"x-" + token + ": y\r\nplain: text\r\ncontent-length: " + fmt.Sprint(len(taskAnswer)) + "\r\n\r\n" + taskAnswer})
	o, tp := call(t, u, func(o *a2a.Options) { o.Bearer = token })
	if o.Err != nil {
		t.Fatalf("got error %v, want none", o.Err)
	}
	h := headOf(t, tp, 0)
	if strings.Contains(string(h.Wire+h.Sent), token) || !strings.Contains(string(h.Sent), "Authorization: •••\r\n") {
		t.Errorf("got heads %q and %q, want Authorization masked", h.Wire, h.Sent)
	}
	for _, want := range []string{"HTTP/1.1 200 •••\r\nset-cookie : •••\r\n", "ECHO: <•••>\r\n", "?token=•••₁&b=c\r\n", "\r\nplain: text\r\ncontent-length: "} {
		if !strings.Contains(string(h.Wire), want) {
			t.Errorf("head does not contain %q: %q", want, h.Wire)
		}
	}
}
