package relay

import (
	"errors"
	"net"
	"time"

	"parley/internal/crash"
)

// accept takes connections until the listener is closed.
func (r *Relay) accept() {
	const pause = 10 * time.Millisecond
	for {
		conn, err := r.listener.Accept()
		switch {
		case err == nil:
			r.work.Go(func() {
				defer crash.Guard()
				r.serve(conn)
			})
		case errors.Is(err, net.ErrClosed):
			return
		default: // such as too many open files
			if !sleep(r.ctx, pause) {
				return
			}
		}
	}
}

// serve serves a connection until it ends.
func (r *Relay) serve(conn net.Conn) {
	c := newClient(r, conn)
	if !r.add(c) {
		_ = conn.Close() // the relay was closed meanwhile
		return
	}
	defer r.remove(c)
	c.serve()
}

// closeIdle closes connections that have no exchange for too long, or whose head takes too long.
func (r *Relay) closeIdle() {
	every := min(r.limits.HeadTime, r.limits.IdleTime) / 4
	for sleep(r.ctx, every) {
		r.mu.Lock()
		for c := range r.open {
			c.checkIdle(time.Now())
		}
		r.mu.Unlock()
	}
}
