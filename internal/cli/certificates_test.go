package cli

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/certtest"
)

// pemFile writes blocks of a type into a new file and returns its path.
func pemFile(t testing.TB, name, kind string, blocks ...[]byte) string {
	t.Helper()
	var b strings.Builder
	for _, bytes := range blocks {
		_ = pem.Encode(&b, &pem.Block{Type: kind, Bytes: bytes})
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// secured serves an agent over TLS. It counts the client certificates that it received, and
// requires one if mutual is not nil.
func secured(t testing.TB, s *stub, mutual *x509.Certificate) (server *httptest.Server, ca string, shown *int) {
	t.Helper()
	shown = new(int)
	server = httptest.NewUnstartedServer(s)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.TLS = &tls.Config{ClientAuth: tls.RequestClientCert, VerifyConnection: func(c tls.ConnectionState) error {
		*shown += len(c.PeerCertificates)
		return nil
	}}
	if mutual != nil {
		pool := x509.NewCertPool()
		pool.AddCert(mutual)
		server.TLS.ClientCAs, server.TLS.ClientAuth = pool, tls.RequireAndVerifyClientCert
	}
	server.StartTLS()
	t.Cleanup(server.Close)
	s.card = strings.ReplaceAll(s.card, "%s", server.URL)
	return server, pemFile(t, "ca.pem", "CERTIFICATE", server.Certificate().Raw), shown
}

// Every https connection trusts the authorities of --cacert and presents the certificate of
// --cert: for the card, for messages, and from every source of settings.
func TestCertificatesServeEveryConnection(t *testing.T) {
	t.Parallel()
	pair := certtest.New(t)
	cert, key, me := pair.CertFile, pair.KeyFile, pair.Certificate
	for _, where := range []string{"flags", "environment", "config.toml", "agent", "found"} {
		t.Run(where, func(t *testing.T) {
			s := newStub(t, plainCard, done)
			server, ca, shown := secured(t, s, me)
			folder, work := t.TempDir(), t.TempDir()
			line := commandLine{args: []string{"send", "x", "-a", server.URL}, env: []string{"XDG_CONFIG_HOME=" + folder}, dir: work}
			settings := "cacert = " + tomlText(ca) + "\ncert = " + tomlText(cert) + "\nkey = " + tomlText(key) + "\n"
			dir := filepath.Join(folder, "parley")
			switch where {
			case "flags":
				line.args = append(line.args, "--cacert", ca, "--cert", cert, "--key", key)
			case "environment":
				line.env = append(line.env, "PARLEY_CACERT="+ca, "A2ACLI_CERT="+cert, "PARLEY_KEY="+key)
			case "config.toml":
				writeTo(t, settings, dir, "config.toml")
			case "agent":
				writeTo(t, "[[agent]]\nname = \"Desk\"\nref = "+tomlText(server.URL)+"\n"+settings, dir, "config.toml")
				line.args[3] = "Desk"
			case "found":
				env(t, work, "PARLEY_CACERT="+ca, "A2ACLI_CERT="+cert, "PARLEY_KEY="+key)
			}
			r := line.run(t)
			if where == "found" {
				if r.code != 3 || len(s.seen) != 0 || !strings.Contains(r.err, "--cacert") {
					t.Errorf("found file: got exit %d, want 3 without a request\n%s", r.code, r.err)
				}
				return
			}
			if r.code != 0 || len(s.asked("SendMessage")) != 1 || *shown == 0 {
				t.Errorf("got exit %d and %d certificates, want 0 and at least 1\n%s", r.code, *shown, r.err)
			}
		})
	}
}

func TestAClientCertificateIsShownToNamedOriginsAlone(t *testing.T) {
	t.Parallel()
	pair := certtest.New(t)
	cert, key := pair.CertFile, pair.KeyFile
	s, other := newStub(t, plainCard, done), newStub(t, plainCard, done)
	far, ca, shown := secured(t, other, nil)
	s.card = strings.ReplaceAll(plainCard, "%s", far.URL)
	args := []string{"send", "x", "-a", s.URL, "--cacert", ca, "--cert", cert, "--key", key}
	if r := parley(t, args...); r.code != 0 || *shown != 0 {
		t.Errorf("another origin: got exit %d and %d certificates, want 0 and 0\n%s", r.code, *shown, r.err)
	}
	if r := parley(t, append(args, "--allow-origin", far.URL)...); r.code != 0 || *shown == 0 {
		t.Errorf("allowed origin: got exit %d and %d certificates, want 0 and at least 1\n%s", r.code, *shown, r.err)
	}
}

func TestFilesOfCertificatesThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	pair := certtest.New(t)
	cert, key, otherKey := pair.CertFile, pair.KeyFile, certtest.New(t).KeyFile
	text := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(text, []byte(secret), 0o600); err != nil {
		t.Fatal(err)
	}
	broken := pemFile(t, "broken.pem", "CERTIFICATE", []byte("no certificate"))
	locked := pemFile(t, "locked.pem", "ENCRYPTED PRIVATE KEY", []byte("x"))
	missing := filepath.Join(t.TempDir(), "none.pem")
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"--cacert", missing}, "There is no file " + missing},
		{[]string{"--cacert", text}, text + " contains no certificate: it is not written as PEM"},
		{[]string{"--cacert", key}, key + " contains no certificate, only \"PRIVATE KEY\""},
		{[]string{"--cacert", broken}, broken + " contains a certificate that cannot be read"},
		{[]string{"--cacert", filepath.Dir(text)}, "The file " + filepath.Dir(text) + " is not a regular one: name"},
		{[]string{"--key", key}, "The key " + key + " has no certificate"},
		{[]string{"--cert", cert}, cert + " contains no key, only \"CERTIFICATE\""},
		{[]string{"--cert", cert, "--key", otherKey}, "The key in " + otherKey + " does not belong to the certificate in " + cert},
		{[]string{"--cert", cert, "--key", locked}, "The key in " + locked + " is encrypted"},
	} {
		r := parley(t, append([]string{"card", "get", "https://127.0.0.1:1"}, c.args...)...)
		if r.code != 2 || !strings.Contains(r.err, c.says) {
			t.Errorf("%q: got exit %d, want 2 and %q in\n%s", c.args, r.code, c.says, r.err)
		}
		secretsOnly(t, c.says, r)
	}
	// A mistake in config.toml costs only itself.
	folder := t.TempDir()
	writeTo(t, "cacert = \"none.pem\"\ncert = "+tomlText(text)+"\n", filepath.Join(folder, "parley"), "config.toml")
	s := newStub(t, plainCard, done)
	r := commandLine{args: []string{"card", "get", s.URL}, env: []string{"XDG_CONFIG_HOME=" + folder}}.run(t)
	for _, said := range []string{"config.toml:1: cacert is not a usable file", filepath.Join(folder, "parley", "none.pem"), "config.toml:2: cert is not a usable file", text} {
		if r.code != 0 || !strings.Contains(r.err, said) {
			t.Errorf("got exit %d, want 0 and %q in\n%s", r.code, said, r.err)
		}
	}
}

func FuzzCertificates(f *testing.F) {
	f.Add([]byte("-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----\n"))
	f.Add([]byte("-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nMA==\n-----END RSA PRIVATE KEY-----\n"))
	f.Add([]byte("\x00"))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, content []byte) {
		path := filepath.Join(dir, "fuzz.pem")
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, files := range [][3]string{{path, "", ""}, {"", path, ""}, {"", path, path}} {
			if _, err := loadCertificates(files[0], files[1], files[2]); err != nil && !strings.Contains(err.Error(), path) {
				t.Errorf("got error %v, want one that names the file", err)
			}
		}
	})
}

// tomlText writes a TOML string without escapes.
func tomlText(s string) string { return "'" + s + "'" }
