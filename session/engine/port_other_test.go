//go:build !linux

package engine

import (
	"net"
	"testing"
)

// reservePort returns an address at which nothing listens until the test does. Only on Linux is
// it reserved, see [listenAt].
func reservePort(t *testing.T) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}
