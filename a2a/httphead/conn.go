package httphead

import (
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"
)

// A Conn is a connection that keeps the heads of the bytes that pass through it.
type Conn struct {
	net.Conn
	patience patience     // of a [Client] connection
	written  atomic.Int64 // bytes

	mu      sync.Mutex
	in, out scanner
	newest  *Exchange // of a [Client] connection
	surplus *surplus  // nil if none came
}

// errSpent refuses a request on a connection on which bytes came that belong to no response.
var errSpent = errors.New("bytes came after the last response on this connection")

// Client returns a connection on which requests are written and responses read, one exchange
// after the other. It keeps at most limit bytes of a head, and of what comes after a response.
func Client(conn net.Conn, limit int) *Conn {
	return &Conn{Conn: conn, patience: usualPatience, in: scanner{limit: limit}, out: scanner{limit: limit, requests: true, state: opaque}}
}

// Server returns a connection on which requests are read.
func Server(conn net.Conn, limit int) *Conn {
	return &Conn{Conn: conn, in: scanner{limit: limit, requests: true, unbound: true}, out: scanner{limit: limit, state: opaque}}
}

// Read reads from the connection. What a [Client] connection brings after a complete response is
// surplus: it is not returned, and nothing can follow it, see [Exchange.Surplus].
func (c *Conn) Read(p []byte) (int, error) {
	for {
		if c.spent() {
			_ = c.drain()
			return 0, io.EOF
		}
		n, err := c.Conn.Read(p)
		own := c.received(p[:n])
		if own > 0 || n == 0 || err != nil {
			return own, err
		}
	}
}

// Write writes to the connection.
func (c *Conn) Write(p []byte) (int, error) {
	// The answer may be read before the write returns, so what is sent must be known by then.
	c.mu.Lock()
	if c.surplus != nil {
		c.mu.Unlock()
		return 0, errSpent
	}
	m := c.out.message
	before := 0
	if m != nil {
		before = len(m.Head)
	}
	c.out.scan(p)
	c.mu.Unlock()
	n, err := c.Conn.Write(p)
	c.written.Add(int64(n))
	if n < len(p) && m != nil {
		c.mu.Lock()
		if len(m.Head) > before+n {
			m.Head, m.Complete = m.Head[:before+n], false
		}
		c.mu.Unlock()
	}
	return n, err
}

// An Exchange is one request on a [Client] connection and its response, or one request on a
// [Server] connection. Nothing is known of a nil Exchange.
type Exchange struct {
	conn              *Conn
	request, response *Message
	before            *Exchange // the one whose response was complete when this one began
	surplus           *surplus  // nil if none came
	told              func(b []byte, omitted int)
}

// Skip skips what comes before the first exchange, such as the handshake with a proxy, which
// would otherwise count as its beginning.
func (c *Conn) Skip() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.in.state = opaque
}

// Begin starts an exchange: what is written next is the request, with the method, and what is
// read next is its response. It must be called before the request is written. It returns nil if no
// request can be written, because a surplus came.
func (c *Conn) Begin(method string) *Exchange {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.surplus != nil {
		return nil
	}
	x := &Exchange{conn: c}
	if c.in.state == idle {
		x.before = c.newest
	}
	x.request, x.response = c.out.begin(""), c.in.begin(method)
	if c.newest = x; x.before != nil {
		x.before.before = nil // whose surplus is not looked for any more
	}
	return x
}

// Sent returns what has been written of the request.
func (e *Exchange) Sent() Message { return e.message(func() *Message { return e.request }) }

// Received returns what has been read of the response, or of the request of a [Server]
// connection.
func (e *Exchange) Received() Message { return e.message(func() *Message { return e.response }) }

func (e *Exchange) message(which func() *Message) Message {
	if e == nil {
		return Message{}
	}
	e.conn.mu.Lock()
	defer e.conn.mu.Unlock()
	p := which()
	if p == nil {
		return Message{}
	}
	m := *p
	// More may be appended behind the returned slice.
	m.Head, m.Trailer = m.Head[:len(m.Head):len(m.Head)], m.Trailer[:len(m.Trailer):len(m.Trailer)]
	return m
}

// Next returns the oldest request of a [Server] connection that was not returned yet, nil if
// there is none. Bytes read later are added to it.
func (c *Conn) Next() *Exchange {
	c.mu.Lock()
	defer c.mu.Unlock()
	if m := c.in.take(); m != nil {
		return &Exchange{conn: c, response: m}
	}
	return nil
}
