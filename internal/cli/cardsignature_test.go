package cli

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/go-jose/go-jose/v4"
	"github.com/gowebpki/jcs"

	"parley/internal/porttest"
)

// signedAgent serves a signed card and, on another address, the keys that it names.
type signedAgent struct {
	card, keys *httptest.Server
	asked      atomic.Int32 // requests for keys
	change     func(card string) string
	file       string // the key set as a file
}

// newSignedAgent starts an agent that signs its card anew each time, with other bytes.
func newSignedAgent(t *testing.T) *signedAgent {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	set, err := json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: private.Public(), KeyID: "k1", Use: "sig"}}})
	if err != nil {
		t.Fatal(err)
	}
	a := &signedAgent{change: func(card string) string { return card }, file: filepath.Join(t.TempDir(), "keys.json")}
	if err := os.WriteFile(a.file, set, 0o600); err != nil {
		t.Fatal(err)
	}
	a.keys = &httptest.Server{Listener: porttest.Keep(t).Listen(), Config: &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.asked.Add(1)
		if r.Header.Get("Authorization") != "" {
			t.Error("credentials went to the host that a signature names")
		}
		_, _ = w.Write(set)
	})}}
	a.keys.Start()
	t.Cleanup(a.keys.Close)
	a.card = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		plain := fmt.Sprintf(`{"name":"Signed","description":"","version":"1","capabilities":{"streaming":false},"skills":[],"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],
			"supportedInterfaces":[{"url":"http://%s/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"}]}`, r.Host)
		payload, err := jcs.Transform([]byte(plain))
		if err != nil {
			t.Error(err)
		}
		signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: private},
			(&jose.SignerOptions{}).WithHeader("kid", "k1").WithHeader("typ", "JOSE").WithHeader("jku", a.keys.URL+"/jwks.json"))
		if err != nil {
			t.Error(err)
		}
		jws, err := signer.Sign(payload)
		if err != nil {
			t.Error(err)
		}
		var sig struct{ Protected, Signature string }
		if err := json.Unmarshal([]byte(jws.FullSerialize()), &sig); err != nil {
			t.Error(err)
		}
		signed := strings.TrimSuffix(plain, "}") + fmt.Sprintf(`,"signatures":[{"protected":%q,"signature":%q}]}`, sig.Protected, sig.Signature)
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(a.change(signed)))
	}))
	t.Cleanup(a.card.Close)
	return a
}

func TestTheSignatureOfACardIsVerified(t *testing.T) {
	t.Parallel()
	a := newSignedAgent(t)
	host := strings.TrimPrefix(a.keys.URL, "http://")
	for _, c := range []struct {
		args []string
		want string
		keys int32 // requests for keys
	}{
		{nil, `Signature: not verifiable, ES256, key "k1", Its key "k1" is at ` + a.keys.URL, 0},
		{[]string{"--card-key", a.file}, `Signature: verified, ES256, key "k1", from ` + a.file, 0},
		{[]string{"--card-key-host", host}, `Signature: verified, ES256, key "k1", from ` + a.keys.URL + "/jwks.json", 1},
		{[]string{"--card-key-host", "keys.example"}, "Signature: not verifiable", 0},
	} {
		a.asked.Store(0)
		r := parley(t, append([]string{"card", "get", a.card.URL, "--bearer", "s3cret"}, c.args...)...)
		if r.code != 0 || !strings.Contains(r.out, c.want) || a.asked.Load() != c.keys {
			t.Errorf("%q: got exit %d and %d requests for keys, want %q and %d\n%s%s", c.args, r.code, a.asked.Load(), c.want, c.keys, r.out, r.err)
		}
	}
}

func TestABrokenSignatureIsAFailure(t *testing.T) {
	t.Parallel()
	a := newSignedAgent(t)
	a.change = func(card string) string { return strings.Replace(card, `"skills":[]`, `"skills":[],"provider":{}`, 1) }
	for _, args := range [][]string{nil, {"--validate"}, {"-o", "json"}} {
		r := parley(t, append([]string{"card", "get", a.card.URL, "--card-key", a.file}, args...)...)
		if r.code != 1 || !strings.Contains(r.out+r.err, "/provider was added or changed") {
			t.Errorf("%q: got exit %d, want 1 and the member\n%s%s", args, r.code, r.out, r.err)
		}
	}
	if r := parley(t, "card", "get", a.card.URL); r.code != 0 {
		t.Errorf("without a key: got exit %d, want 0\n%s", r.code, r.err)
	}
}

func TestACardWithoutASignatureIsNoFailure(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, nil)
	a := newSignedAgent(t)
	if r := parley(t, "card", "get", s.URL, "--card-key", a.file); r.code != 0 || !strings.Contains(r.out, "Signature: absent\n") {
		t.Errorf("got exit %d, want 0 and that there is none\n%s%s", r.code, r.out, r.err)
	}
	if r := parley(t, "card", "get", s.URL, "--card-key", a.file, "-o", "json"); r.code != 0 || !strings.Contains(r.err, "Signature: absent\n") {
		t.Errorf("as JSON: got exit %d, want 0 and that there is none\n%s%s", r.code, r.out, r.err)
	}
}

func TestKeysThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	a := newSignedAgent(t)
	dir := t.TempDir()
	html := filepath.Join(dir, "login.html")
	if err := os.WriteFile(html, []byte("<html>log in</html>"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ flag, value, want string }{
		{"--card-key", filepath.Join(dir, "none"), "there is no file"},
		{"--card-key", dir, "is not a regular one"},
		{"--card-key", html, "there is no public key in it"},
		{"--card-key-host", "https://keys.example/x", "is not a host"},
	} {
		r := parley(t, "card", "get", a.card.URL, c.flag, c.value)
		if r.code != 2 || !strings.Contains(r.err, c.want) {
			t.Errorf("%s %s: got exit %d, want 2 and %q\n%s", c.flag, c.value, r.code, c.want, r.err)
		}
	}
	a.keys.Close()
	r := parley(t, "card", "get", a.card.URL, "--card-key-host", strings.TrimPrefix(a.keys.URL, "http://"))
	if r.code != 0 || !strings.Contains(r.err, "The keys of the card cannot be downloaded") || !strings.Contains(r.out, "Signature: not verifiable") {
		t.Errorf("got exit %d, want 0, the reason and the card\n%s%s", r.code, r.out, r.err)
	}
}
