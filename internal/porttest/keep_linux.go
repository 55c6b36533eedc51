package porttest

import (
	"net"
	"os"
	"syscall"
)

// keep binds a socket and never listens with it. While it is open the system gives the port to
// nobody who asks for any port, and refuses connections to it; but sockets that name the port and
// have SO_REUSEADDR, as listeners of servers do, can still listen there.
func keep() (number int, release func(), err error) {
	socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return 0, nil, os.NewSyscallError("socket", err)
	}
	release = func() { _ = syscall.Close(socket) }
	if number, err = bind(socket); err != nil {
		release()
		return 0, nil, err
	}
	return number, release, nil
}

// bind binds a socket to a free port.
func bind(socket int) (number int, err error) {
	if err := syscall.SetsockoptInt(socket, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1); err != nil {
		return 0, os.NewSyscallError("setsockopt", err)
	}
	if err := syscall.Bind(socket, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		return 0, os.NewSyscallError("bind", err)
	}
	bound, err := syscall.Getsockname(socket)
	if err != nil {
		return 0, os.NewSyscallError("getsockname", err)
	}
	return bound.(*syscall.SockaddrInet4).Port, nil
}

// silence ends the listening of a socket, whoever else has it open.
func silence(l *net.TCPListener) {
	raw, err := l.SyscallConn()
	if err != nil {
		return // it is closed
	}
	_ = raw.Control(func(fd uintptr) { _ = syscall.Shutdown(int(fd), syscall.SHUT_RDWR) })
}
