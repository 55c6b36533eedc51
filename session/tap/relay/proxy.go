package relay

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"

	"parley/a2a/httphead"
	"parley/internal/crash"
)

// proxyOf returns the proxy on the way to a target, nil if there is none.
func (r *Relay) proxyOf(to *url.URL) (*url.URL, error) {
	if r.options.Proxy == nil {
		return nil, nil
	}
	proxy, err := r.options.Proxy(&http.Request{URL: &url.URL{Scheme: to.Scheme, Host: to.Host}})
	if err != nil {
		return nil, errors.New("the proxy in the environment is not a URL")
	}
	return proxy, nil
}

// connect opens a connection to a target: itself, or as a tunnel through a proxy, because a request
// to a proxy itself has another head.
func (r *Relay) connect(ctx context.Context, to *url.URL) (net.Conn, error) {
	proxy, err := r.proxyOf(to)
	switch {
	case err != nil:
		return nil, err
	case proxy == nil:
		conn, err := r.options.Dial(ctx, "tcp", dialAddress(to))
		if err != nil {
			return nil, dialFailure(err)
		}
		return conn, nil
	case proxy.Scheme == "http" || proxy.Scheme == "https":
		return r.tunnel(ctx, proxy, dialAddress(to))
	case r.options.Socks != nil && strings.HasPrefix(proxy.Scheme, "socks5"):
		conn, err := r.options.Socks(ctx, proxy, dialAddress(to), r.options.Dial)
		if err != nil {
			return nil, fmt.Errorf("the proxy %s does not reach it: %w", proxy.Host, dialFailure(err))
		}
		return conn, nil
	}
	return nil, fmt.Errorf("a tap does not know the protocol %s of the proxy %s", proxy.Scheme, proxy.Host)
}

// tunnel connects to an address through a proxy of HTTP (RFC 9110, 9.3.6).
func (r *Relay) tunnel(ctx context.Context, proxy *url.URL, address string) (net.Conn, error) {
	conn, err := r.options.Dial(ctx, "tcp", dialAddress(proxy))
	if err != nil {
		return nil, fmt.Errorf("the proxy %s cannot be reached: %w", proxy.Host, dialFailure(err))
	}
	stop := context.AfterFunc(ctx, func() {
		defer crash.Guard()
		_ = conn.Close()
	})
	through, err := r.ask(ctx, conn, proxy, address)
	if !stop() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		_ = conn.Close() // nothing was passed on
		if ctx.Err() != nil {
			err = dialFailure(ctx.Err())
		}
		return nil, fmt.Errorf("the proxy %s makes no tunnel: %w", proxy.Host, err)
	}
	return through, nil
}

// ask asks a proxy for a tunnel, and returns the connection on which it begins.
func (r *Relay) ask(ctx context.Context, conn net.Conn, proxy *url.URL, address string) (net.Conn, error) {
	if proxy.Scheme == "https" {
		config := r.targetTLS(proxy)
		config.NextProtos = []string{overHTTP1}
		secure := tls.Client(conn, config)
		if err := secure.HandshakeContext(ctx); err != nil {
			return nil, tlsFailure(err)
		}
		conn = secure
	}
	head := "CONNECT " + address + " HTTP/1.1\r\nHost: " + address + "\r\n"
	if u := proxy.User; u != nil {
		password, _ := u.Password()
		head += "Proxy-Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(u.Username()+":"+password)) + "\r\n"
	}
	if _, err := conn.Write([]byte(head + "\r\n")); err != nil {
		return nil, err
	}
	// What follows the head is of the agent, which may speak first over HTTP/2.
	answer, one := httphead.NewHeadReader(r.limits.Head), make([]byte, 1)
	for ended := false; !ended; {
		if _, err := conn.Read(one); err != nil {
			return nil, err
		}
		if _, ended = answer.Take(one); !ended && answer.TooLong() {
			return nil, errors.New("the head of its answer is too long")
		}
	}
	line := httphead.StartLine(answer.Head())
	if _, code := httphead.Status(line); code/100 != 2 {
		_, status, _ := strings.Cut(line, " ")
		return nil, fmt.Errorf("it answered %q", cmp.Or(status, line))
	}
	return conn, nil
}
