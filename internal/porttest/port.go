// Package porttest keeps ports of this machine for tests whose servers leave and come back, or
// where nobody may listen.
//
// A listener that is closed gives its port to whoever asks next, and another test may be the first.
// A port that is kept here stays with its test: it refuses connections while the test's server, in
// this process or in another one, does not listen there.
package porttest

import (
	"net"
	"strconv"
	"testing"
)

// A Port is a port of the loopback address 127.0.0.1 that belongs to a test until its end. Only who
// names the number can listen there.
type Port struct {
	Address string // host and port
	Number  string
	t       testing.TB
}

// Keep finds a free port and keeps it. Nobody listens there yet.
func Keep(t testing.TB) *Port {
	t.Helper()
	number, release, err := keep()
	if err != nil {
		t.Fatalf("got no port to keep: %v", err)
	}
	t.Cleanup(release)
	p := &Port{Number: strconv.Itoa(number), t: t}
	p.Address = net.JoinHostPort("127.0.0.1", p.Number)
	return p
}

// Listen listens at the port, also again after the listener was closed. It fails the test if
// somebody listens there.
func (p *Port) Listen() net.Listener {
	p.t.Helper()
	l, err := net.Listen("tcp", p.Address)
	if err != nil {
		p.t.Fatal(err)
	}
	return listener{l.(*net.TCPListener)}
}

// A listener stops to listen when it is closed, and not a moment later: a program that another
// test starts at this moment has its socket until it runs.
type listener struct{ *net.TCPListener }

func (l listener) Close() error {
	silence(l.TCPListener)
	return l.TCPListener.Close()
}
