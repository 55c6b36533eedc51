// Package gather reads a body of unknown length into one slice, with few copies and little memory besides,
// however long the body becomes.
package gather

import (
	"bytes"
	"io"
	"runtime"
)

const (
	// From largeBody on, the buffer for a body grows faster. Unwritten memory costs nothing,
	// while a buffer that was too small takes its size until it is collected.
	largeBody = 1 << 20
	// A giant body justifies a garbage collection: decoding it takes as much memory again,
	// which the buffer can provide.
	giantBody = 8 << 20
)

// A Body gathers the bytes of a body of unknown length. The zero Body is empty.
type Body struct{ buf []byte }

// After returns a body that begins with bytes, which then belong to it.
func After(begin []byte) Body { return Body{begin} }

// Len returns how many bytes were gathered.
func (g *Body) Len() int { return len(g.buf) }

// room makes room for at least n more bytes.
func (g *Body) room(n int) {
	if cap(g.buf)-len(g.buf) >= n {
		return
	}
	faster := 2
	if cap(g.buf) >= largeBody {
		faster = 4
	}
	g.buf = append(make([]byte, 0, max(512, faster*cap(g.buf), len(g.buf)+n)), g.buf...)
	collect(len(g.buf))
}

// collect runs the garbage collector if the garbage contains a giant.
func collect(size int) {
	if size >= giantBody {
		runtime.GC()
	}
}

// Add appends b.
func (g *Body) Add(b []byte) {
	g.room(len(b))
	g.buf = append(g.buf, b...)
}

// ReadFrom appends everything that r returns.
func (g *Body) ReadFrom(r io.Reader) (n int64, err error) {
	for {
		g.room(1)
		m, err := r.Read(g.buf[len(g.buf):cap(g.buf)])
		g.buf = g.buf[:len(g.buf)+m]
		n += int64(m)
		switch err {
		case nil:
		case io.EOF:
			return n, nil
		default:
			return n, err
		}
	}
}

// Take returns all bytes, which then belong to the caller, and forgets them.
func (g *Body) Take() []byte {
	body := g.buf
	g.buf = nil
	if len(body) >= largeBody {
		body = bytes.Clone(body)
	}
	collect(len(body))
	return body
}
