// Package socks connects through proxies of SOCKS 5 (RFC 1928). net/http does that itself for
// requests over HTTP; [Dial] is for what else an a2a.Client connects to, such as gRPC.
package socks

import (
	"context"
	"net"
	"net/url"

	"golang.org/x/net/proxy"
)

// defaultPort is that of a proxy whose URL has none (RFC 1928, 3).
const defaultPort = "1080"

// A DialFunc makes a connection.
type DialFunc = func(ctx context.Context, network, address string) (net.Conn, error)

// Dial asks a proxy, to which dial connects, for a connection to an address. The proxy looks the
// name of the host up.
func Dial(ctx context.Context, through *url.URL, address string, dial DialFunc) (net.Conn, error) {
	var auth *proxy.Auth
	if u := through.User; u != nil {
		password, _ := u.Password()
		auth = &proxy.Auth{User: u.Username(), Password: password}
	}
	port := through.Port()
	if port == "" {
		port = defaultPort
	}
	d, err := proxy.SOCKS5("tcp", net.JoinHostPort(through.Hostname(), port), auth, forward(dial))
	if err != nil {
		return nil, err
	}
	return d.(proxy.ContextDialer).DialContext(ctx, "tcp", address)
}

// forward is a function as the dialer that the library wants.
type forward DialFunc

func (f forward) Dial(network, address string) (net.Conn, error) {
	return f(context.Background(), network, address)
}

func (f forward) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	return f(ctx, network, address)
}
