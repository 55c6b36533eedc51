package relay

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"syscall"
)

// dial opens a connection to an agent for a client that came by the way. Protocols are those of
// ALPN that the client could speak.
func (r *Relay) dial(ctx context.Context, to *url.URL, way []*Relay, protocols ...string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, r.limits.DialTime)
	defer cancel()
	conn, err := r.connect(ctx, to)
	if err != nil {
		return nil, err
	}
	// The next relay may ask for the way as soon as bytes come.
	tracked := r.options.Sockets.track(conn, append(way[:len(way):len(way)], r))
	if to.Scheme != "https" {
		return tracked, nil
	}
	config := r.targetTLS(to)
	config.NextProtos = protocols
	secure := tls.Client(tracked, config)
	if err := secure.HandshakeContext(ctx); err != nil {
		_ = tracked.Close() // there is nothing to say
		return nil, tlsFailure(err)
	}
	return secure, nil
}

// targetTLS returns how a target is checked.
func (r *Relay) targetTLS(to *url.URL) *tls.Config {
	config := &tls.Config{}
	if r.options.TargetTLS != nil {
		config = r.options.TargetTLS(to.Hostname()).Clone()
	}
	if config.ServerName == "" {
		config.ServerName = to.Hostname()
	}
	if to.Host != r.options.Target.Host { // who the user is concerns the agent alone
		config.Certificates, config.GetClientCertificate = nil, nil
	}
	return config
}

// dialFailure puts an error into words, without an end.
func dialFailure(err error) error {
	var dns *net.DNSError
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return errors.New("nothing answered in time")
	case errors.As(err, &dns) && dns.IsNotFound:
		return fmt.Errorf("the name %s is unknown", dns.Name)
	case errors.Is(err, syscall.ECONNREFUSED):
		return errors.New("nothing listens there (connection refused)")
	}
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Err != nil {
		return op.Err
	}
	return err
}

// tlsFailure puts an error of a handshake into words, without an end.
func tlsFailure(err error) error {
	if record, ok := errors.AsType[tls.RecordHeaderError](err); ok && record.Conn != nil {
		return errors.New("it does not speak TLS: write http:// in place of https://")
	}
	return fmt.Errorf("TLS failed: %w", err)
}
