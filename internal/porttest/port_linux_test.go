package porttest

import (
	"errors"
	"net"
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

// Listeners at any port take every other port before a kept one.
func TestAKeptPortIsGivenToNobodyElse(t *testing.T) {
	p := Keep(t)
	for range 2000 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		if l.Addr().String() == p.Address {
			t.Fatalf("got the kept port %s for a listener at any port", p.Number)
		}
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
