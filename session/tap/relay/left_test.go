package relay

import (
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"
)

// A connCount counts the open connections that a relay has made.
type connCount struct {
	mu   sync.Mutex
	cond *sync.Cond
	open int
	all  int

	stuck func() // is called if a write takes long
}

func newConnCount() *connCount {
	c := &connCount{}
	c.cond = sync.NewCond(&c.mu)
	return c
}

func (c *connCount) dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	c.add(1)
	return &countedConn{Conn: conn, of: c, close: sync.OnceFunc(func() { c.add(-1) })}, nil
}

func (c *connCount) add(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open += n
	c.all += max(n, 0)
	c.cond.Broadcast()
}

// none waits until no connection is open, and returns how many there were.
func (c *connCount) none() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.open > 0 {
		c.cond.Wait()
	}
	return c.all
}

type countedConn struct {
	net.Conn
	of    *connCount
	close func()
}

func (c *countedConn) Write(p []byte) (int, error) {
	defer time.AfterFunc(200*time.Millisecond, c.of.stuck).Stop()
	return c.Conn.Write(p)
}

func (c *countedConn) Close() error {
	c.close()
	return c.Conn.Close()
}

// An agent that does not read leaves the goroutine of its connection in the middle of a write. It
// ends when the client leaves.
func TestNoConnectionToAnAgentOutlivesItsClient(t *testing.T) {
	t.Parallel()
	const (
		settings = "\x00\x00\x06\x04\x00\x00\x00\x00\x00" + "\x00\x04\x7f\xff\xff\xff" // a window of 2 GiB for each stream
		window   = "\x00\x00\x04\x08\x00\x00\x00\x00\x00" + "\x7f\x00\x00\x00"         // and for all
	)
	gone := make(chan struct{})
	agent := rawAgent(t, func(conn *net.TCPConn) {
		_, _ = io.WriteString(conn, settings+window)
		<-gone
	})
	defer close(gone)
	count := newConnCount()
	stuck := make(chan struct{})
	count.stuck = sync.OnceFunc(func() { close(stuck) })
	n := newNotebook(nil)
	r := startRelay(t, agent, Options{Observer: n, Dial: count.dial})
	var conn net.Conn
	client := clientOf(t, nil)
	client.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		var err error
		conn, err = new(net.Dialer).DialContext(ctx, network, address)
		return conn, err
	}
	req, _ := http.NewRequest("POST", r.URL(), &endless{})
	req.ContentLength = -1
	done := make(chan error, 1)
	go func() {
		_, err := client.RoundTrip(req)
		done <- err
	}()
	<-stuck
	_ = conn.Close()
	if err := <-done; err == nil {
		t.Error("got a response, want none")
	}
	if all := count.none(); all != 1 {
		t.Errorf("got %d connections, want one", all)
	}
	if p := n.ended(1)[0]; p.end.Cause != ClientBroke {
		t.Errorf("got %+v, want that the client left", p.end)
	}
}

// An endless body has always more.
type endless struct {
	read   int64
	enough func(read int64) // is told how much was read, if it is set
}

func (e *endless) Read(p []byte) (int, error) {
	if e.read += int64(len(p)); e.enough != nil {
		e.enough(e.read)
	}
	return len(p), nil
}

func (e *endless) Close() error { return nil }
