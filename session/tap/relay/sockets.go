package relay

import (
	"context"
	"crypto/tls"
	"net"
	"sync"

	"parley/internal/crash"
)

// Sockets knows the connections that relays of one process have opened to agents, and the way on
// which each came about, so that a relay notices when it is its own client.
type Sockets struct {
	mu   sync.Mutex
	ways map[ends][]*Relay
}

// ends are the addresses of a connection. Both are needed: the system gives one port to several
// connections that lead to different addresses.
type ends struct{ from, to string }

// NewSockets returns a register without connections.
func NewSockets() *Sockets { return &Sockets{ways: map[ends][]*Relay{}} }

// way returns the relays that stand before a connection that was accepted.
func (s *Sockets) way(accepted net.Conn) []*Relay {
	e := ends{from: accepted.RemoteAddr().String(), to: accepted.LocalAddr().String()}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ways[e]
}

// track registers a connection until it is closed.
func (s *Sockets) track(conn net.Conn, way []*Relay) net.Conn {
	t := &tracked{Conn: conn, of: s, ends: ends{from: conn.LocalAddr().String(), to: conn.RemoteAddr().String()}}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ways[t.ends] = way
	return t
}

// A tracked connection is in a register.
type tracked struct {
	net.Conn
	of   *Sockets
	ends ends
	once sync.Once
	stop func() bool // what else would close it, nil for nothing; the lock of the register guards it
}

// endWith closes a connection that a relay has opened when a context ends.
func endWith(ctx context.Context, conn net.Conn) {
	if secure, ok := conn.(*tls.Conn); ok {
		conn = secure.NetConn()
	}
	if t, ok := conn.(*tracked); ok {
		t.of.mu.Lock()
		defer t.of.mu.Unlock()
		t.stop = context.AfterFunc(ctx, func() {
			defer crash.Guard()
			_ = t.Close() // whoever uses it learns of it
		})
	}
}

// Close closes the connection and forgets it.
func (t *tracked) Close() error {
	t.once.Do(func() {
		t.of.mu.Lock()
		defer t.of.mu.Unlock()
		if t.stop != nil {
			t.stop()
		}
		delete(t.of.ways, t.ends)
	})
	return t.Conn.Close()
}

// CloseWrite says that no more bytes follow, where the connection can say so.
func (t *tracked) CloseWrite() error {
	if half, ok := t.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// SetLinger says whether a connection that is closed is reset.
func (t *tracked) SetLinger(seconds int) error {
	if tcp, ok := t.Conn.(interface{ SetLinger(int) error }); ok {
		return tcp.SetLinger(seconds)
	}
	return nil
}
