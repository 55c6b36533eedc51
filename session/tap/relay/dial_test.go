package relay

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"parley/internal/certtest"
)

// A target that is not the agent, such as a webhook, is checked by its own name, and does not learn who
// the user is.
func TestAnotherTargetIsCheckedByItsOwnName(t *testing.T) {
	t.Parallel()
	agentPair := certtest.New(t)
	hookPair := certtest.Changed(t, func(c *x509.Certificate) { c.IPAddresses, c.DNSNames = nil, []string{"localhost"} })
	serve := func(pair certtest.Pair) string {
		return startHTTP2(t, &tls.Config{Certificates: []tls.Certificate{pair.TLS}, ClientAuth: tls.RequestClientCert}, func(w http.ResponseWriter, r *http.Request) {
			known := "nobody"
			if len(r.TLS.PeerCertificates) > 0 {
				known = "the user"
			}
			_, _ = io.WriteString(w, known+" asks "+r.Host)
		})
	}
	agent, hook := serve(agentPair), serve(hookPair)
	_, port, _ := net.SplitHostPort(hook)
	hook = "localhost:" + port
	roots := agentPair.Roots()
	roots.AddCert(hookPair.Certificate)
	r := startRelay(t, "", Options{
		Target: &url.URL{Scheme: "https", Host: agent},
		TargetTLS: func(host string) *tls.Config {
			return &tls.Config{RootCAs: roots, ServerName: host, Certificates: []tls.Certificate{agentPair.TLS}}
		},
		Observer: newNotebook(func(h Head) Plan {
			if h.URI == "/hook" {
				return Plan{Target: &url.URL{Scheme: "https", Host: hook, Path: "/"}}
			}
			return Plan{}
		}),
	})
	for path, want := range map[string]string{"/": "the user asks " + agent, "/hook": "nobody asks " + hook} {
		got, err := exchangeRaw(t, r.Addr().String(), "GET "+path+" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
		if err != nil || !strings.HasSuffix(got, want) {
			t.Errorf("%s: got %q, %v, want %q", path, got, err, want)
		}
	}
}
