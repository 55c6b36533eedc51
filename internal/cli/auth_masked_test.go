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
