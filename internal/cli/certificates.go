package cli

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"parley/internal/config"
)

// maxPEM is the longest file of certificates or keys that is read, in bytes: a bundle of all
// public authorities has a quarter of it.
const maxPEM = 1 << 20

// certificates are the additional trusted authorities and the client certificate of TLS
// connections.
type certificates struct {
	roots *x509.CertPool    // nil for only the system's
	own   []tls.Certificate // at most one
}

// loadCertificates reads the files of --cacert, --cert and --key, each of which may be
// empty. A certificate without a key has it in its own file. The error is a clause that
// names the file.
func loadCertificates(cacert, cert, key string) (c certificates, err error) {
	if cacert != "" {
		if c.roots, err = authorities(cacert); err != nil {
			return certificates{}, err
		}
	}
	switch {
	case cert == "" && key == "":
		return c, nil
	case cert == "":
		return certificates{}, fmt.Errorf("the key %s has no certificate: name it with --cert", key)
	case key == "":
		key = cert
	}
	own, err := keyPair(cert, key)
	if err != nil {
		return certificates{}, err
	}
	c.own = []tls.Certificate{own}
	return c, nil
}

// ownCertificates sets the files of a saved agent. A certificate of its own comes with a key of
// its own.
func (n *network) ownCertificates(agent *config.Agent) error {
	if agent.CACert == "" && agent.Cert == "" && agent.Key == "" {
		return nil
	}
	if agent.CACert != "" && !n.fromFlags["cacert"] {
		n.cacert = agent.CACert
	}
	if (agent.Cert != "" || agent.Key != "") && !n.fromFlags["cert"] && !n.fromFlags["key"] {
		n.cert, n.key = agent.Cert, agent.Key
	}
	certificates, err := loadCertificates(n.cacert, n.cert, n.key)
	if err == nil {
		n.certificates = certificates
	}
	return err
}

// authorities returns the system's authorities and those of a file.
func authorities(path string) (*x509.CertPool, error) {
	blocks, err := blocksOf(path, "CERTIFICATE")
	if err != nil {
		return nil, err
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool() // a system without any
	}
	for _, b := range blocks {
		certificate, err := x509.ParseCertificate(b.Bytes)
		if err != nil {
			return nil, fmt.Errorf("%s contains a certificate that cannot be read: export it again as PEM", path)
		}
		pool.AddCert(certificate)
	}
	return pool, nil
}

// keyPair returns a client certificate and its key.
func keyPair(cert, key string) (tls.Certificate, error) {
	certificates, err := blocksOf(cert, "CERTIFICATE")
	if err != nil {
		return tls.Certificate{}, err
	}
	keys, err := blocksOf(key, "PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY")
	if err != nil {
		return tls.Certificate{}, err
	}
	if k := keys[0]; k.Type == "ENCRYPTED PRIVATE KEY" || strings.Contains(k.Headers["Proc-Type"], "ENCRYPTED") {
		return tls.Certificate{}, fmt.Errorf("the key in %s is encrypted: decrypt it into a file that only you can read", key)
	}
	var chain []byte
	for _, b := range certificates {
		chain = append(chain, pem.EncodeToMemory(b)...)
	}
	pair, err := tls.X509KeyPair(chain, pem.EncodeToMemory(keys[0]))
	switch {
	case err == nil:
		return pair, nil
	case strings.Contains(err.Error(), "does not match"):
		return tls.Certificate{}, fmt.Errorf("the key in %s does not belong to the certificate in %s", key, cert)
	default:
		return tls.Certificate{}, fmt.Errorf("the certificate in %s or the key in %s cannot be read: export them again as PEM", cert, key)
	}
}

// blocksOf returns the blocks of a PEM file with one of some types, at least one.
func blocksOf(path string, types ...string) (blocks []*pem.Block, err error) {
	content, err := readPEM(path)
	if err != nil {
		return nil, err
	}
	other := ""
	for b, rest := pem.Decode(content); b != nil; b, rest = pem.Decode(rest) {
		if slices.Contains(types, b.Type) {
			blocks = append(blocks, b)
		} else {
			other = b.Type
		}
	}
	what := "key"
	if types[0] == "CERTIFICATE" {
		what = "certificate"
	}
	switch {
	case len(blocks) > 0:
		return blocks, nil
	case other != "":
		return nil, fmt.Errorf("the file %s contains no %s, only %q", path, what, shorten(other))
	default:
		return nil, fmt.Errorf("the file %s contains no %s: it is not written as PEM, which begins with -----BEGIN", path, what)
	}
}

// shorten cuts a word of a file for a sentence.
func shorten(s string) string { return s[:min(len(s), 40)] }

// readPEM reads a file of a sensible size.
func readPEM(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no file %s: check its name and the folder", path)
	case err == nil && !info.Mode().IsRegular(): // opening a pipe would wait
		return nil, fmt.Errorf("the file %s is not a regular one: name a file of certificates", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("the file %s cannot be read: check its permissions", path)
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, maxPEM+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("the file %s cannot be read: check the disk", path)
	case len(content) > maxPEM:
		return nil, fmt.Errorf("the file %s is longer than %d bytes, the limit for certificates", path, maxPEM)
	}
	return content, nil
}
