package relay

import (
	"bytes"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
)

// A notebook is an observer that keeps everything.
type notebook struct {
	plan func(h Head) Plan

	mu    sync.Mutex
	cond  *sync.Cond
	pages []*page
}

// A page is what a notebook has of one exchange.
type page struct {
	of                  *notebook
	client              Client
	request, sent       Head
	response            Head
	requestBody         bytes.Buffer
	body                bytes.Buffer
	whole, ended        bool
	end                 End
	sents, wrong, parts int
}

func newNotebook(plan func(h Head) Plan) *notebook {
	n := &notebook{plan: plan}
	n.cond = sync.NewCond(&n.mu)
	return n
}

func (n *notebook) Begin(c Client, h Head) (Exchange, Plan) {
	p := &page{of: n, client: c, request: h}
	n.mu.Lock()
	n.pages = append(n.pages, p)
	n.mu.Unlock()
	if n.plan != nil {
		return p, n.plan(h)
	}
	return p, Plan{}
}

// note changes a page unless it has ended.
func (p *page) note(what func()) {
	p.of.mu.Lock()
	defer p.of.mu.Unlock()
	if p.ended {
		p.wrong++
	}
	what()
	p.of.cond.Broadcast()
}

func (p *page) RequestBody(_ time.Time, b []byte) { p.note(func() { p.requestBody.Write(b) }) }
func (p *page) RequestEnd(time.Time)              { p.note(func() { p.whole = true }) }
func (p *page) Sent(h Head)                       { p.note(func() { p.sent = h; p.sents++ }) }
func (p *page) Response(h Head)                   { p.note(func() { p.response = h }) }
func (p *page) ResponseBody(_ time.Time, b []byte) {
	p.note(func() { p.body.Write(b); p.parts++ })
}
func (p *page) End(e End) { p.note(func() { p.ended, p.end = true, e }) }

// ended waits until n exchanges have ended and returns them.
func (n *notebook) ended(count int) []*page {
	n.mu.Lock()
	defer n.mu.Unlock()
	for {
		over := 0
		for _, p := range n.pages {
			if p.ended {
				over++
			}
		}
		if over >= count {
			return n.pages
		}
		n.cond.Wait()
	}
}

// startRelay begins a relay in front of an agent at host:port.
func startRelay(t testing.TB, agent string, o Options) *Relay {
	t.Helper()
	if o.Target == nil {
		o.Target = &url.URL{Scheme: "http", Host: agent}
	}
	r, err := Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

// A rawAgent serves every connection with a function.
func rawAgent(t testing.TB, serve func(conn *net.TCPConn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	t.Cleanup(func() { l.Close(); all.Wait() })
	all.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			all.Go(func() {
				defer conn.Close()
				serve(conn.(*net.TCPConn))
			})
		}
	})
	return l.Addr().String()
}

// exchangeRaw sends bytes and returns what comes until the end.
func exchangeRaw(t testing.TB, address, send string) (string, error) {
	t.Helper()
	conn := dialRaw(t, address)
	if _, err := io.WriteString(conn, send); err != nil {
		return "", err
	}
	b, err := io.ReadAll(conn)
	return string(b), err
}

func dialRaw(t testing.TB, address string) *net.TCPConn {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn.(*net.TCPConn)
}

// contains reports whether a text has all parts.
func contains(text string, parts ...string) bool {
	for _, p := range parts {
		if !strings.Contains(text, p) {
			return false
		}
	}
	return true
}
