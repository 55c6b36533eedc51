package cli

import (
	"crypto/tls"
)

// targetTLS returns how a tap verifies the agent at a host: as every other connection of Parley
// does.
func (n *network) targetTLS(host string) *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS12, ServerName: host,
		RootCAs: n.certificates.roots, Certificates: n.certificates.own,
		InsecureSkipVerify: n.servers.InsecureAt(host), // the user asked for it, and every run warns
		VerifyConnection:   func(state tls.ConnectionState) error { return n.servers.Verify(host, &state) },
	}
}
