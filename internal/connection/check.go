package connection

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"

	"parley/a2a/hostname"
)

// Options say how connections are made.
type Options struct {
	// Proxy returns the proxy for a request, as [http.Transport] asks for it; nil uses none.
	Proxy func(*http.Request) (*url.URL, error)
	// RootCAs and Certificates are those of TLS.
	RootCAs      *x509.CertPool
	Certificates []tls.Certificate
	// Insecure reports whether any certificate of a host is accepted; nil accepts none. Known
	// reports whether Verify knows the certificate of a host; nil knows none. Verify
	// says in a sentence without its full stop what else is wrong with one; nil finds nothing.
	Insecure func(host string) bool
	Known    func(host string) bool
	Verify   func(host string, state *tls.ConnectionState) error
	// Timeout is the time for each step; 0 is ten seconds.
	Timeout time.Duration
	// Lookup resolves a name; nil asks the system.
	Lookup func(ctx context.Context, host string) ([]netip.Addr, error)
	Now    func() time.Time
	// Report takes each step twice: when it begins, as [Running], and when it has ended; nil
	// hears of none.
	Report func(Step)
}

const defaultTimeout = 10 * time.Second

// A checker is a check that is under way.
type checker struct {
	o     Options
	ctx   context.Context
	steps []Step
	// host and port are the server's; the connection goes to the proxy if there is one.
	host, port string
	secure     bool
	proxy      *url.URL
	addrs      []netip.Addr
	conn       net.Conn
}

// The ports of the schemes that agents have.
var ports = map[string]string{"http": "80", "https": "443", "grpc": "80", "grpcs": "443", "mqtt": "1883", "mqtts": "8883", "ws": "80", "wss": "443"}

// Check returns the steps to the server of a URL. The last one is the first that failed, if any
// did.
func Check(ctx context.Context, address string, o Options) []Step {
	if o.Timeout == 0 {
		o.Timeout = defaultTimeout
	}
	if o.Report == nil {
		o.Report = func(Step) {}
	}
	c := checker{o: o, ctx: ctx}
	defer func() {
		if c.conn != nil {
			_ = c.conn.Close() // nothing was sent that needs an answer
		}
	}()
	for _, step := range []struct {
		name string
		do   func(*checker, context.Context, *Step)
	}{{"address", readAddress(address)}, {"DNS", (*checker).resolve}, {"TCP", (*checker).connect}, {"proxy", (*checker).tunnel}, {"TLS", (*checker).handshake}} {
		if !c.run(step.name, step.do) {
			break
		}
	}
	return c.steps
}

// run performs a step and reports whether the next one is possible.
func (c *checker) run(name string, do func(*checker, context.Context, *Step)) bool {
	ctx, cancel := context.WithTimeout(c.ctx, c.o.Timeout)
	defer cancel()
	s := Step{Name: name}
	c.o.Report(Step{Name: name, Status: Running})
	start := c.o.Now()
	do(c, ctx, &s)
	s.Took = c.o.Now().Sub(start)
	c.steps = append(c.steps, s)
	c.o.Report(s)
	return s.Status != Failed
}

// readAddress reads the URL.
func readAddress(address string) func(*checker, context.Context, *Step) {
	return func(c *checker, _ context.Context, s *Step) {
		u, err := url.Parse(address)
		if err != nil || u.Hostname() == "" || ports[u.Scheme] == "" {
			fail(s, "It is not the URL of a server.", "Write it as in https://agent.example or http://localhost:9999.")
			return
		}
		if u, known := hostname.Mapped(u); known {
			c.host, c.port = u.Hostname(), u.Port()
		} else {
			fail(s, "The host "+hostname.Of(u)+" cannot be looked up.", "Its letters are not allowed in a host name: correct it.")
			return
		}
		c.secure = strings.HasSuffix(u.Scheme, "s") && u.Scheme != "ws"
		if c.port == "" {
			c.port = ports[u.Scheme]
		}
		s.Found = u.Scheme + "://" + net.JoinHostPort(c.host, c.port)
		c.proxy, err = c.proxyOf(u)
		if err != nil {
			fail(s, "The proxy in the environment is not a URL.", "Correct HTTP_PROXY or HTTPS_PROXY, as in http://proxy.example:3128.")
		}
	}
}

// proxyOf returns the proxy for a URL, nil if there is none. Brokers are reached without one.
func (c *checker) proxyOf(u *url.URL) (*url.URL, error) {
	scheme := map[string]string{"grpc": "http", "grpcs": "https", "http": "http", "https": "https"}[u.Scheme]
	if c.o.Proxy == nil || scheme == "" {
		return nil, nil
	}
	proxy, err := c.o.Proxy(&http.Request{URL: &url.URL{Scheme: scheme, Host: u.Host}, Header: http.Header{}})
	if proxy != nil {
		proxy, _ = hostname.Mapped(proxy) // what cannot be mapped is not found
	}
	return proxy, err
}

// target returns the host and the port that are connected to.
func (c *checker) target() (host, port string) {
	if c.proxy == nil {
		return c.host, c.port
	}
	port = c.proxy.Port()
	if port == "" {
		port = map[string]string{"https": "443", "socks5": "1080", "socks5h": "1080"}[c.proxy.Scheme]
	}
	if port == "" {
		port = "80"
	}
	return c.proxy.Hostname(), port
}

func (c *checker) resolve(ctx context.Context, s *Step) {
	host, _ := c.target()
	whose := ""
	if c.proxy != nil {
		whose = " of the proxy"
	}
	if ip, err := netip.ParseAddr(host); err == nil {
		c.addrs = []netip.Addr{ip}
		s.Status, s.Found = Skipped, host+whose+" is an address, not a name"
		return
	}
	lookup := c.o.Lookup
	if lookup == nil {
		lookup = func(ctx context.Context, host string) ([]netip.Addr, error) {
			return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
		}
	}
	addrs, err := lookup(ctx, host)
	switch bad, isDNS := errors.AsType[*net.DNSError](err); {
	case err == nil && len(addrs) > 0:
		c.addrs = addrs
		words := make([]string, 0, len(addrs))
		for _, a := range addrs {
			words = append(words, a.Unmap().String())
		}
		s.Found = host + whose + " is " + strings.Join(words, ", ")
	case isDNS && bad.IsNotFound, err == nil:
		fail(s, "There is no host "+host+whose+".", "Check the spelling; a name of an internal network needs its VPN or DNS server.")
	case errors.Is(err, context.DeadlineExceeded), isDNS && bad.IsTimeout:
		fail(s, "No DNS server answered for "+host+whose+".", "Check the network connection and the VPN.")
	default:
		fail(s, "The name "+host+whose+" could not be resolved.", "Check the network connection and the DNS server.")
	}
}

func (c *checker) connect(ctx context.Context, s *Step) {
	host, port := c.target()
	var failures []string
	var last error
	for _, ip := range c.addrs {
		at := net.JoinHostPort(ip.Unmap().String(), port)
		share := c.o.Timeout / time.Duration(len(c.addrs))
		one, cancel := context.WithTimeout(ctx, share)
		conn, err := (&net.Dialer{}).DialContext(one, "tcp", at)
		cancel()
		if err == nil {
			c.conn, s.Found = conn, at
			if len(failures) > 0 {
				s.Status = Warning
				s.Remedy = "Not at " + strings.Join(failures, ", ") + ": programs that try only these addresses do not reach the server."
			}
			return
		}
		last, failures = err, append(failures, at)
	}
	at := net.JoinHostPort(host, port)
	switch {
	case c.proxy != nil:
		fail(s, "The proxy at "+at+" does not accept connections.", "Check HTTP_PROXY and HTTPS_PROXY; NO_PROXY="+c.host+" goes past the proxy.")
	case errors.Is(last, syscall.ECONNREFUSED):
		fail(s, "Nothing listens at "+at+".", "Start the agent, or check the port; in a container the agent must listen at 0.0.0.0, and its port must be published.")
	case isTimeout(last):
		fail(s, at+" does not answer.", "Check the address; a firewall or a missing VPN drops connections without an answer.")
	case errors.Is(last, syscall.EHOSTUNREACH), errors.Is(last, syscall.ENETUNREACH):
		fail(s, "There is no route to "+at+".", "Check the network connection and the VPN.")
	default:
		fail(s, "No connection to "+at+" is possible.", "Check the address, the network connection and the firewall.")
	}
}

// tunnel asks the proxy for a connection to the server, as requests over TLS do.
func (c *checker) tunnel(ctx context.Context, s *Step) {
	switch {
	case c.proxy == nil:
		s.Status, s.Found = Skipped, "none is used for this host"
		return
	case strings.HasPrefix(c.proxy.Scheme, "socks"):
		s.Found = c.proxy.Redacted() + ", which is tried with the card"
		s.Status = Skipped
		return
	case !c.secure:
		s.Found = c.proxy.Redacted()
		return
	}
	at := net.JoinHostPort(c.host, c.port)
	if c.proxy.Scheme == "https" {
		secure := tls.Client(c.conn, &tls.Config{ServerName: c.proxy.Hostname(), RootCAs: c.o.RootCAs, InsecureSkipVerify: c.insecure(c.proxy.Hostname()), VerifyConnection: c.verify(c.proxy.Hostname())})
		if err := secure.HandshakeContext(ctx); err != nil {
			fail(s, "TLS with the proxy fails: "+describe(err, c.proxy.Hostname(), c.o.Now()).Found, "Check that the proxy's URL begins with the right scheme, http or https.")
			return
		}
		c.conn = secure
	}
	req := &http.Request{Method: http.MethodConnect, URL: &url.URL{Opaque: at}, Host: at, Header: http.Header{}}
	if u := c.proxy.User; u != nil {
		password, _ := u.Password()
		req.Header.Set("Proxy-Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(u.Username()+":"+password)))
	}
	if deadline, ok := ctx.Deadline(); ok {
		_ = c.conn.SetDeadline(deadline) // a connection that has none fails the write
	}
	err := req.Write(c.conn)
	var resp *http.Response
	if err == nil {
		resp, err = http.ReadResponse(bufio.NewReader(io.LimitReader(c.conn, 64<<10)), req)
	}
	switch {
	case err != nil:
		fail(s, "The proxy "+c.proxy.Redacted()+" does not answer as a proxy.", "Check HTTPS_PROXY; NO_PROXY="+c.host+" goes past the proxy.")
	case resp.StatusCode == http.StatusProxyAuthRequired:
		fail(s, "The proxy "+c.proxy.Redacted()+" asks for credentials.", "Write them into HTTPS_PROXY, as in http://user:password@proxy.example:3128.")
	case resp.StatusCode != http.StatusOK:
		fail(s, fmt.Sprintf("The proxy %s refuses %s with status %d.", c.proxy.Redacted(), at, resp.StatusCode), "Ask who runs the proxy; NO_PROXY="+c.host+" goes past it.")
	default:
		s.Found = c.proxy.Redacted()
		_ = c.conn.SetDeadline(time.Time{})
	}
}

func fail(s *Step, found, remedy string) { s.Status, s.Found, s.Remedy = Failed, found, remedy }

func isTimeout(err error) bool {
	timed, ok := errors.AsType[net.Error](err)
	return errors.Is(err, context.DeadlineExceeded) || ok && timed.Timeout()
}
