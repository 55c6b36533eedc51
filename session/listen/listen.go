// Package listen has what servers of this machine share: which address they listen at, which
// hosts a client may name, and how many clients there may be.
package listen

import (
	"fmt"
	"net"
	"strconv"
	"strings"

	"parley/a2a/hostname"
)

// Split reads an address to listen at, "host:port". Without text it is a free port on loopback,
// without a host it is on loopback. The error is a sentence without an end.
func Split(text string) (host string, port int, err error) {
	if text == "" {
		return "127.0.0.1", 0, nil
	}
	host, word, err := net.SplitHostPort(text)
	if err == nil {
		port, err = strconv.Atoi(word)
	}
	if err != nil || port < 0 || port > 65535 {
		return "", 0, fmt.Errorf("%q is not host:port, such as 127.0.0.1:8080", text)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	name, ok := hostname.Name(host)
	if !ok {
		return "", 0, hostname.Refusal(hostname.Key(host))
	}
	return name, port, nil
}

// Loopback reports whether a host is this machine alone.
func Loopback(host string) bool {
	return hostname.IsLoopback(host) || strings.HasSuffix(hostname.Key(host), ".localhost")
}

// NamesLoopback reports whether the host of a request, with or without a port, names this machine
// alone. A server on loopback refuses others: a page in a browser could give any other name to
// this machine. No host at all is none of a browser.
func NamesLoopback(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = host
	}
	return name == "" || Loopback(name)
}

// Dialable returns an address that a client can use: of a listener on all interfaces, this
// machine's.
func Dialable(at net.Addr) string {
	host, port, err := net.SplitHostPort(at.String())
	if ip := net.ParseIP(host); err == nil && ip != nil && ip.IsUnspecified() {
		return net.JoinHostPort("127.0.0.1", port)
	}
	return at.String()
}
