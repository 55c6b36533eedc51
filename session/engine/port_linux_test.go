package engine

import (
	"net"
	"net/netip"
	"syscall"
	"testing"
)

// reservePort returns an address at which nothing listens until the test does, and that no
// other process gets meanwhile: a socket that is bound and never listens reserves the port.
// Linux refuses connections to it, and lets a listener bind beside it.
func reservePort(t *testing.T) (address string) {
	t.Helper()
	syscall.ForkLock.RLock()
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	syscall.ForkLock.RUnlock()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Close(fd) })
	if err := syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		t.Fatal(err)
	}
	name, err := syscall.Getsockname(fd)
	if err != nil {
		t.Fatal(err)
	}
	at := name.(*syscall.SockaddrInet4)
	return netip.AddrPortFrom(netip.AddrFrom4(at.Addr), uint16(at.Port)).String()
}

// A reserved port refuses connections, accepts a listener, refuses again when that is closed,
// and accepts the next one at once.
func TestAReservedPortStaysReserved(t *testing.T) {
	t.Parallel()
	address := reservePort(t)
	for range 3 {
		if c, err := net.Dial("tcp", address); err == nil {
			t.Fatalf("a listener answers at %s", c.RemoteAddr())
		}
		l, err := net.Listen("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		served, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		served.Close()
		c.Close()
		l.Close()
	}
}
