//go:build !linux

package porttest

import "net"

// keep finds a port that is free now. Other systems than Linux let nobody listen at a port to
// which a socket is bound, so the port is not kept there.
func keep() (number int, release func(), err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, nil, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, func() {}, nil
}

// silence does nothing: other systems cannot end the listening of a socket that is open elsewhere.
func silence(*net.TCPListener) {}
