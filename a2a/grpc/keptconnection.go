package grpc

import (
	"context"
	"encoding/binary"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc/peer"
)

// keptConnections is a listener that remembers its connections by their addresses.
type keptConnections struct {
	net.Listener
	mu   sync.Mutex
	open map[string]*keptConnection
}

// Accept returns the next connection.
func (k *keptConnections) Accept() (net.Conn, error) {
	conn, err := k.Listener.Accept()
	if err != nil {
		return nil, err
	}
	kept := &keptConnection{Conn: conn, of: k}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.open[conn.RemoteAddr().String()] = kept
	return kept, nil
}

// of returns the connection of a call, nil if it has gone.
func (k *keptConnections) of(ctx context.Context) *keptConnection {
	from, ok := peer.FromContext(ctx)
	if !ok {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.open[from.Addr.String()]
}

// A keptConnection counts the bytes of messages that are written to it.
type keptConnection struct {
	net.Conn
	of   *keptConnections
	due  atomic.Int64 // of all messages that its calls send, heads included
	sent dataCounter
}

func (c *keptConnection) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	c.sent.count(b[:n])
	return n, err
}

// Close forgets the connection and closes it.
func (c *keptConnection) Close() error {
	c.of.mu.Lock()
	delete(c.of.open, c.RemoteAddr().String())
	c.of.mu.Unlock()
	return c.Conn.Close()
}

// reset ends the connection abruptly: the client may lose what it has not read.
func (c *keptConnection) reset() {
	if tcp, ok := c.Conn.(interface{ SetLinger(int) error }); ok {
		_ = tcp.SetLinger(0) // at worst the connection ends less abruptly
	}
	_ = c.Close()
}

// finish ends what the client can read, after everything that was written. Reading goes on for
// a moment: a connection closed with unread bytes is reset.
func (c *keptConnection) finish() {
	half, ok := c.Conn.(interface{ CloseWrite() error })
	if !ok || half.CloseWrite() != nil || c.SetReadDeadline(time.Now().Add(severTries*time.Millisecond)) != nil {
		_ = c.Close()
	}
}

const (
	messageHead = 5 // bytes before each message of gRPC
	frameHead   = 9 // bytes before each frame of HTTP/2
	frameOfData = 0 // the type of the frames that messages are in
)

// A dataCounter counts the contents of the DATA frames in what a server writes over HTTP/2
// (RFC 9113 section 4.1).
type dataCounter struct {
	total atomic.Int64
	head  [frameHead]byte
	have  int  // bytes of head
	rest  int  // bytes of the frame that are still to come
	data  bool // they count
}

// bytes returns how many bytes of messages were written.
func (d *dataCounter) bytes() int64 { return d.total.Load() }

// count takes the next bytes of the connection.
func (d *dataCounter) count(b []byte) {
	for len(b) > 0 {
		if d.rest > 0 {
			n := min(d.rest, len(b))
			if d.data {
				d.total.Add(int64(n))
			}
			d.rest -= n
			b = b[n:]
			continue
		}
		n := copy(d.head[d.have:], b)
		d.have += n
		b = b[n:]
		if d.have == frameHead {
			length := binary.BigEndian.Uint32(d.head[:4]) >> 8
			d.rest, d.data, d.have = int(length), d.head[3] == frameOfData, 0
		}
	}
}
