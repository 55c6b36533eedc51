package grpc

import (
	"context"
	"net"
	"time"

	"google.golang.org/grpc/credentials"

	"parley/a2a"
	"parley/internal/crash"
)

// dialed are transport credentials for connections that the dialer has already secured.
type dialed struct{ tls bool }

// A secured says to grpc how a connection is protected.
type secured struct{ credentials.CommonAuthInfo }

func (secured) AuthType() string { return "tls" }

func (d dialed) ClientHandshake(_ context.Context, _ string, c net.Conn) (net.Conn, credentials.AuthInfo, error) {
	level := credentials.NoSecurity
	if made, ok := c.(*connection); ok && made.TLS {
		level = credentials.PrivacyAndIntegrity
	}
	return c, secured{credentials.CommonAuthInfo{SecurityLevel: level}}, nil
}

func (d dialed) ServerHandshake(net.Conn) (net.Conn, credentials.AuthInfo, error) {
	return nil, nil, net.ErrClosed // this side is a client
}

// Info decides the scheme that requests have.
func (d dialed) Info() credentials.ProtocolInfo {
	if d.tls {
		return credentials.ProtocolInfo{SecurityProtocol: "tls"}
	}
	return credentials.ProtocolInfo{SecurityProtocol: "insecure"}
}

func (d dialed) Clone() credentials.TransportCredentials { return d }

func (dialed) OverrideServerName(string) error { return nil }

// A connection remembers how it was made, and the first bytes that came: they say what another
// kind of server is.
type connection struct {
	a2a.Connection
	greeting greeting
	patience time.Duration // how long the other side may say nothing at the beginning
	silence  *time.Timer   // closes the connection then
}

// newConnection returns a connection that closes if nothing comes at its beginning: a server of
// HTTP/2 speaks at once, before it is asked anything.
func newConnection(made a2a.Connection, patience time.Duration) *connection {
	c := &connection{Connection: made, patience: patience}
	if patience > 0 {
		c.silence = time.AfterFunc(patience, func() {
			defer crash.Guard()
			if c.greeting.giveUp() {
				made.Close()
			}
		})
	}
	return c
}

// Close closes the connection.
func (c *connection) Close() error {
	if c.silence != nil {
		c.silence.Stop()
	}
	return c.Connection.Close()
}

// Read reads, and keeps the beginning.
func (c *connection) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.greeting.add(p[:n])
	return n, err
}
