//go:build unix

package cli

import (
	"encoding/base64"
	"net/http"
	"strings"
	"testing"

	"parley/internal/signin/signintest"
)

// A token endpoint that repeats the request makes a login print no secret: not that of the client, no
// code and no verifier.
func TestALoginPrintsNoSecretThatIsRepeated(t *testing.T) {
	t.Parallel()
	s := signintest.Start(t)
	var code, verifier string
	s.Instead("/oauth/token", func(w http.ResponseWriter, r *http.Request) {
		signintest.Parrot(w, r)
		code, verifier = r.Form.Get("code"), r.Form.Get("code_verifier")
	})
	h := newHome(t)
	g := startGuarded(t, &guardedAgent{schemes: `"i":{"openIdConnectSecurityScheme":{"openIdConnectUrl":"` + s.Issuer + `"}}`, requirements: `{"schemes":{"i":{"list":[]}}}`, check: knows(s)})
	in := h.signInWithBrowser(s, g.URL)
	if in.code != 4 || !strings.Contains(in.err, "refused: invalid_request (") || code == "" || verifier == "" || strings.Contains(in.err, code) || strings.Contains(in.err, verifier) || strings.Contains(in.err, "\x1b") {
		t.Errorf("got exit %d, want what the server says without the code:\n%s%s", in.code, in.out, in.err)
	}
	in = commandLine{args: []string{"auth", "login", g.URL, "--flow", "client-credentials", "--client-id", signintest.Service}, env: h.env("PARLEY_CLIENT_SECRET=" + signintest.Secret)}.run(t)
	pair := base64.StdEncoding.EncodeToString([]byte(signintest.Service + ":" + signintest.Secret))
	if in.code != 4 || !strings.Contains(in.err, "refused: invalid_request (") || strings.Contains(in.err, signintest.Secret) || strings.Contains(in.err, pair) || strings.Contains(in.err, "\x1b") {
		t.Errorf("got exit %d, want what the server says without the secret:\n%s%s", in.code, in.out, in.err)
	}
}

// The address of metadata in a card is requested as the card has it, although a part of it, which also stands in the
// address that the user gave, is masked in everything that is recorded and printed.
func TestALoginRequestsTheAddressThatTheCardHas(t *testing.T) {
	t.Parallel()
	s := signintest.Start(t)
	const policy = "B2C_1_sign-in-77"
	asked := make(chan string, 10)
	s.Instead("/policies/metadata/.well-known/openid-configuration", func(w http.ResponseWriter, r *http.Request) {
		asked <- r.URL.RawQuery
		http.Redirect(w, r, "/.well-known/openid-configuration", http.StatusFound)
	})
	h := newHome(t)
	g := startGuarded(t, &guardedAgent{schemes: `"i":{"openIdConnectSecurityScheme":{"openIdConnectUrl":"` + s.Issuer + `/policies/metadata/.well-known/openid-configuration?p=` + policy + `"}}`,
		requirements: `{"schemes":{"i":{"list":[]}}}`, check: func(r *http.Request) bool { return strings.HasPrefix(r.Header.Get("Authorization"), "Bearer ") }})
	in := commandLine{args: []string{"auth", "login", g.URL + "?x=" + policy, "--flow", "client-credentials", "--client-id", signintest.Service}, env: h.env("PARLEY_CLIENT_SECRET=" + signintest.Secret)}.run(t)
	if got := <-asked; got != "p="+policy {
		t.Errorf("got a request with the query %q, want that of the card", got)
	}
	if strings.Contains(in.out+in.err, policy) {
		t.Errorf("the value is printed:\n%s%s", in.out, in.err)
	}
}

// An identity whose server has a secret in one of its addresses is in no file: a command says so, and keeps nothing.
func TestNoFileHasTheSecretInAnAddressOfAServer(t *testing.T) {
	t.Parallel()
	s := signintest.Start(t)
	const secret = "B2C_1_sign-in-77"
	h := newHome(t)
	g := startGuarded(t, &guardedAgent{schemes: `"o":{"oauth2SecurityScheme":{"flows":{"clientCredentials":{"tokenUrl":"` + s.Issuer + `/oauth/token?x=` + secret + `","scopes":{}}}}}`,
		requirements: `{"schemes":{"o":{"list":[]}}}`, check: func(*http.Request) bool { return false }})
	in := commandLine{args: []string{"auth", "login", g.URL + "?x=" + secret, "--flow", "client-credentials", "--client-id", signintest.Service}, env: h.env("PARLEY_CLIENT_SECRET=" + signintest.Secret)}.run(t)
	if in.code != 4 || !strings.Contains(in.err, "has a secret of yours in it, which no file may have") || strings.Contains(in.out+in.err+h.files(), secret) {
		t.Errorf("got exit %d, want 4 without the secret:\n%s%s\n%s", in.code, in.out, in.err, h.files())
	}
}
