package httphead

import (
	"bytes"
	"time"
)

// A patience is how long more of a surplus is waited for: after its newest bytes, and in all.
type patience struct{ pause, most time.Duration }

var usualPatience = patience{100 * time.Millisecond, 2 * time.Second}

// A surplus is what came after a complete response. No request can follow on its connection, because
// nobody knows where the next response would begin (RFC 9112, 9.2).
type surplus struct {
	of      *Exchange
	bytes   []byte
	omitted int
	taken   bool          // somebody reads the rest of it
	over    chan struct{} // closed when that is done
}

// received returns how many of the bytes that were read belong to a response. The rest is a surplus.
func (c *Conn) received(b []byte) (own int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	of, rest := c.newest, b
	if of != nil && of.before != nil && len(of.request.Head) == 0 {
		of = of.before // no response can come before its request
	} else {
		rest = c.in.scan(b)
	}
	own = len(b) - len(rest)
	switch {
	case len(rest) == 0:
	case of == nil:
		c.in.wait(rest)
		return len(b)
	case len(bytes.Trim(rest, "\r\n")) == 0: // belongs to nothing (RFC 9112, 2.2)
	default:
		c.surplus = &surplus{of: of, over: make(chan struct{})}
		c.surplus.add(rest, c.in.limit)
		if !isTimeout(rest) {
			of.surplus = c.surplus
		}
	}
	return own
}

// isTimeout reports whether a server says that it closes an idle connection (RFC 9110, 15.5.9).
func isTimeout(b []byte) bool {
	proto, code := Status(StartLine(b))
	return code == 408 && proto != ""
}

func (s *surplus) add(b []byte, limit int) {
	room := min(len(b), max(limit-len(s.bytes), 0))
	s.bytes = append(s.bytes, b[:room]...)
	s.omitted += len(b) - room
}

// spent reports whether a surplus came.
func (c *Conn) spent() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.surplus != nil
}

// drain reads the rest of a surplus and tells who asked for it. It reports false if there is none,
// or if somebody else does so.
func (c *Conn) drain() bool {
	c.mu.Lock()
	s := c.surplus
	mine := s != nil && !s.taken
	if mine {
		s.taken = true
	}
	c.mu.Unlock()
	if !mine {
		return false
	}
	c.readRest(s)
	c.mu.Lock()
	told := s.of.told
	if s.of.surplus == nil { // it is none
		told = nil
	}
	close(s.over)
	c.mu.Unlock()
	if told != nil {
		told(s.bytes, s.omitted)
	}
	return true
}

// readRest reads until no more comes.
func (c *Conn) readRest(s *surplus) {
	buf := make([]byte, 32<<10)
	for end := time.Now().Add(c.patience.most); time.Now().Before(end); {
		_ = c.SetReadDeadline(time.Now().Add(c.patience.pause)) // without one, closing ends it
		n, err := c.Conn.Read(buf)
		c.mu.Lock()
		s.add(buf[:n], c.in.limit)
		c.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// Close closes the connection.
func (c *Conn) Close() error {
	_ = c.drain() // the agent may have closed it long ago, with more than was read
	return c.Conn.Close()
}

// Surplus calls tell with what comes after the complete response, and how many bytes after that were
// beyond the limit: once, as soon as no more of it comes. If some of it has come, that is before
// Surplus returns; otherwise it may be later and on another goroutine, until the next exchange of the
// connection begins or the connection is closed. Tell must not keep or change the bytes.
func (e *Exchange) Surplus(tell func(b []byte, omitted int)) {
	if e == nil {
		return
	}
	e.conn.mu.Lock()
	s := e.surplus
	if s == nil {
		e.told = tell
	}
	e.conn.mu.Unlock()
	if s == nil {
		return
	}
	if !e.conn.drain() {
		<-s.over
	}
	tell(s.bytes, s.omitted)
}
