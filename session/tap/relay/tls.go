package relay

import (
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/url"
	"slices"
	"time"
)

// The protocols of ALPN.
const (
	overHTTP1 = "http/1.1"
	overHTTP2 = "h2"
)

// secure does the handshake with a client, if there is one, and reports whether it came about.
func (c *client) secure() bool {
	config := c.relay.options.TLS
	if config == nil {
		return true
	}
	config = config.Clone()
	config.GetConfigForClient = func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
		config := c.relay.options.TLS.Clone()
		config.NextProtos = c.protocols(hello.SupportedProtos)
		return config, nil
	}
	c.enter(inHead)
	conn := tls.Server(c.conn, config)
	if err := conn.HandshakeContext(c.ctx); err != nil {
		c.refuseHandshake(err)
		return false
	}
	c.mu.Lock()
	c.conn, c.in.conn = conn, conn
	c.mu.Unlock()
	c.who.TLS = true
	return true
}

// protocols returns what the client may choose: what it would have been given without the tap. An
// agent behind TLS is asked; one without TLS is asked over HTTP/2 only by a client that knows
// nothing else.
func (c *client) protocols(offered []string) []string {
	switch {
	case !slices.Contains(offered, overHTTP2):
		return []string{overHTTP1}
	case !slices.Contains(offered, overHTTP1):
		return []string{overHTTP2}
	case c.relay.options.Target.Scheme != "https":
		return []string{overHTTP1}
	}
	if c.leadsBack() { // its first request is told so
		return []string{overHTTP1}
	}
	conn, err := c.relay.dial(c.ctx, c.relay.options.Target, c.way, overHTTP2, overHTTP1)
	if err != nil {
		return []string{overHTTP1} // the client learns of it after its first request
	}
	c.mu.Lock()
	c.early = conn
	c.mu.Unlock()
	if secure, ok := conn.(*tls.Conn); ok && secure.ConnectionState().NegotiatedProtocol == overHTTP2 {
		return []string{overHTTP2}
	}
	return []string{overHTTP1}
}

// takeEarly returns the connection to the relay's own agent that was opened during the handshake,
// once.
func (c *client) takeEarly(to *url.URL) net.Conn {
	c.mu.Lock()
	defer c.mu.Unlock()
	if to != c.relay.options.Target {
		return nil
	}
	conn := c.early
	c.early = nil
	return conn
}

// refuseHandshake tells the observer, and a client without TLS, why nothing passes.
func (c *client) refuseHandshake(err error) {
	h := Head{Time: time.Now(), Header: http.Header{}}
	end := End{Cause: ClientBroke, Err: errors.New("the handshake of TLS failed: " + err.Error())}
	if record, ok := errors.AsType[tls.RecordHeaderError](err); ok && record.Conn != nil {
		end = End{Cause: Rejected, Err: errors.New("the client does not speak TLS; the URL of the tap begins with https://")}
		h.Wire = slices.Clone(record.RecordHeader[:])
		text := "This tap speaks TLS: use its URL, " + c.relay.base + ".\n"
		_, _ = record.Conn.Write(ownAnswer(http.StatusBadRequest, http.Header{"Content-Type": {"text/plain; charset=utf-8"}, "Connection": {"close"}}, text)) // it may have gone
	}
	x := c.begin(h)
	x.finish(c.cause(end))
	x.leave()
}
