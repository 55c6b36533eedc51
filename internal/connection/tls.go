package connection

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"
)

// soon is how long before its end a certificate is worth a warning.
const soon = 14 * 24 * time.Hour

// clientWait is how long a server has to refuse a connection without a client certificate. In
// TLS 1.3 it says so after the handshake.
const clientWait = 300 * time.Millisecond

func (c *checker) handshake(ctx context.Context, s *Step) {
	switch {
	case !c.secure:
		s.Status, s.Found = Skipped, "the address does not ask for it"
		return
	case c.proxy != nil && strings.HasPrefix(c.proxy.Scheme, "socks"):
		s.Status, s.Found = Skipped, "it is tried with the card, through the proxy"
		return
	}
	asked := false // for a client certificate
	conn := tls.Client(c.conn, &tls.Config{
		ServerName: c.host, RootCAs: c.o.RootCAs, InsecureSkipVerify: c.insecure(c.host), VerifyConnection: c.verify(c.host),
		NextProtos: []string{"h2", "http/1.1"},
		GetClientCertificate: func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
			asked = true
			if len(c.o.Certificates) == 0 {
				return &tls.Certificate{}, nil
			}
			return &c.o.Certificates[0], nil
		},
	})
	err := conn.HandshakeContext(ctx)
	if err == nil {
		err = refusalAfter(conn)
	}
	if alert, ok := errors.AsType[*net.OpError](err); ok && asked && alert.Op == "remote error" {
		switch len(c.o.Certificates) {
		case 0:
			fail(s, "The server asks for a client certificate.", "--cert FILE and --key FILE present one.")
		default:
			fail(s, "The server does not accept the client certificate.", "Check that --cert is of an authority that the server trusts, and has not expired.")
		}
		return
	}
	if err != nil {
		d := describe(err, c.host, c.o.Now())
		fail(s, d.Found, d.Remedy)
		return
	}
	c.conn = conn
	state := conn.ConnectionState()
	leaf := state.PeerCertificates[0]
	s.Found = fmt.Sprintf("%s, certificate of %s until %s", tls.VersionName(state.Version), nameOf(leaf), leaf.NotAfter.Format(time.DateOnly))
	known := c.o.Known != nil && c.o.Known(c.host)
	if known {
		s.Found += ", with the expected fingerprint"
	}
	switch left := leaf.NotAfter.Sub(c.o.Now()); {
	case c.insecure(c.host) && !known:
		s.Status, s.Remedy = Warning, "The certificate is not verified (--insecure): anybody could answer."
	case left < soon:
		s.Status, s.Remedy = Warning, fmt.Sprintf("The certificate ends in %d days: renew it.", int(left.Hours()/24))
	}
}

// insecure reports whether any certificate of a host is accepted.
func (c *checker) insecure(host string) bool { return c.o.Insecure != nil && c.o.Insecure(host) }

// An unexpected certificate is not the one that the user expects.
type unexpected struct{ error }

// verify returns what verifies the certificate of a host besides its chain.
func (c *checker) verify(host string) func(tls.ConnectionState) error {
	return func(state tls.ConnectionState) error {
		if c.o.Verify == nil {
			return nil
		}
		if err := c.o.Verify(host, &state); err != nil {
			return unexpected{err}
		}
		return nil
	}
}

// refusalAfter returns the alert that a server sends after the handshake, nil if it waits for
// a request.
func refusalAfter(conn *tls.Conn) error {
	_ = conn.SetReadDeadline(time.Now().Add(clientWait))
	defer func() { _ = conn.SetReadDeadline(time.Time{}) }()
	_, err := conn.Read(make([]byte, 1))
	if err == nil || isTimeout(err) || errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// nameOf returns the name that a certificate is for.
func nameOf(c *x509.Certificate) string {
	if len(c.DNSNames) > 0 {
		return strings.Join(c.DNSNames[:min(3, len(c.DNSNames))], ", ")
	}
	if len(c.IPAddresses) > 0 {
		return c.IPAddresses[0].String()
	}
	return c.Subject.CommonName
}

// describe says what a failed handshake means.
func describe(err error, host string, now time.Time) Step {
	var s Step
	if other, ok := errors.AsType[unexpected](err); ok {
		fail(&s, other.Error()+".", "Ask who runs the server whether its certificate is new, and correct --tls-fingerprint; otherwise somebody is between.")
		return s
	}
	if header, ok := errors.AsType[tls.RecordHeaderError](err); ok {
		if string(header.RecordHeader[:4]) == "HTTP" || header.Conn != nil {
			fail(&s, "The server does not speak TLS.", "Use http:// instead of https:// if it is on this machine or behind a tunnel.")
			return s
		}
	}
	if bad, ok := errors.AsType[x509.CertificateInvalidError](err); ok && bad.Reason == x509.Expired {
		if now.Before(bad.Cert.NotBefore) {
			fail(&s, "The certificate is valid from "+bad.Cert.NotBefore.Format(time.DateTime)+" on; this machine has "+now.Format(time.DateTime)+".", "Set the clock of this machine.")
		} else {
			fail(&s, "The certificate expired on "+bad.Cert.NotAfter.Format(time.DateOnly)+".", "Renew it on the server; if it is new, set the clock of this machine.")
		}
		return s
	}
	if bad, ok := errors.AsType[x509.HostnameError](err); ok {
		fail(&s, "The certificate is for "+nameOf(bad.Certificate)+", not for "+host+".", "Use the name in the certificate, or have a certificate made for this one.")
		return s
	}
	if _, ok := errors.AsType[x509.UnknownAuthorityError](err); ok {
		fail(&s, "The certificate is signed by an authority that this machine does not trust.", "--cacert FILE trusts the authority of a company or of a test; --insecure accepts any, for development.")
		return s
	}
	switch text := err.Error(); {
	case strings.Contains(text, "unrecognized name"):
		fail(&s, "The server does not know the host name "+host+".", "Check the name.")
	case strings.Contains(text, "handshake failure"), strings.Contains(text, "protocol version"):
		fail(&s, "Parley and the server have no version or cipher of TLS in common.", "The server needs TLS 1.2 or later.")
	case isTimeout(err):
		fail(&s, "The server does not answer the TLS handshake.", "Check the port: perhaps it is one without TLS.")
	case errors.Is(err, io.EOF), errors.Is(err, net.ErrClosed):
		fail(&s, "The server ended the connection in the TLS handshake.", "Check the port: perhaps it is one without TLS.")
	default:
		fail(&s, "The TLS handshake fails.", "Check the port and the certificate of the server.")
	}
	return s
}
