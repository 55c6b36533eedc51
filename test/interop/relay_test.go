package interop

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/http2"

	"parley/session/tap/relay"
)

// TestBodiesThroughARelay calls every operation of every SDK through relays. What their observer sees
// equals, byte for byte, what a relay of TCP behind them sees, which knows nothing of HTTP.
func TestBodiesThroughARelay(t *testing.T) {
	served := map[string][]sdk{}
	for _, s := range slices.Concat(sdks, restSDKs, grpcSDKs) {
		served[s.module] = append(served[s.module], s)
	}
	for _, module := range slices.Sorted(maps.Keys(served)) {
		t.Run(module, func(t *testing.T) {
			t.Parallel()
			way := newRelayed(t, start(t, module))
			for _, s := range served[module] {
				t.Run(string(s.dialect)+s.path, func(t *testing.T) { operations(t, way.url, s, findings{}) })
			}
			way.compare(t)
		})
	}
}

// A relayed agent is reached through relays, one for each of its ports, with a relay of TCP behind
// each.
type relayed struct {
	url    string
	fronts map[string]*relay.Relay // by the agent's host and port

	mu    sync.Mutex
	seen  []*bodies // by the observer
	links []*link
}

// bodies are the sums of an exchange.
type bodies struct {
	of            *relayed
	proto, line   string
	sent, got     []byte
	whole, passed bool
}

// A link is what one connection of TCP carried.
type link struct {
	mu       sync.Mutex
	up, down bytes.Buffer
	sending  sync.WaitGroup // what the relay has written is copied
}

var hostAndPort = regexp.MustCompile(`(127\.0\.0\.1|localhost):\d+`)

func newRelayed(t *testing.T, agent string) *relayed {
	r := &relayed{fronts: map[string]*relay.Relay{}}
	at, err := url.Parse(agent)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.Get(agent + "/.well-known/agent-card.json")
	if err == nil && resp.StatusCode != http.StatusOK {
		_ = resp.Body.Close()
		resp, err = http.Get(agent + "/.well-known/agent.json")
	}
	if err != nil {
		t.Fatal(err)
	}
	card, _ := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	for _, host := range append(hostAndPort.FindAllString(string(card), -1), at.Host) {
		if r.fronts[host] == nil {
			r.fronts[host] = r.front(t, host)
		}
	}
	r.url = r.fronts[at.Host].URL()
	return r
}

func (r *relayed) front(t *testing.T, host string) *relay.Relay {
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(ctx, "tcp", host)
		if err != nil {
			return nil, err
		}
		l := &link{}
		r.mu.Lock()
		r.links = append(r.links, l)
		r.mu.Unlock()
		return through(conn, l), nil
	}
	front, err := relay.Start(t.Context(), relay.Options{Target: &url.URL{Scheme: "http", Host: host}, Observer: r, Dial: dial})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(front.Close)
	return front
}

// through returns a connection to a relay of TCP, which copies to the agent and back.
func through(agent net.Conn, l *link) net.Conn {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	defer listener.Close()
	near, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		panic(err)
	}
	far, err := listener.Accept()
	if err != nil {
		panic(err)
	}
	half := func(to, from net.Conn, into *bytes.Buffer) {
		buf := make([]byte, 32<<10)
		for {
			n, err := from.Read(buf)
			l.mu.Lock()
			into.Write(buf[:n])
			l.mu.Unlock()
			if _, failed := to.Write(buf[:n]); err != nil || failed != nil {
				_ = to.(*net.TCPConn).CloseWrite()
				return
			}
		}
	}
	l.sending.Go(func() { half(agent, far, &l.up) })
	go half(far, agent, &l.down)
	return near
}

// Begin begins an exchange. Addresses in cards lead through the relays.
func (r *relayed) Begin(_ relay.Client, h relay.Head) (relay.Exchange, relay.Plan) {
	b := &bodies{of: r, proto: h.Proto, line: h.Method + " " + h.URI}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seen = append(r.seen, b)
	if !strings.Contains(h.URI, "/.well-known/") {
		return b, relay.Plan{}
	}
	return b, relay.Plan{EditResponse: func(relay.Head) func([]byte) []byte {
		return func(card []byte) []byte {
			return hostAndPort.ReplaceAllFunc(card, func(host []byte) []byte {
				if front := r.fronts[string(host)]; front != nil {
					return []byte(front.Addr().String())
				}
				return host
			})
		}
	}}
}

func (b *bodies) note(what func()) {
	b.of.mu.Lock()
	defer b.of.mu.Unlock()
	what()
}

func (b *bodies) RequestBody(_ time.Time, p []byte)  { b.note(func() { b.sent = append(b.sent, p...) }) }
func (b *bodies) ResponseBody(_ time.Time, p []byte) { b.note(func() { b.got = append(b.got, p...) }) }
func (b *bodies) RequestEnd(time.Time)               { b.note(func() { b.whole = true }) }
func (b *bodies) Sent(relay.Head)                    {}
func (b *bodies) Response(relay.Head)                {}
func (b *bodies) End(e relay.End)                    { b.note(func() { b.passed = e.Cause == relay.Complete }) }

// compare compares the exchanges that were passed on whole with what the relays of TCP saw.
func (r *relayed) compare(t *testing.T) {
	t.Helper()
	for _, front := range r.fronts {
		front.Close()
	}
	want := map[string]int{}
	for _, l := range r.links {
		l.sending.Wait() // an agent may answer before its request is copied whole
		l.mu.Lock()
		up, down := l.up.Bytes(), l.down.Bytes()
		l.mu.Unlock()
		if bytes.HasPrefix(up, []byte(http2.ClientPreface)) {
			addStreams(want, up[len(http2.ClientPreface):], down)
		} else {
			addExchanges(want, up, down)
		}
	}
	compared := 0
	for _, b := range r.seen {
		if !b.whole || !b.passed {
			continue // the client left, as it does at the end of a subscription
		}
		compared++
		line := b.line
		if b.proto == "HTTP/2.0" {
			line = "stream"
		}
		key := sums(line, b.sent, b.got)
		if want[key]--; want[key] < 0 {
			t.Errorf("%s %s: got bodies of %d and %d bytes, which no relay of TCP saw, want equal ones\n%v", b.proto, b.line, len(b.sent), len(b.got), slices.Sorted(maps.Keys(want)))
		}
	}
	if compared < 10 {
		t.Errorf("got %d whole exchanges, want those of every operation", compared)
	}
}

func sums(line string, sent, got []byte) string {
	return fmt.Sprintf("%s %x %x", line, sha256.Sum256(sent), sha256.Sum256(got))
}

// addExchanges adds the exchanges that the bytes of a connection of HTTP/1 contain.
func addExchanges(to map[string]int, up, down []byte) {
	ups, downs := bufio.NewReader(bytes.NewReader(up)), bufio.NewReader(bytes.NewReader(down))
	for {
		req, err := http.ReadRequest(ups)
		if err != nil {
			return
		}
		sent, _ := io.ReadAll(req.Body)
		resp, err := http.ReadResponse(downs, req)
		if err != nil {
			return
		}
		got, _ := io.ReadAll(resp.Body)
		to[sums(req.Method+" "+req.RequestURI, sent, got)]++
	}
}

// addStreams adds the streams that the bytes of a connection of HTTP/2 contain.
func addStreams(to map[string]int, up, down []byte) {
	sent, got := dataOf(up), dataOf(down)
	for id := range sent {
		to[sums("stream", sent[id], got[id])]++
	}
}

// dataOf returns the bodies in frames, by stream.
func dataOf(b []byte) map[uint32][]byte {
	all := map[uint32][]byte{}
	framer := http2.NewFramer(io.Discard, bytes.NewReader(b))
	for {
		frame, err := framer.ReadFrame()
		if err != nil {
			return all
		}
		if data, ok := frame.(*http2.DataFrame); ok {
			all[data.StreamID] = append(all[data.StreamID], data.Data()...)
		} else if frame.Header().Type == http2.FrameHeaders {
			all[frame.Header().StreamID] = append(all[frame.Header().StreamID], []byte{}...)
		}
	}
}
