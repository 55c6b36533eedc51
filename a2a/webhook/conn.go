package webhook

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"parley/a2a/httphead"
)

const (
	maxKept  = 64 << 10 // bytes of a head that are kept
	maxDrain = 4 << 20  // bytes read of a request with a refused head, so that its sender reads the answer
	// drainTimeout is how long that may take.
	drainTimeout = time.Second
)

// taps makes the connections of a listener, up to a number, and keeps their request heads byte
// for byte.
type taps struct {
	net.Listener
	room   chan struct{}
	closed func(*conn) // is called once, before a connection is closed
}

// Accept waits for a connection and, before that, for room for it.
func (l *taps) Accept() (net.Conn, error) {
	l.room <- struct{}{}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.room
		return nil, err
	}
	tap := &conn{Conn: httphead.Server(c, maxKept)}
	tap.leave = sync.OnceFunc(func() {
		l.closed(tap)
		<-l.room
	})
	return tap, nil
}

// A conn is a connection of a caller.
type conn struct {
	*httphead.Conn
	leave    func()
	answered atomic.Int32 // the status of the newest answer, 0 before the first
}

// Write writes to the connection.
func (c *conn) Write(p []byte) (int, error) {
	if _, status := httphead.Status(httphead.StartLine(p[:min(len(p), 64)])); status > 0 {
		c.answered.Store(int32(status))
	}
	return c.Conn.Write(p)
}

// CloseWrite announces that nothing more will be written. net/http uses it.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// Close closes the connection.
func (c *conn) Close() error {
	c.leave()
	return c.Conn.Close()
}

// drain reads the rest of a request, so that the sender reads the answer: closing a connection
// with unread bytes discards the answer.
func (c *conn) drain() {
	_ = c.CloseWrite()
	_ = c.SetReadDeadline(time.Now().Add(drainTimeout))
	_, _ = io.Copy(io.Discard, io.LimitReader(c.Conn, maxDrain)) // as far as it comes
}

// connKey is the context key of a request's [conn].
type connKey struct{}

// withConn returns a context with a connection.
func withConn(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// exchange returns what its connection read of a request, nil if that is not known.
func exchange(req *http.Request) *httphead.Exchange {
	c, ok := req.Context().Value(connKey{}).(*conn)
	if !ok {
		return nil
	}
	x := c.Next()
	if line := httphead.StartLine(x.Received().Head); line != req.Method+" "+req.RequestURI+" "+req.Proto {
		return nil
	}
	return x
}

// refused reports a request that net/http gave to no handler because of its head.
func (r *Receiver) refused(c *conn) {
	x := c.Next()
	if x == nil || r.stopped.Load() {
		return
	}
	status := int(c.answered.Load())
	if status != 0 {
		c.drain()
	}
	m := x.Received()
	call := Call{Verdict: Head, HeadStatus: status, Time: r.o.Now(), Remote: c.RemoteAddr().String(), Message: m, Hook: r.hookIn(httphead.StartLine(m.Head))}
	call.Method, call.URL, call.Proto = startLine(httphead.StartLine(m.Head))
	r.enqueue(&call)
}

// startLine divides the first line of a request, as far as it has the form of one.
func startLine(line string) (method, target, proto string) {
	method, rest, ok := strings.Cut(line, " ")
	if !ok {
		return "", "", ""
	}
	at := strings.LastIndex(rest, " ")
	if at < 0 || !strings.HasPrefix(rest[at+1:], "HTTP/") {
		return "", "", ""
	}
	return method, rest[:at], rest[at+1:]
}
