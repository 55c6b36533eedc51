package listen

import (
	"net"
	"sync"
	"sync/atomic"
)

// A Limited is a listener that closes connections beyond a number of them at a time.
type Limited struct {
	net.Listener
	most int64
	open atomic.Int64
}

// Limit returns l with room for so many connections.
func Limit(l net.Listener, most int) *Limited { return &Limited{Listener: l, most: int64(most)} }

// Accept returns the next connection within the limit, and closes those beyond it.
func (l *Limited) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if l.open.Add(1) <= l.most {
			return &Conn{Conn: conn, of: l}, nil
		}
		l.open.Add(-1)
		_ = conn.Close() // it is one too many
	}
}

// A Conn is a connection of a [Limited] listener.
type Conn struct {
	net.Conn
	of   *Limited
	once sync.Once
}

// Close closes the connection and makes room for another one.
func (c *Conn) Close() error {
	c.once.Do(func() { c.of.open.Add(-1) })
	return c.Conn.Close()
}

// CloseWrite says that no more bytes follow, where the connection can say so.
func (c *Conn) CloseWrite() error {
	if tcp, ok := c.Conn.(*net.TCPConn); ok {
		return tcp.CloseWrite()
	}
	return nil
}

// SetLinger says whether a connection that is closed is reset.
func (c *Conn) SetLinger(seconds int) error {
	if tcp, ok := c.Conn.(*net.TCPConn); ok {
		return tcp.SetLinger(seconds)
	}
	return nil
}
