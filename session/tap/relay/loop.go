package relay

import (
	"bufio"
	"context"
	"crypto/rand"
	"fmt"
	"hash/maphash"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"parley/internal/crash"
)

// A relay must not be its own agent. If its way back leads through relays of this process, [Sockets]
// knows it. If it leads through another process, each request comes back before it is answered, again
// and again: after so many equal ones the relay asks its agent for a name that only it knows, and sees
// whether the question comes back. Nothing is added to the requests of clients.
const (
	suspicious  = 50               // equal requests that wait for a response
	probeEvery  = time.Minute      // at most
	probeTime   = 5 * time.Second  // for an answer
	loopExpires = 30 * time.Second // then the user may have changed something
	probePath   = "/.well-known/parley-tap-loop-"
)

// A loopGuard notices that a relay leads back to itself through another process.
type loopGuard struct {
	seed maphash.Seed

	mu      sync.Mutex
	waiting map[uint64]int // requests without a response, by what they say
	mark    string         // of the newest question
	asked   time.Time      // when it was put
	found   time.Time      // when it came back
}

func newLoopGuard() *loopGuard {
	return &loopGuard{seed: maphash.MakeSeed(), waiting: map[uint64]int{}}
}

// sum is equal for heads that say the same, apart from their host.
func (g *loopGuard) sum(h *Head) uint64 {
	var m maphash.Hash
	m.SetSeed(g.seed)
	_, _ = m.WriteString(h.Method + " " + h.URI)
	for _, name := range slices.Sorted(maps.Keys(h.Header)) {
		_, _ = m.WriteString("\n" + name)
		for _, value := range h.Header[name] {
			_, _ = m.WriteString(":" + value)
		}
	}
	return m.Sum64()
}

// begin counts a request until done is called. It reports whether the relay should ask its agent for
// itself.
func (g *loopGuard) begin(h *Head, now time.Time) (ask bool, done func()) {
	sum := g.sum(h)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.waiting[sum]++
	if ask = g.waiting[sum] >= suspicious && now.Sub(g.asked) > probeEvery; ask {
		g.asked, g.mark = now, probePath+rand.Text()
	}
	return ask, sync.OnceFunc(func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		if g.waiting[sum]--; g.waiting[sum] == 0 {
			delete(g.waiting, sum)
		}
	})
}

// check reports whether a request proves a loop, or comes while one is known.
func (g *loopGuard) check(h *Head, now time.Time) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.mark != "" && h.URI == g.mark {
		g.found = now
	}
	return now.Sub(g.found) < loopExpires
}

// checkLoop says whether a request comes from this relay itself.
func (c *client) checkLoop(h *Head) *fault {
	if c.leadsBack() || c.relay.guard.check(h, h.Time) {
		return c.relay.loopFault()
	}
	return nil
}

// leadsBack reports whether a client that has sent something is this relay itself.
func (c *client) leadsBack() bool {
	if c.way == nil { // the connection may have been accepted before it was registered
		c.way = c.relay.options.Sockets.way(c.conn)
	}
	return slices.Contains(c.way, c.relay)
}

func (r *Relay) loopFault() *fault {
	return &fault{http.StatusLoopDetected, "The tap at " + r.base + " leads back to itself: its agent, " + r.options.Target.Host + ", is a way to this tap. Give it the address of the agent."}
}

// watchLoop counts a request that goes to the agent.
func (c *client) watchLoop(x *exchange) {
	ask, done := c.relay.guard.begin(&x.request, x.request.Time)
	x.answering = done
	if ask {
		c.relay.work.Go(crash.Guarded(c.relay.askForItself))
	}
}

// askForItself sends a question to an agent on this machine that only this relay knows.
func (r *Relay) askForItself() {
	ctx, cancel := context.WithTimeout(r.ctx, probeTime)
	defer cancel()
	to := r.options.Target
	if proxy, err := r.proxyOf(to); proxy != nil || err != nil {
		return // it does not lead to this machine
	}
	conn, err := r.dial(ctx, to, nil, overHTTP1)
	if err != nil {
		return // its clients learn of it
	}
	defer context.AfterFunc(ctx, func() {
		defer crash.Guard()
		_ = conn.Close()
	})()
	defer conn.Close()
	if !sameMachine(conn) {
		return // others should not be asked what no client asks
	}
	r.guard.mu.Lock()
	mark := r.guard.mark
	r.guard.mu.Unlock()
	if _, err := fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", mark, to.Host); err != nil {
		return
	}
	if resp, err := http.ReadResponse(bufio.NewReader(conn), nil); err == nil {
		_, _ = io.CopyN(io.Discard, resp.Body, 1<<10) // whatever it is, it was asked
		_ = resp.Body.Close()
	}
}

// sameMachine reports whether a connection does not leave this machine.
func sameMachine(conn net.Conn) bool {
	local, ok1 := conn.LocalAddr().(*net.TCPAddr)
	remote, ok2 := conn.RemoteAddr().(*net.TCPAddr)
	return ok1 && ok2 && (remote.IP.IsLoopback() || remote.IP.Equal(local.IP))
}
