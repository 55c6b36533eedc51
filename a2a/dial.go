package a2a

import (
	"bufio"
	"cmp"
	"context"
	"crypto/tls"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"time"

	"parley/a2a/hostname"
	"parley/a2a/httphead"
	"parley/a2a/servertrust"
	"parley/internal/crash"
)

// A dialer makes the connections of a transport, so that the heads of HTTP/1.x messages can be
// recorded as they cross them: behind TLS, and behind a proxy's tunnel.
type dialer struct {
	dial    func(ctx context.Context, network, address string) (net.Conn, error)
	tls     *tls.Config
	timeout time.Duration // of a TLS handshake
	// certificates are shown to the origins that may have credentials.
	certificates   []tls.Certificate
	allowedOrigins map[string]bool
	servers        servertrust.Trust
	proxy          func(*http.Request) (*url.URL, error)
	socks          SocksFunc
}

// A SocksFunc asks a proxy of SOCKS 5, to which dial connects, for a connection to an address. An
// error of the proxy is a [*net.OpError] of "socks connect", as that of net/http is.
type SocksFunc func(ctx context.Context, proxy *url.URL, address string, dial func(ctx context.Context, network, address string) (net.Conn, error)) (net.Conn, error)

// tunnelTimeout is how long a proxy may take to connect.
const tunnelTimeout = time.Minute

// proxyKey is the context key of a request's [proxyRoute].
type proxyKey struct{}

// A proxyRoute is the proxy of a request, and whether the dialer makes a tunnel
// through it. Other ways through a proxy are left to net/http.
type proxyRoute struct {
	url    *url.URL
	tunnel bool
}

// install makes t use the dialer.
func (d *dialer) install(t *http.Transport) {
	t.DialContext, t.DialTLSContext = d.plain, d.secure
	if d.proxy == nil {
		return
	}
	t.Proxy = func(req *http.Request) (*url.URL, error) {
		route, known := req.Context().Value(proxyKey{}).(proxyRoute)
		switch {
		case !known:
			return d.proxy(req)
		case route.tunnel:
			return nil, nil // net/http sees no proxy
		default:
			return route.url, nil
		}
	}
}

// route returns a context that tells the dialer which proxy a request goes through.
func (d *dialer) route(req *http.Request) context.Context {
	ctx := req.Context()
	if d.proxy == nil {
		return ctx
	}
	proxy, err := d.proxy(req)
	if err != nil || proxy == nil {
		return ctx // net/http asks again, and says what is wrong
	}
	tunnel := req.URL.Scheme == "https" && (proxy.Scheme == "http" || proxy.Scheme == "https" || d.servers.Differs() && d.socks != nil && isSocks(proxy))
	return context.WithValue(ctx, proxyKey{}, proxyRoute{proxy, tunnel})
}

// isSocks reports whether a proxy speaks SOCKS 5.
func isSocks(proxy *url.URL) bool { return proxy.Scheme == "socks5" || proxy.Scheme == "socks5h" }

// plain makes a connection on which net/http speaks without TLS, or does TLS itself.
func (d *dialer) plain(ctx context.Context, network, address string) (net.Conn, error) {
	address, err := dialed(address)
	if err != nil {
		return nil, err
	}
	conn, err := d.dial(ctx, network, address)
	if err != nil {
		return nil, err
	}
	tap := httphead.Client(conn, maxHead)
	if route, ok := ctx.Value(proxyKey{}).(proxyRoute); ok && route.url.Scheme != "http" {
		tap.Skip() // net/http speaks to a proxy of another protocol first
	}
	return tap, nil
}

// secure makes a connection with TLS: to the origin, through a tunnel if there is a
// proxy, or to a proxy that is itself spoken to with TLS.
func (d *dialer) secure(ctx context.Context, network, address string) (net.Conn, error) {
	route, proxied := ctx.Value(proxyKey{}).(proxyRoute)
	address, err := dialed(address)
	if err != nil {
		return nil, err
	}
	var conn net.Conn
	switch {
	case proxied && route.tunnel && isSocks(route.url):
		conn, err = d.throughSocks(ctx, address, route.url)
	case proxied && route.tunnel:
		conn, err = d.tunnel(ctx, network, address, route.url)
	default:
		conn, err = d.dial(ctx, network, address)
	}
	if err != nil {
		return nil, err
	}
	protocols := []string{"h2", "http/1.1"}
	if proxied && !route.tunnel {
		protocols = protocols[1:]
	}
	secure, err := d.handshake(ctx, conn, address, protocols)
	if err != nil {
		return nil, err
	}
	if secure.ConnectionState().NegotiatedProtocol == "h2" {
		return secure, nil // net/http recognises this type
	}
	return httphead.Client(secure, maxHead), nil
}

// dialed returns the address that is connected to. net/http gives a host that it cannot map as it
// is written, and other libraries map none.
func dialed(address string) (string, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil || host == "" {
		return address, err
	}
	name, ok := hostname.Name(host)
	if !ok {
		return "", &FlowError{Class: ClassUnsupported, Sentence: noHost(&url.URL{Host: address})}
	}
	return net.JoinHostPort(name, port), nil
}

// connect makes a connection for a [Line], through a tunnel if there is a proxy.
func (d *dialer) connect(ctx context.Context, to Destination) (c Connection, err error) {
	if to.Address, err = dialed(to.Address); err != nil {
		return c, err
	}
	watch := newStopwatch(time.Now)
	ctx = watch.withTrace(ctx)
	scheme := map[bool]string{true: "https", false: "http"}[to.TLS]
	var proxy *url.URL
	if d.proxy != nil {
		proxy, err = d.proxy(&http.Request{URL: &url.URL{Scheme: scheme, Host: to.Address}})
	}
	var conn net.Conn
	switch {
	case err != nil:
	case proxy == nil:
		conn, err = d.dial(ctx, "tcp", to.Address)
	case proxy.Scheme == "http" || proxy.Scheme == "https":
		conn, err = d.tunnel(ctx, "tcp", to.Address, proxy)
	case d.socks != nil && isSocks(proxy):
		conn, err = d.throughSocks(ctx, to.Address, proxy)
	default:
		err = &FlowError{Class: ClassUnsupported, Sentence: fmt.Sprintf("Parley does not know the protocol of the proxy %s://%s: give one of http, https or socks5, or set NO_PROXY for this host.", proxy.Scheme, ShownHost(proxy))}
	}
	if err != nil {
		return c, err
	}
	c.Conn = conn
	if to.TLS {
		secure, err := d.handshake(ctx, conn, to.Address, to.Protocols)
		if err != nil {
			return c, err
		}
		c.Conn, c.TLS, c.Protocol = secure, true, secure.ConnectionState().NegotiatedProtocol
	}
	c.Timing = *watch.timing()
	c.Timing.Remote = conn.RemoteAddr().String()
	return c, nil
}

// handshake puts TLS on a connection, which is closed if that fails.
func (d *dialer) handshake(ctx context.Context, conn net.Conn, address string, protocols []string) (*tls.Conn, error) {
	config := d.tls.Clone()
	if config.ServerName == "" {
		host, _, err := net.SplitHostPort(address)
		config.ServerName = host
		if err != nil {
			config.ServerName = address
		}
	}
	host := config.ServerName
	config.InsecureSkipVerify = d.servers.InsecureAt(host)
	config.VerifyConnection = func(state tls.ConnectionState) error { return d.servers.Verify(host, &state) }
	config.NextProtos = protocols
	if d.allowedOrigins[originOf(&url.URL{Scheme: "https", Host: address})] {
		config.Certificates = d.certificates
	}
	trace := httptrace.ContextClientTrace(ctx)
	if trace != nil && trace.TLSHandshakeStart != nil {
		trace.TLSHandshakeStart()
	}
	ctx, cancel := context.WithTimeout(ctx, d.timeout)
	defer cancel()
	secure := tls.Client(conn, config)
	err := secure.HandshakeContext(ctx)
	if trace != nil && trace.TLSHandshakeDone != nil {
		trace.TLSHandshakeDone(secure.ConnectionState(), err)
	}
	if err != nil {
		conn.Close()
		return nil, err
	}
	return secure, nil
}

// tunnel connects to an address through a proxy of HTTP, as RFC 9110, 9.3.6 has it.
func (d *dialer) tunnel(ctx context.Context, network, address string, proxy *url.URL) (net.Conn, error) {
	at, err := dialed(proxyAddress(proxy))
	var conn net.Conn
	if err == nil {
		conn, err = d.dial(ctx, network, at)
	}
	if err == nil && proxy.Scheme == "https" {
		conn, err = d.handshake(ctx, conn, at, []string{"http/1.1"})
	}
	if err != nil {
		return nil, &net.OpError{Op: "proxyconnect", Net: "tcp", Err: err}
	}
	ctx, cancel := context.WithTimeout(ctx, tunnelTimeout)
	defer cancel()
	stop := context.AfterFunc(ctx, crash.Guarded(func() { conn.Close() }))
	err = connect(conn, address, proxy)
	if !stop() && err == nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		conn.Close()
		return nil, err
	}
	return conn, nil
}

// throughSocks connects to an address through a proxy of SOCKS 5.
func (d *dialer) throughSocks(ctx context.Context, address string, proxy *url.URL) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, tunnelTimeout)
	defer cancel()
	var absent error // why the proxy is not reached
	conn, err := d.socks(ctx, proxy, address, func(ctx context.Context, network, address string) (net.Conn, error) {
		address, err := dialed(address)
		var conn net.Conn
		if err == nil {
			conn, err = d.dial(ctx, network, address)
		}
		absent = err
		return conn, err
	})
	if absent != nil {
		return nil, &net.OpError{Op: "proxyconnect", Net: "tcp", Err: absent}
	}
	return conn, err
}

// connect asks a proxy to connect to an address, and reads its answer.
func connect(conn net.Conn, address string, proxy *url.URL) error {
	req := &http.Request{Method: http.MethodConnect, URL: &url.URL{Opaque: address}, Host: address, Header: http.Header{}}
	req.Header["User-Agent"] = nil
	if u := proxy.User; u != nil {
		password, _ := u.Password()
		req.Header.Set("Proxy-Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(u.Username()+":"+password)))
	}
	tap := httphead.Client(conn, maxHead)
	exchange := tap.Begin(http.MethodConnect)
	err := req.Write(tap)
	if err == nil {
		var resp *http.Response
		// The reader holds nothing beyond the head: TLS has not begun yet.
		resp, err = http.ReadResponse(bufio.NewReaderSize(io.LimitReader(tap, maxHead), 4<<10), req)
		if err == nil && resp.StatusCode == http.StatusOK {
			return nil
		}
		if err == nil {
			resp.Body.Close()
			return &proxyError{host: ShownHost(proxy), status: resp.StatusCode, challenge: resp.Header.Get("Proxy-Authenticate")}
		}
	}
	return &proxyError{host: ShownHost(proxy), cause: err, fault: httphead.ResponseFault(exchange.Received())}
}

// proxyAddress returns the address at which a proxy listens.
func proxyAddress(proxy *url.URL) string {
	port := map[string]string{"http": "80", "https": "443"}[proxy.Scheme]
	return net.JoinHostPort(proxy.Hostname(), cmp.Or(proxy.Port(), port))
}
