package a2a_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"parley/a2a"
)

// ticks returns a clock that advances by a millisecond at each reading.
func ticks() func() time.Time {
	var mu sync.Mutex
	now := time.Date(2026, 11, 20, 14, 2, 3, 0, time.UTC)
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(time.Millisecond)
		return now
	}
}

// timings calls an agent n times and returns the timings of the answers' heads.
func timings(t *testing.T, url string, n int, change func(*a2a.Options)) []*a2a.Timing {
	t.Helper()
	tp := newTape()
	o := options(tp, url)
	o.Trace.Now = ticks()
	if change != nil {
		change(&o)
	}
	c := a2a.NewClient(profile(a2a.V10, url), nil, o)
	defer c.Close()
	for range n {
		if out := c.Do(t.Context(), request(a2a.OpGet), a2a.Hooks{}); out.Err != nil {
			t.Fatalf("got error %v, want none", out.Err)
		}
	}
	tp.check(t)
	var list []*a2a.Timing
	for _, r := range tp.of(a2a.KindHead) {
		list = append(list, r.Head.Timing)
	}
	for _, r := range tp.of(a2a.KindRequest) {
		if r.Head.Timing != nil {
			t.Errorf("got timing %+v in the request record, want none", r.Head.Timing)
		}
	}
	return list
}

// Another goroutine reports that the request was written, and the answer may arrive before:
// then Sent is 0.
func TestAHeadTellsHowLongItTook(t *testing.T) {
	t.Parallel()
	agent := serve(t, answer(200, "application/json", taskAnswer))
	list := timings(t, agent.URL, 2, nil)
	first, second := list[0], list[1]
	if first.Connect <= 0 || first.Reused || first.DNS != 0 || first.TLS != 0 {
		t.Errorf("first connection: got timing %+v, want Connect alone", first)
	}
	if early := first.Sent != 0 && first.Sent <= first.Connect; early || first.FirstByte <= first.Connect {
		t.Errorf("first connection: got timing %+v, want Sent and FirstByte after Connect", first)
	}
	if second.Connect != 0 || !second.Reused || second.FirstByte <= 0 {
		t.Errorf("reused connection: got timing %+v, want FirstByte without Connect", second)
	}
	for _, got := range list {
		if got.Remote != agent.Listener.Addr().String() {
			t.Errorf("got remote %q, want %q", got.Remote, agent.Listener.Addr())
		}
	}
}

func TestAHeadTellsOfTheHandshake(t *testing.T) {
	t.Parallel()
	for _, proto := range []string{"HTTP/1.1", "HTTP/2.0"} {
		t.Run(proto, func(t *testing.T) {
			var got string
			agent := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				got = r.Proto
				answer(200, "application/json", taskAnswer)(w, r)
			}))
			agent.EnableHTTP2 = proto == "HTTP/2.0"
			agent.StartTLS()
			defer agent.Close()
			list := timings(t, agent.URL, 2, func(o *a2a.Options) { o.Servers.Insecure = true })
			if got != proto {
				t.Fatalf("got protocol %s, want %s", got, proto)
			}
			if first := list[0]; first.TLS <= 0 || first.Connect <= 0 || first.FirstByte <= first.TLS {
				t.Errorf("first connection: got timing %+v, want TLS and Connect before FirstByte", first)
			}
			if second := list[1]; second.TLS != 0 || !second.Reused {
				t.Errorf("reused connection: got timing %+v, want no TLS", second)
			}
		})
	}
}

// If an agent closes idle connections, the next request fails on one of them. The repeated
// attempt does not include the timing of the first one.
func TestARepeatedAttemptIsTimedAnew(t *testing.T) {
	t.Parallel()
	agent := serve(t, answer(200, "application/json", taskAnswer))
	first := true
	list := timings(t, agent.URL, 2, func(o *a2a.Options) {
		o.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
			conn, err := (&net.Dialer{}).DialContext(ctx, network, addr)
			if first && err == nil {
				first = false
				return &deafAfter{Conn: conn}, nil
			}
			return conn, err
		}
	})
	if second := list[1]; second.Reused || second.Connect <= 0 {
		t.Errorf("second connection: got timing %+v, want a new Connect", second)
	}
}

// deafAfter is a connection that fails at the second write.
type deafAfter struct {
	net.Conn
	writes int
}

func (c *deafAfter) Write(p []byte) (int, error) {
	if c.writes++; c.writes > 1 {
		_ = c.Close()
		return 0, io.ErrClosedPipe
	}
	return c.Conn.Write(p)
}
