package porttest

import (
	"context"
	"errors"
	"net"
	"strconv"
	"syscall"
	"testing"
)

// dial returns the error of a connection to an address, which it closes.
func dial(address string) error {
	c, err := net.Dial("tcp", address)
	if err == nil {
		c.Close()
	}
	return err
}

func TestAPortRefusesUntilItsTestListens(t *testing.T) {
	p := Keep(t)
	for range 3 {
		if err := dial(p.Address); !errors.Is(err, syscall.ECONNREFUSED) {
			t.Errorf("got %v while nobody listens, want a refused connection", err)
		}
		l := p.Listen()
		if err := dial(p.Address); err != nil {
			t.Errorf("got %v while the test listens, want a connection", err)
		}
		l.Close()
	}
}

// localPortRange is IP_LOCAL_PORT_RANGE, the socket option with the ports that the system may choose
// from: the first in the lower half, the last in the upper half.
const localPortRange = 51

// listenAmong listens at any port of a range that has one port.
func listenAmong(port string) (net.Listener, error) {
	number, err := strconv.Atoi(port)
	if err != nil {
		return nil, err
	}
	config := net.ListenConfig{Control: func(_, _ string, c syscall.RawConn) error {
		var set error
		err := c.Control(func(fd uintptr) {
			set = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_IP, localPortRange, number|number<<16)
		})
		return errors.Join(err, set)
	}}
	return config.Listen(context.Background(), "tcp", "127.0.0.1:0")
}

// Whoever asks for any port does not get a kept one, even if the system has no other to give.
func TestAKeptPortIsGivenToNobodyElse(t *testing.T) {
	p := Keep(t)
	l, err := listenAmong(p.Number)
	if err == nil {
		l.Close()
	}
	if errors.Is(err, syscall.ENOPROTOOPT) {
		return // Linux before 6.3 cannot narrow the choice
	}
	if !errors.Is(err, syscall.EADDRINUSE) {
		t.Errorf("got error %v for a listener at any port, want the kept one not to be given", err)
	}
}

// A program that is being started has every socket of the tests until it runs.
func TestAClosedListenerIsSilentWhoeverHasItsSocket(t *testing.T) {
	p := Keep(t)
	l := p.Listen()
	copied, err := l.(listener).File()
	if err != nil {
		t.Fatal(err)
	}
	defer copied.Close()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := dial(p.Address); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("got %v after the end of the listener, want a refused connection", err)
	}
	p.Listen().Close()
}
