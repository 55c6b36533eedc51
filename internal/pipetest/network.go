// Package pipetest has a network of pipes for tests whose time stands still.
//
// In a bubble of testing/synctest time passes when every goroutine waits for another one of the
// bubble. One that waits for a socket waits for the outside, and keeps the time from passing; one that waits
// for a pipe does not.
package pipetest

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync"
)

// A Network connects the clients of a test with its server. It is the server's listener.
type Network struct {
	address  netip.AddrPort
	accepted chan net.Conn
	closed   chan struct{}
	close    func()
}

var _ net.Listener = (*Network)(nil)

// New returns a network. In a bubble it is of that bubble.
func New() *Network { return At("127.0.0.1:1") }

// At returns a network whose server has an IP address and a port, for a test with several servers.
func At(address string) *Network {
	n := &Network{address: netip.MustParseAddrPort(address), accepted: make(chan net.Conn), closed: make(chan struct{})}
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
	case n.accepted <- conn{far, n.Addr()}:
		return conn{near, n.Addr()}, nil
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

// Addr returns the address of the server, at which nothing listens.
func (n *Network) Addr() net.Addr { return net.TCPAddrFromAddrPort(n.address) }

// Dialer returns a function that connects to the servers of some networks by their addresses, and to
// nobody else.
func Dialer(networks ...*Network) func(ctx context.Context, network, address string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		for _, n := range networks {
			if n.address.String() == address {
				return n.Dial(ctx, network, address)
			}
		}
		return nil, fmt.Errorf("nobody listens at %s", address)
	}
}

// A conn is an end of a pipe with the addresses of a socket, which servers want.
type conn struct {
	net.Conn
	address net.Addr
}

func (c conn) LocalAddr() net.Addr  { return c.address }
func (c conn) RemoteAddr() net.Addr { return c.address }
