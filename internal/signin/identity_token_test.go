package signin

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// An identity counts if the server signed it for this sign-in; one of another sign-in, which somebody could have
// copied, ends the sign-in.
func TestAnIdentityOfAnotherSignInIsRefused(t *testing.T) {
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	encode := base64.RawURLEncoding.EncodeToString
	nonce := ""
	var s *httptest.Server
	s = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch r.URL.Path {
		case "/.well-known/openid-configuration":
			fmt.Fprintf(w, `{"issuer":%q,"authorization_endpoint":%q,"token_endpoint":%q,"jwks_uri":%q,"id_token_signing_alg_values_supported":["RS256"]}`, s.URL, s.URL+"/page", s.URL+"/token", s.URL+"/keys")
		case "/keys":
			fmt.Fprintf(w, `{"keys":[{"kty":"RSA","kid":"k","alg":"RS256","use":"sig","n":%q,"e":"AQAB"}]}`, encode(private.N.Bytes()))
		case "/token":
			claims, _ := json.Marshal(map[string]any{"iss": s.URL, "aud": "parley", "sub": "ann", "nonce": nonce, "iat": time.Now().Unix(), "exp": time.Now().Add(time.Hour).Unix()})
			text := encode([]byte(`{"alg":"RS256","kid":"k"}`)) + "." + encode(claims)
			sum := sha256.Sum256([]byte(text))
			signed, _ := rsa.SignPKCS1v15(rand.Reader, private, crypto.SHA256, sum[:])
			fmt.Fprintf(w, `{"access_token":"access","token_type":"Bearer","expires_in":3600,"id_token":%q}`, text+"."+encode(signed))
		}
	}))
	t.Cleanup(s.Close)
	for _, c := range []struct{ nonce, want string }{{"n-1", ""}, {"n-2", "belongs to another sign-in"}, {"", "belongs to another sign-in"}} {
		nonce = c.nonce
		r := &Request{HTTP: s.Client(), Server: &Server{Issuer: s.URL, TokenURL: s.URL + "/token", OpenID: true}, ClientID: "parley", Scopes: []string{"openid"}}
		w := &visit{request: r, state: "s", nonce: "n-1", verifier: strings.Repeat("v", 43)}
		token, err := w.exchange(t.Context(), r.config(), code{text: "c", issuer: s.URL})
		if c.want == "" && (err != nil || token.AccessToken != "access") || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("nonce %q: got %+v, %v; want an error with %q, or the token without one", c.nonce, token, err, c.want)
		}
	}
}
