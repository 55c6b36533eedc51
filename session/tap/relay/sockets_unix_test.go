//go:build unix

package relay

import (
	"context"
	"io"
	"net"
	"net/http"
	"runtime"
	"sync"
	"syscall"
	"testing"
)

// The system gives one port to connections that lead to different addresses, so a client may have
// the port that the relay has towards its agent.
func TestAClientWithThePortOfTheRelayIsNoLoop(t *testing.T) {
	t.Parallel()
	reuse := func(_, _ string, c syscall.RawConn) error {
		return c.Control(func(fd uintptr) { _ = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1) })
	}
	arrived, answer := make(chan bool, 2), make(chan bool)
	agent := startHTTP1(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		arrived <- true
		<-answer
		_, _ = io.WriteString(w, "the agent")
	}))
	var port net.Addr
	var first sync.Once
	r := startRelay(t, agent, Options{Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
		dialer := net.Dialer{Control: reuse}
		if runtime.GOOS == "linux" { // where nobody else connects from this address, and has its port too
			dialer.LocalAddr = &net.TCPAddr{IP: net.IPv4(127, 0, 0, 77)}
		}
		conn, err := dialer.DialContext(ctx, network, address)
		first.Do(func() { port = conn.LocalAddr() })
		return conn, err
	}})
	const request = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
	busy := dialRaw(t, r.Addr().String())
	_, _ = io.WriteString(busy, request)
	<-arrived // the relay's connection is open
	same, err := (&net.Dialer{LocalAddr: port, Control: reuse}).Dial("tcp", r.Addr().String())
	if err != nil {
		t.Skipf("this system gives a port only once: %v", err)
	}
	defer same.Close()
	_, _ = io.WriteString(same, request)
	close(answer)
	got, err := io.ReadAll(same)
	if err != nil || !contains(string(got), "HTTP/1.1 200 OK\r\n", "the agent") {
		t.Errorf("got %q, %v, want the agent's answer", got, err)
	}
	if left, err := io.ReadAll(busy); err != nil || !contains(string(left), "the agent") {
		t.Errorf("the first client: got %q, %v, want the agent's answer", left, err)
	}
}

func TestSocketsForgetOnlyTheConnectionThatIsClosed(t *testing.T) {
	t.Parallel()
	s, r := NewSockets(), &Relay{}
	near := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1}
	far := [2]net.Addr{&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 2}, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 3}}
	one := s.track(connOf(t, near, far[0]), []*Relay{r})
	two := s.track(connOf(t, near, far[1]), []*Relay{r})
	if err := one.Close(); err != nil {
		t.Fatal(err)
	}
	if s.way(connOf(t, far[0], near)) != nil || len(s.way(connOf(t, far[1], near))) != 1 {
		t.Errorf("got %v, want only the open connection", s.ways)
	}
	if err := two.Close(); err != nil || len(s.ways) != 0 {
		t.Errorf("got %v, %v, want nothing when both are closed", s.ways, err)
	}
}

// An addressed connection has the addresses that a test wants.
type addressed struct {
	net.Conn
	local, remote net.Addr
}

func (a addressed) LocalAddr() net.Addr  { return a.local }
func (a addressed) RemoteAddr() net.Addr { return a.remote }

func connOf(t *testing.T, local, remote net.Addr) net.Conn {
	t.Helper()
	a, b := net.Pipe()
	t.Cleanup(func() { _, _ = a.Close(), b.Close() })
	return addressed{a, local, remote}
}
