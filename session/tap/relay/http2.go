package relay

import (
	"bytes"
	"context"
	"crypto/tls"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
)

// preface is what a client of HTTP/2 sends first (RFC 9113, 3.4).
const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

const (
	// streamBuffer is how many bytes of one stream of HTTP/2 wait for a slow reader.
	streamBuffer = 1 << 20
	// maxStreams is how many streams a client may have open at a time on one connection.
	maxStreams = 250
)

// speaksHTTP2 reports whether the client begins with the preface of HTTP/2. It reads no more than
// is needed to know.
func (c *client) speaksHTTP2() bool {
	for {
		begin := c.in.data
		n := min(len(begin), len(preface))
		if !bytes.Equal(begin[:n], []byte(preface)[:n]) {
			return false
		}
		if n == len(preface) {
			return true
		}
		if n > 0 {
			c.enter(inHead)
		}
		if c.in.more() != nil {
			return false // the reader of heads finds out why
		}
	}
}

// serveHTTP2 passes on the streams of a connection until it ends.
func (c *client) serveHTTP2() {
	c.enter(idle)
	c.transport = c.newTransport()
	c.frames = handOver(c.conn, c.in.data)
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true) // if there is TLS, it is below
	server := &http.Server{
		Handler: http.HandlerFunc(c.serveStream), Protocols: protocols, MaxHeaderBytes: c.relay.limits.Head,
		// A stream that nobody reads must not hold up the others of its connection.
		HTTP2:       &http.HTTP2Config{MaxConcurrentStreams: maxStreams, MaxReceiveBufferPerStream: streamBuffer, MaxReceiveBufferPerConnection: maxStreams * streamBuffer},
		BaseContext: func(net.Listener) context.Context { return c.ctx },
		ErrorLog:    log.New(io.Discard, "", 0), // a client that breaks off is no news
	}
	_ = server.Serve(&oneConn{conn: c.frames}) // returns when the connection is closed
	c.cancel()
	c.streams.close()
	c.transport.CloseIdleConnections()
	_ = c.conn.Close()
	if early := c.takeEarly(c.relay.options.Target); early != nil {
		_ = early.Close() // no request came
	}
}

// newTransport returns the way to agents over HTTP/2. Each client has its own connections.
func (c *client) newTransport() *http.Transport {
	protocols := new(http.Protocols)
	protocols.SetHTTP2(true)
	protocols.SetUnencryptedHTTP2(true)
	open := func(ctx context.Context) (net.Conn, error) {
		to, _ := ctx.Value(targetKey{}).(*target)
		if conn := c.takeEarly(to.URL); conn != nil {
			return conn, nil
		}
		conn, err := c.relay.dial(ctx, to.URL, c.way, overHTTP2)
		if err != nil {
			return nil, &unreachableError{err}
		}
		if secure, ok := conn.(*tls.Conn); ok && secure.ConnectionState().NegotiatedProtocol != overHTTP2 {
			_ = conn.Close() // nothing was said
			return nil, &unreachableError{errNoHTTP2}
		}
		return conn, nil
	}
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		conn, err := open(ctx)
		if err == nil { // the transport keeps it while a stream, or a write, has no end
			endWith(c.ctx, conn)
		}
		return conn, err
	}
	return &http.Transport{
		DialContext: dial, DialTLSContext: dial, Protocols: protocols, DisableCompression: true,
		MaxResponseHeaderBytes: int64(c.relay.limits.Head),
		HTTP2:                  &http.HTTP2Config{MaxReceiveBufferPerStream: streamBuffer},
	}
}

// oneConn is a listener with one connection, which ends with it.
type oneConn struct {
	conn  *handedOver
	taken bool
}

func (l *oneConn) Accept() (net.Conn, error) {
	if l.taken {
		<-l.conn.closed
		return nil, net.ErrClosed
	}
	l.taken = true
	return l.conn, nil
}

func (l *oneConn) Close() error   { return nil }
func (l *oneConn) Addr() net.Addr { return l.conn.LocalAddr() }

// streams counts the streams of a connection that are being passed on.
type streams struct {
	mu     sync.Mutex
	closed bool
	open   sync.WaitGroup
}

// enter reports whether one more may begin.
func (s *streams) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.open.Add(1)
	}
	return !s.closed
}

// close lets no more begin, and returns when none is left.
func (s *streams) close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.open.Wait()
}
