package relay

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"syscall"
)

// closeWrite tells the other side that no more bytes follow.
func closeWrite(conn net.Conn) {
	if half, ok := conn.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite() // it may have gone
	}
}

// breakWrite ends the bytes of a connection as if it broke: without the close of TLS.
func breakWrite(conn net.Conn) {
	if secure, ok := conn.(*tls.Conn); ok {
		conn = secure.NetConn()
	}
	closeWrite(conn)
}

// reset closes a connection so that the other side learns that it broke.
func reset(conn net.Conn) {
	if secure, ok := conn.(*tls.Conn); ok {
		conn = secure.NetConn()
	}
	if tcp, ok := conn.(interface{ SetLinger(int) error }); ok {
		_ = tcp.SetLinger(0) // at worst it ends less abruptly
	}
	_ = conn.Close() // it may have gone
}

// The errors of a broken connection on Windows, for which package syscall has no portable names.
const (
	wsaConnAborted = syscall.Errno(10053)
	wsaConnReset   = syscall.Errno(10054)
)

// wasReset reports whether an error means that the other side reset the connection.
func wasReset(err error) bool {
	for _, code := range []syscall.Errno{syscall.ECONNRESET, syscall.EPIPE, wsaConnAborted, wsaConnReset} {
		if errors.Is(err, code) {
			return true
		}
	}
	return false
}

// errTorn is how package tls reports that a connection ended without saying so.
var errTorn = io.ErrUnexpectedEOF

// isEnd reports whether an error means that the other side sends no more.
func isEnd(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, errTorn) }
