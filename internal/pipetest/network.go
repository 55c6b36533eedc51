// Package pipetest has a network of pipes for tests whose time stands still.
//
// In a bubble of testing/synctest time passes when every goroutine waits for another one of the
// bubble. One that waits for a socket waits for the outside, and keeps the time from passing; one that waits
// for a pipe does not.
package pipetest

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
)

// A Network connects the clients of a test with its server. It is the server's listener.
type Network struct {
	accepted chan net.Conn
	closed   chan struct{}
	close    func()
}

var _ net.Listener = (*Network)(nil)

// New returns a network. In a bubble it is of that bubble.
func New() *Network {
	n := &Network{accepted: make(chan net.Conn), closed: make(chan struct{})}
	n.close = sync.OnceFunc(func() { close(n.closed) })
	return n
}

// Serve starts a server on the network. Its URL has an address at which nothing listens.
func (n *Network) Serve(h http.Handler) *httptest.Server {
	s := httptest.NewUnstartedServer(h)
	_ = s.Listener.Close() // a socket
	s.Listener = n
	s.Start()
	return s
}

// Dial connects to the server, whatever the address is.
func (n *Network) Dial(ctx context.Context, network, _ string) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case n.accepted <- conn{far}:
		return conn{near}, nil
	case <-n.closed:
		return nil, &net.OpError{Op: "dial", Net: network, Addr: n.Addr(), Err: net.ErrClosed}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept returns the server's end of the next connection.
func (n *Network) Accept() (net.Conn, error) {
	select {
	case c := <-n.accepted:
		return c, nil
	case <-n.closed:
		return nil, net.ErrClosed
	}
}

// Close ends Accept and Dial. It does not close connections.
func (n *Network) Close() error {
	n.close()
	return nil
}

// Addr returns an address on the loopback interface.
func (n *Network) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1} }

// A conn is an end of a pipe with the addresses of a socket, which servers want.
type conn struct{ net.Conn }

func (conn) LocalAddr() net.Addr  { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1} }
func (conn) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1} }
