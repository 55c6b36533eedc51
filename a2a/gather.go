package a2a

import (
	"bytes"
	"io"
	"runtime"
)

const (
	// From largeBody on, room for a body grows faster. What is not written to takes no
	// memory, while room that was too small takes its size until it is collected.
	largeBody = 1 << 20
	// A giant is worth a collection of garbage: what is decoded of it needs as much room
	// again, which is that in which it was gathered.
	giantBody = 8 << 20
)

// A gatherer takes in a body whose length is not known.
type gatherer struct{ buf []byte }

// room makes room for at least n bytes more.
func (g *gatherer) room(n int) {
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

// collect collects garbage if there is a giant in it.
func collect(size int) {
	if size >= giantBody {
		runtime.GC()
	}
}

// add appends b.
func (g *gatherer) add(b []byte) {
	g.room(len(b))
	g.buf = append(g.buf, b...)
}

// ReadFrom appends all that r brings.
func (g *gatherer) ReadFrom(r io.Reader) (n int64, err error) {
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

// body returns all bytes, which belong to the caller, and forgets them.
func (g *gatherer) body() []byte {
	body := g.buf
	g.buf = nil
	if len(body) >= largeBody {
		body = bytes.Clone(body)
	}
	collect(len(body))
	return body
}
