package webhook

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"parley/internal/pipetest"
)

// A post is a receiver and the calls that it passed on.
type post struct {
	*Receiver
	t     *testing.T
	calls chan Call
	dial  func(ctx context.Context, network, address string) (net.Conn, error)
}

func newPost(t *testing.T, change func(*Options)) *post {
	t.Helper()
	p := &post{t: t, calls: make(chan Call, 4096), dial: new(net.Dialer).DialContext}
	r, err := Start(p.options(change))
	if err != nil {
		t.Fatal(err)
	}
	p.Receiver = r
	t.Cleanup(r.Close)
	return p
}

// newPostOnPipes returns a post for a test in a bubble.
func newPostOnPipes(t *testing.T, change func(*Options)) *post {
	t.Helper()
	pipes := pipetest.New()
	p := &post{t: t, calls: make(chan Call, 4096), dial: pipes.Dial}
	p.Receiver = serve(p.options(change), pipes, "http://"+pipes.Addr().String()+"/push")
	t.Cleanup(p.Receiver.Close)
	return p
}

func (p *post) options(change func(*Options)) Options {
	var mu sync.Mutex
	n := 0
	o := Options{
		NewKey: func() string { mu.Lock(); defer mu.Unlock(); n++; return fmt.Sprintf("key-%d", n) },
		Now:    time.Now,
		Take:   func(c Call) { p.calls <- c },
	}
	if change != nil {
		change(&o)
	}
	return o
}

// send sends a request and returns the answer's status and body.
func (p *post) send(method, url, body string, header ...string) (int, string, http.Header) {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	for _, h := range header {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Add(name, value)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer resp.Body.Close()
	got, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, string(got), resp.Header
}

// call returns the next call that the receiver passed on.
func (p *post) call() Call {
	p.t.Helper()
	select {
	case c := <-p.calls:
		return c
	case <-time.After(time.Minute):
		p.t.Fatal("got no call")
		return Call{}
	}
}

func TestTheHostThatIsCalledIsLookedAt(t *testing.T) {
	p := newPost(t, nil)
	h := p.Register(false)
	for host, want := range map[string]Verdict{
		"": Accepted, "localhost:81": Accepted, "127.0.0.9": Accepted, "[::1]:80": Accepted, "192.168.1.9:80": Accepted,
		"evil.example": Host, "evil.example:80": Host, "8.8.8.8": Host, "127.0.0.1.evil.example": Host, "localhost.evil.example": Host,
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.URL, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		req.Host = host
		req.Header.Set("X-A2A-Notification-Token", h.Token)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if c := p.call(); resp.StatusCode != want.Status() || c.Verdict != want {
			t.Errorf("Host %q: got status %d and verdict %q, want %q", host, resp.StatusCode, c.Verdict, want)
		}
	}
	letters := newPost(t, func(o *Options) { o.Public = "https://Bücher.example/hooks" })
	if !letters.acceptsHost("xn--bcher-kva.example:443") || letters.acceptsHost("bucher.example") {
		t.Error("got the webhook of bücher.example called under other names, want xn--bcher-kva.example")
	}
	public := newPost(t, func(o *Options) { o.Public = "https://desk.example/hooks" })
	for host, want := range map[string]bool{"desk.example": true, "DESK.example:443": true, "localhost:9": true, "other.example": false, "desk.example.evil": false} {
		if public.acceptsHost(host) != want {
			t.Errorf("named(%q) = %v, want %v", host, !want, want)
		}
	}
}

func TestADeliveryWithoutABodyIsTurnedAway(t *testing.T) {
	p := newPost(t, nil)
	h := p.Register(false)
	for _, body := range []string{"", " \r\n"} {
		status, _, _ := p.send("POST", h.URL, body, "X-A2A-Notification-Token: "+h.Token)
		if c := p.call(); status != http.StatusBadRequest || c.Verdict != Empty {
			t.Errorf("%q: got status %d and verdict %q, want 400 and %q", body, status, c.Verdict, Empty)
		}
	}
}

func TestWhoCallsIsLookedAt(t *testing.T) {
	p := newPost(t, nil)
	old, now := p.Register(false), p.Register(true)
	if now.Scheme != "Bearer" || now.Credentials == now.Token || old.Credentials != "" {
		t.Fatalf("got hooks %+v and %+v, want credentials for the second only", old, now)
	}
	for _, c := range []struct {
		name    string
		hook    *Hook
		headers []string
		want    Verdict
	}{
		{"the token", old, []string{"X-A2A-Notification-Token: " + old.Token}, Accepted},
		{"the token under the name of an SDK", old, []string{"A2A-Notification-Token: " + old.Token}, Accepted},
		{"nothing", old, nil, Token},
		{"an empty token", old, []string{"X-A2A-Notification-Token: "}, Token},
		{"another token", old, []string{"X-A2A-Notification-Token: x" + old.Token}, Token},
		{"the token and another one", old, []string{"X-A2A-Notification-Token: " + old.Token, "A2A-Notification-Token: other"}, Token},
		{"the token of another webhook", old, []string{"X-A2A-Notification-Token: " + now.Token}, Token},
		{"a signed token nobody asked for", old, []string{"X-A2A-Notification-Token: " + old.Token, "Authorization: Bearer eyJ.x.y"}, Accepted},
		{"an authorization nobody asked for alone", old, []string{"Authorization: Bearer eyJ.x.y"}, Token},
		{"the credentials", now, []string{"Authorization: bearer " + now.Credentials}, Accepted},
		{"the credentials and the token", now, []string{"Authorization: Bearer " + now.Credentials, "A2a-Notification-Token: " + now.Token}, Accepted},
		{"the credentials with a wrong token", now, []string{"Authorization: Bearer " + now.Credentials, "A2a-Notification-Token: no"}, Token},
		{"the token with wrong credentials", now, []string{"Authorization: Bearer no", "A2a-Notification-Token: " + now.Token}, Authorization},
		{"another scheme", now, []string{"Authorization: Basic " + now.Credentials}, Authorization},
		{"a scheme alone", now, []string{"Authorization: Bearer"}, Authorization},
		{"the token alone", now, []string{"X-A2A-Notification-Token: " + now.Token}, Accepted},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, _, header := p.send("POST", c.hook.URL, `{"id":"t"}`, c.headers...)
			got := p.call()
			if status != c.want.Status() || got.Verdict != c.want || got.Hook != c.hook || string(got.Body) != `{"id":"t"}` {
				t.Errorf("got status %d and verdict %q with body %q, want %q", status, got.Verdict, got.Body, c.want)
			}
			if (status == http.StatusUnauthorized) != (header.Get("WWW-Authenticate") != "") {
				t.Errorf("got status %d with WWW-Authenticate %q", status, header.Get("WWW-Authenticate"))
			}
		})
	}
}

func TestAServerMayMakeSureThatTheWebhookIsThere(t *testing.T) {
	p := newPost(t, nil)
	h := p.Register(false)
	for _, method := range []string{"GET", "POST"} {
		status, body, header := p.send(method, h.URL+"?validationToken=%3Cb%3Eabc%2B1", "")
		if status != 200 || body != "<b>abc+1" || header.Get("Content-Type") != "text/plain; charset=utf-8" || header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: got %d %q %v, want the token as plain text", method, status, body, header)
		}
		if c := p.call(); c.Verdict != Validation || c.Method != method {
			t.Errorf("got call %+v, want %q", c, Validation)
		}
	}
	if status, body, _ := p.send("GET", h.URL+"?validationToken="+strings.Repeat("a", 2000), ""); status != 400 || strings.Contains(body, "aaa") {
		t.Errorf("long token: got %d %.40q, want 400", status, body)
	}
	if status, body, _ := p.send("GET", p.Base()+"/nobody?validationToken=abc", ""); status != 404 || body != "" {
		t.Errorf("unknown webhook: got %d %q, want 404", status, body)
	}
}

func TestWhatIsNoDeliveryIsTurnedAway(t *testing.T) {
	p := newPost(t, func(o *Options) { o.MaxBody = 1000 })
	h := p.Register(false)
	token := "X-A2A-Notification-Token: " + h.Token
	for _, c := range []struct {
		name, method, url, body string
		want                    Verdict
		kept                    int
	}{
		{"another address", "POST", p.Base() + "/other", "{}", Address, 0},
		{"not an address", "POST", "http://" + strings.TrimSuffix(strings.TrimPrefix(p.Base(), "http://"), "/push"), "{}", Address, 0},
		{"a GET", "GET", h.URL, "", Method, 0},
		{"a PUT", "PUT", h.URL, "{}", Method, 2},
		{"a long body", "POST", h.URL, strings.Repeat("x", 2000), TooLarge, 2000},
		{"behind a proxy that adds a path", "POST", p.Base() + "/hooks/v2/" + h.Key, "{}", Accepted, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, body, _ := p.send(c.method, c.url, c.body, token)
			got := p.call()
			if status != c.want.Status() || got.Verdict != c.want || len(got.Body) != c.kept || body != "" {
				t.Errorf("got status %d %q, verdict %q with %d bytes, want %q with %d", status, body, got.Verdict, len(got.Body), c.want, c.kept)
			}
		})
	}
}

// speak writes raw bytes to the receiver and returns the connection.
func (p *post) speak(text string) net.Conn {
	p.t.Helper()
	host, _, _ := strings.Cut(strings.TrimPrefix(p.Base(), "http://"), "/")
	conn, err := p.dial(p.t.Context(), "tcp", host)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { conn.Close() })
	if _, err := io.WriteString(conn, text); err != nil {
		p.t.Fatal(err)
	}
	return conn
}

func TestABodyOfUnknownLengthIsBounded(t *testing.T) {
	p := newPost(t, func(o *Options) { o.MaxBody = 1000 })
	h := p.Register(false)
	conn := p.speak("POST /push/" + h.Key + " HTTP/1.1\r\nHost: localhost\r\nX-A2A-Notification-Token: " + h.Token + "\r\nTransfer-Encoding: chunked\r\n\r\n" +
		"7d0\r\n" + strings.Repeat("x", 2000) + "\r\n0\r\n\r\n")
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil || resp.StatusCode != http.StatusRequestEntityTooLarge {
		t.Fatalf("got response %v, %v, want status 413", resp, err)
	}
	if c := p.call(); c.Verdict != TooLarge || len(c.Body) != 1000 {
		t.Errorf("got verdict %q with %d bytes, want %q with 1000", c.Verdict, len(c.Body), TooLarge)
	}
}

// inTime calls try with longer and longer times until it succeeds, because the speed of a busy
// machine is unknown.
func inTime(t *testing.T, try func(allowed time.Duration) bool) {
	t.Helper()
	for allowed := 100 * time.Millisecond; !try(allowed); allowed *= 3 {
		if allowed > time.Minute {
			t.Fatal("condition is still false after a minute, want true")
		}
	}
}

// delivers reports whether the receiver takes a delivery to a webhook.
func (p *post) delivers(h *Hook) bool {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.t.Context(), http.MethodPost, h.URL, strings.NewReader("{}"))
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set("X-A2A-Notification-Token", h.Token)
	to := &http.Transport{DialContext: p.dial}
	defer to.CloseIdleConnections()
	resp, err := to.RoundTrip(req)
	if err != nil {
		return false
	}
	resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

func TestABodyThatNeverEndsIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPostOnPipes(t, func(o *Options) { o.ReadTimeout = time.Second })
		h, began := p.Register(false), time.Now()
		const slow = 3
		for range slow {
			for _, text := range []string{
				"POST /push/" + h.Key + " HTTP/1.1\r\nHost: localhost\r\nX-A2A-Notification-Token: " + h.Token + "\r\nContent-Length: 100\r\n\r\n{\"id\":",
				"POST /push/" + h.Key + " HTTP/1.1\r\nHost", // no head at all
			} {
				conn := p.speak(text)
				go func() { _, _ = io.Copy(io.Discard, conn) }() // takes the answer, as a socket does
			}
		}
		for range 2 * slow {
			c := p.call()
			torn := c.Verdict == Head && !c.Message.Complete && strings.HasSuffix(string(c.Message.Head), "\r\nHost")
			if !torn && (c.Verdict != Broken || string(c.Body) != `{"id":`) {
				t.Errorf("got verdict %q, head %q and body %q, want a call without its end", c.Verdict, c.Message.Head, c.Body)
			}
			if took := time.Since(began); took < time.Second || took > 2*time.Second {
				t.Errorf("got the call after %v, want it after a second", took)
			}
		}
		if !p.delivers(h) {
			t.Error("got no delivery afterwards, want one")
		}
	})
}

func TestManyConnectionsThatSayNothingKeepNobodyOut(t *testing.T) {
	inTime(t, func(allowed time.Duration) bool {
		p := newPost(t, func(o *Options) { o.ReadTimeout = allowed })
		h := p.Register(false)
		for range 2 * maxConns {
			p.speak("")
		}
		return p.delivers(h)
	})
}

func TestAFloodOfStrangersIsCountedAndNotTold(t *testing.T) {
	at := time.Now()
	p := newPost(t, func(o *Options) { o.Now = func() time.Time { return at } }) // never refills the bucket
	h := p.Register(false)
	const many = 200
	for range many {
		if status, _, _ := p.send("POST", h.URL, "{}", "X-A2A-Notification-Token: guess"); status != 401 {
			t.Fatalf("got status %d, want 401", status)
		}
	}
	if status, _, _ := p.send("POST", h.URL, "{}", "X-A2A-Notification-Token: "+h.Token); status != 200 {
		t.Errorf("got status %d for the agent, want 200", status)
	}
	told := 0
	for {
		c := p.call()
		if c.Verdict == Accepted {
			if told != strangersAtOnce || c.Unreported != many-told {
				t.Errorf("got %d calls of strangers and %d missed, want %d of %d", told, c.Unreported, strangersAtOnce, many)
			}
			break
		}
		told++
	}
}

func TestAnAgentDoesNotWaitForWhoTakes(t *testing.T) {
	gate := make(chan struct{})
	p := newPost(t, func(o *Options) { o.Take = func(Call) { <-gate } })
	h := p.Register(false)
	statuses := map[int]int{}
	for range maxQueued + 20 {
		status, _, header := p.send("POST", h.URL, "{}", "X-A2A-Notification-Token: "+h.Token)
		statuses[status]++
		if status == http.StatusServiceUnavailable && header.Get("Retry-After") == "" {
			t.Error("got no Retry-After")
		}
	}
	close(gate)
	if statuses[200] < maxQueued || statuses[503] == 0 || statuses[200]+statuses[503] != maxQueued+20 {
		t.Errorf("got statuses %v, want %d or more of 200, and 503", statuses, maxQueued)
	}
}

func TestWhereItListensIsSaid(t *testing.T) {
	taken := newPost(t, nil)
	host, _, _ := strings.Cut(strings.TrimPrefix(taken.Base(), "http://"), "/")
	for _, c := range []struct{ listen, public, want string }{
		{host, "", "another program listens there"},
		{"nonsense", "", "not an address of the form host:port"},
		{"0.0.0.0:0", "", "choose the address for agents with --push-url"},
		{"[::]:0", "", "choose the address for agents with --push-url"},
		{"", "ftp://x", "--push-url"},
		{"", "https://x/?a=b", "--push-url"},
		{"", "example.com", "--push-url"},
	} {
		r, err := Start(Options{Listen: c.listen, Public: c.public, NewKey: func() string { return "k" }, Now: time.Now, Take: func(Call) {}})
		if err == nil {
			r.Close()
			t.Errorf("Start(%q, %q) has no error, want %q", c.listen, c.public, c.want)
		} else if !strings.Contains(err.Error(), c.want) {
			t.Errorf("Start(%q, %q): got error %v, want %q", c.listen, c.public, err, c.want)
		}
	}
	p := newPost(t, func(o *Options) { o.Listen, o.Public = "0.0.0.0:0", "https://hooks.example.com/parley/" })
	if h := p.Register(false); h.URL != "https://hooks.example.com/parley/"+h.Key {
		t.Errorf("got webhook URL %s, want one below https://hooks.example.com/parley/", h.URL)
	}
}

func TestClosingHandsOnWhatCame(t *testing.T) {
	p := newPost(t, nil)
	h := p.Register(false)
	p.send("POST", h.URL, "{}", "X-A2A-Notification-Token: "+h.Token)
	p.speak("POST /push/" + h.Key + " HTTP/1.1\r\nHost: localhost\r\n")
	p.Close()
	p.Close()
	if c := p.call(); c.Verdict != Accepted {
		t.Errorf("got verdict %q, want %q", c.Verdict, Accepted)
	}
	if _, err := http.Get(p.Base()); err == nil {
		t.Error("got an answer from the receiver after Close, want an error")
	}
}

// A call is answered even if whoever takes it closes the receiver at once.
func TestTheCallThatEndsTheReceiverIsAnswered(t *testing.T) {
	for range 50 {
		taken := make(chan struct{})
		p := newPost(t, func(o *Options) { o.Take = func(Call) { close(taken) } })
		h := p.Register(false)
		closed := make(chan struct{})
		go func() {
			defer close(closed)
			<-taken
			p.Close()
		}()
		if status, _, _ := p.send("POST", h.URL, "{}", "X-A2A-Notification-Token: "+h.Token); status != http.StatusOK {
			t.Fatalf("got status %d, want 200", status)
		}
		<-closed
	}
}
