// Package servertrust says which servers are trusted besides those whose certificate an authority signed. They are
// hosts whose certificate is not verified, and servers that a user recognises by a fingerprint.
package servertrust

import (
	"crypto/sha256"
	"crypto/tls"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"parley/a2a/hostname"
)

// A Fingerprint is the SHA-256 checksum of a server's certificate, or of its public key, by
// which the user recognises the server.
type Fingerprint struct {
	Sum [sha256.Size]byte
	Key bool // of the public key (SubjectPublicKeyInfo), which a renewed certificate may keep
}

// Parse reads sha256:HEX, the checksum of a certificate as openssl x509 -fingerprint
// -sha256 prints it, or sha256//BASE64, that of a public key as curl takes it.
// why says in a clause what is wrong with the text, empty if nothing is.
func Parse(text string) (f Fingerprint, why string) {
	lower := strings.ToLower(text)
	var sum []byte
	var err error
	switch {
	case strings.HasPrefix(lower, "sha256//"):
		f.Key = true
		sum, err = base64.RawStdEncoding.DecodeString(strings.TrimRight(text[len("sha256//"):], "="))
	case strings.HasPrefix(lower, "sha256:"):
		sum, err = hex.DecodeString(strings.ReplaceAll(lower[len("sha256:"):], ":", ""))
	default:
		return f, "it begins neither with sha256: (a certificate, in hexadecimal digits) nor with sha256// (a public key, in base64)"
	}
	switch {
	case err != nil && f.Key:
		return f, "it is not base64"
	case err != nil:
		return f, "it is not written in pairs of hexadecimal digits"
	case len(sum) != sha256.Size:
		return f, fmt.Sprintf("it has %d bytes, but a SHA-256 checksum has %d", len(sum), sha256.Size)
	}
	copy(f.Sum[:], sum)
	return f, ""
}

// String returns the fingerprint as [Parse] reads it.
func (f Fingerprint) String() string {
	if f.Key {
		return "sha256//" + base64.StdEncoding.EncodeToString(f.Sum[:])
	}
	return "sha256:" + hex.EncodeToString(f.Sum[:])
}

// Of returns the fingerprints of the certificate of a server and of its public key,
// none without a certificate.
func Of(state *tls.ConnectionState) []Fingerprint {
	if len(state.PeerCertificates) == 0 {
		return nil
	}
	leaf := state.PeerCertificates[0]
	return []Fingerprint{{Sum: sha256.Sum256(leaf.Raw)}, {Sum: sha256.Sum256(leaf.RawSubjectPublicKeyInfo), Key: true}}
}

// An Error says that a server has another certificate than the user expects.
type Error struct {
	Host string
	Got  []Fingerprint // of its certificate and of its public key
}

// Error returns one sentence without its full stop.
func (e *Error) Error() string {
	if len(e.Got) == 0 {
		return fmt.Sprintf("%s has no certificate, but --tls-fingerprint expects one", e.Host)
	}
	return fmt.Sprintf("The certificate of %s is not the one that --tls-fingerprint names, but has the fingerprint %s", e.Host, e.Got[0])
}

// Trust says how the certificates of servers are verified besides their chains. The zero
// value changes nothing.
type Trust struct {
	// Insecure accepts any certificate, and InsecureHosts any of these hosts.
	Insecure      bool
	InsecureHosts []string
	// Fingerprints are those that the servers of a host must have one of, besides a certificate
	// that is otherwise accepted. The hosts are written as [hostname.Key] has them.
	Fingerprints map[string][]Fingerprint
}

// InsecureAt reports whether any certificate of a host is accepted.
func (s *Trust) InsecureAt(host string) bool {
	return s.Insecure || slices.ContainsFunc(s.InsecureHosts, func(h string) bool { return hostname.Same(h, host) })
}

// Knows reports whether there are fingerprints of a host.
func (s *Trust) Knows(host string) bool { return len(s.Fingerprints[hostname.Key(host)]) > 0 }

// Verify compares the certificate of a server with the fingerprints of its host.
func (s *Trust) Verify(host string, state *tls.ConnectionState) error {
	want := s.Fingerprints[hostname.Key(host)]
	if len(want) == 0 {
		return nil
	}
	got := Of(state)
	for _, f := range got {
		if slices.Contains(want, f) {
			return nil
		}
	}
	return &Error{Host: host, Got: got}
}

// Differs reports whether hosts are treated differently, which net/http cannot do.
func (s *Trust) Differs() bool { return len(s.InsecureHosts) > 0 || len(s.Fingerprints) > 0 }
