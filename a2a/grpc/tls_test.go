package grpc_test

import (
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"

	"parley/a2a"
	"parley/a2a/grpc/grpctest"
	"parley/a2a/servertrust"
	"parley/internal/certtest"
)

const task1 = `{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_WORKING"}}`

func answerTask(c *grpctest.Call) error { return c.Answer(task1) }

// The fingerprint of a certificate is compared whatever else makes it trusted.
func TestACertificateWithAnotherFingerprintIsRefused(t *testing.T) {
	t.Parallel()
	pair := certtest.New(t)
	secure := grpctest.Start(t, answerTask, grpc.Creds(credentials.NewTLS(&tls.Config{Certificates: []tls.Certificate{pair.TLS}})))
	right := servertrust.Fingerprint{Sum: sha256.Sum256(pair.Certificate.RawSubjectPublicKeyInfo), Key: true}
	for _, c := range []struct {
		f        servertrust.Fingerprint
		insecure bool
	}{{right, true}, {right, false}, {servertrust.Fingerprint{}, true}, {servertrust.Fingerprint{}, false}} {
		for _, scheme := range []string{"grpcs://", "grpc://"} {
			client, _ := newClient(t, scheme+secure.Address, a2a.V10, func(o *a2a.Options) {
				o.Servers = servertrust.Trust{Insecure: c.insecure, Fingerprints: map[string][]servertrust.Fingerprint{"127.0.0.1": {c.f}}}
				o.RootCAs = pair.Roots()
			})
			out := do(t, client, request(a2a.OpGet), a2a.Hooks{})
			if c.f == right && out.Err != nil || c.f != right && (out.End.Class != a2a.ClassTLS || !strings.Contains(out.End.Sentence, "has the fingerprint sha256:")) {
				t.Errorf("%s %v: got %+v", scheme, c, out.End)
			}
		}
	}
}

func TestTLSIsTriedFirstAndTrustedAsOverHTTP(t *testing.T) {
	t.Parallel()
	pair := certtest.New(t)
	own, pool := pair.TLS, pair.Roots()
	secure := grpctest.Start(t, answerTask, grpc.Creds(credentials.NewTLS(&tls.Config{Certificates: []tls.Certificate{own}})))
	plain := grpctest.Start(t, answerTask)
	for _, c := range []struct {
		name, endpoint, proto, says string
		roots                       *x509.CertPool
		insecure                    bool
	}{
		{"TLS with its authority", "grpcs://" + secure.Address, "gRPC, TLS", "", pool, false},
		{"TLS where none was asked for", "grpc://" + secure.Address, "gRPC, TLS", "", pool, false},
		{"TLS of an unknown authority", "grpcs://" + secure.Address, "", "does not trust the authority", nil, false},
		{"the same where TLS may be missing", "grpc://" + secure.Address, "", "does not trust the authority", nil, false},
		{"the same with --insecure", "grpcs://" + secure.Address, "gRPC, TLS", "", nil, true},
		{"no TLS on this machine", "grpc://" + plain.Address, "gRPC", "", nil, false},
		{"no TLS where it was asked for", "grpcs://" + plain.Address, "", "write grpc:// instead of grpcs://", nil, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			client, tape := newClient(t, c.endpoint, a2a.V10, func(o *a2a.Options) { o.RootCAs, o.Servers.Insecure = c.roots, c.insecure })
			out := do(t, client, request(a2a.OpGet), a2a.Hooks{})
			if c.says != "" {
				if out.End.Reason != a2a.Refused || !strings.Contains(out.End.Sentence, c.says) {
					t.Errorf("got %+v, want %q", out.End, c.says)
				}
				return
			}
			if out.Err != nil {
				t.Fatal(out.Err)
			}
			if got := tape.of(a2a.KindHead)[0].Head.Proto; got != c.proto {
				t.Errorf("got %q, want %q", got, c.proto)
			}
		})
	}
}

func TestTheClientCertificateIsShownToTheNamedOrigin(t *testing.T) {
	t.Parallel()
	pair, client := certtest.New(t), certtest.New(t)
	own, pool := pair.TLS, pair.Roots()
	mine, mineToo := client.TLS, client.Roots()
	server := grpctest.Start(t, answerTask, grpc.Creds(credentials.NewTLS(&tls.Config{
		Certificates: []tls.Certificate{own}, ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: mineToo,
	})))
	for named, works := range map[string]bool{"grpcs://" + server.Address: true, "https://elsewhere.example": false} {
		client, _ := newClient(t, "grpcs://"+server.Address, a2a.V10, func(o *a2a.Options) {
			o.RootCAs, o.Certificates, o.UserAddresses = pool, []tls.Certificate{mine}, []string{named}
		})
		out := do(t, client, request(a2a.OpGet), a2a.Hooks{})
		if (out.Err == nil) != works {
			t.Errorf("with %s named: got %v", named, out.Err)
		}
	}
}
