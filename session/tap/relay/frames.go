package relay

import (
	"net"
	"sync"
)

// A handedOver connection is one of HTTP/2 that net/http serves. It begins with bytes that were read
// before, and knows how much of the bodies was written: net/http does not say when.
type handedOver struct {
	net.Conn
	rest   []byte
	once   sync.Once
	closed chan struct{}

	mu      sync.Mutex
	changed *sync.Cond
	header  []byte // of the frame that is being written, as far as it was
	left    int    // bytes of the frame behind its header
	data    bool   // it belongs to a body
	put     int64  // bytes of bodies that streams have written
	written int64  // of these, what went to the connection
	gone    bool   // nothing more will
}

func handOver(conn net.Conn, rest []byte) *handedOver {
	h := &handedOver{Conn: conn, rest: rest, closed: make(chan struct{})}
	h.changed = sync.NewCond(&h.mu)
	return h
}

// Read reads from the connection.
func (h *handedOver) Read(p []byte) (int, error) {
	if len(h.rest) > 0 {
		n := copy(p, h.rest)
		h.rest = h.rest[n:]
		return n, nil
	}
	return h.Conn.Read(p)
}

// Write writes whole frames, or parts of them.
func (h *handedOver) Write(p []byte) (int, error) {
	n, err := h.Conn.Write(p)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.count(p[:n])
	h.gone = h.gone || err != nil
	h.changed.Broadcast()
	return n, err
}

// count follows the frames that are written (RFC 9113, 4.1).
func (h *handedOver) count(p []byte) {
	const size, kind, dataFrame = 9, 3, 0
	for len(p) > 0 {
		if h.left == 0 {
			n := min(size-len(h.header), len(p))
			h.header = append(h.header, p[:n]...)
			p = p[n:]
			if len(h.header) == size {
				h.left = int(h.header[0])<<16 | int(h.header[1])<<8 | int(h.header[2])
				h.data, h.header = h.header[kind] == dataFrame, h.header[:0]
			}
			continue
		}
		n := min(h.left, len(p))
		if h.left -= n; h.data {
			h.written += int64(n)
		}
		p = p[n:]
	}
}

// expect says that a stream has written n bytes of a body.
func (h *handedOver) expect(n int) {
	h.mu.Lock()
	h.put += int64(n)
	h.mu.Unlock()
}

// settle waits until what streams have written went to the connection.
func (h *handedOver) settle() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for until := h.put; h.written < until && !h.gone; {
		h.changed.Wait()
	}
}

// Close closes the connection.
func (h *handedOver) Close() error {
	h.once.Do(func() {
		close(h.closed)
		h.mu.Lock()
		h.gone = true
		h.changed.Broadcast()
		h.mu.Unlock()
	})
	return h.Conn.Close()
}
