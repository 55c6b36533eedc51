package meshtest

import (
	"io"
	"net"
	"sync"
	"testing"
)

// A Proxy is between a client and a broker, and breaks their connections.
type Proxy struct {
	Address string
	to      string
	mu      sync.Mutex
	conns   []net.Conn
	closed  bool // connections are refused
}

// NewProxy returns a proxy to an address.
func NewProxy(t testing.TB, to string) *Proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{Address: l.Addr().String(), to: to}
	t.Cleanup(func() { l.Close(); p.Cut() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go p.serve(c)
		}
	}()
	return p
}

func (p *Proxy) serve(c net.Conn) {
	up, err := net.Dial("tcp", p.to)
	p.mu.Lock()
	if err != nil || p.closed {
		p.mu.Unlock()
		c.Close()
		if up != nil {
			up.Close()
		}
		return
	}
	p.conns = append(p.conns, c, up)
	p.mu.Unlock()
	go func() { _, _ = io.Copy(up, c); up.Close() }()
	_, _ = io.Copy(c, up)
	c.Close()
}

// Cut breaks all connections and refuses others until Mend.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for _, c := range p.conns {
		c.Close()
	}
	p.conns = nil
}

// Mend accepts connections again.
func (p *Proxy) Mend() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = false
}
