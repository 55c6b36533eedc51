package signature

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
)

const hookURL = "http://127.0.0.1:8080/hook/abc"

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// A tokenMaker signs tokens as an agent does.
type tokenMaker struct {
	t       testing.TB
	private ed25519.PrivateKey
	set     []byte // the public key as a key set
}

func newTokenMaker(t testing.TB, kid string) *tokenMaker {
	t.Helper()
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	set, err := json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: public, KeyID: kid, Use: "sig"}}})
	if err != nil {
		t.Fatal(err)
	}
	return &tokenMaker{t, private, set}
}

func (m *tokenMaker) sign(kid string, payload []byte) string {
	m.t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.EdDSA, Key: m.private}, (&jose.SignerOptions{}).WithHeader("kid", kid).WithHeader("jku", "https://keys.example/jwks.json"))
	if err != nil {
		m.t.Fatal(err)
	}
	jws, err := signer.Sign(payload)
	if err != nil {
		m.t.Fatal(err)
	}
	token, err := jws.CompactSerialize()
	if err != nil {
		m.t.Fatal(err)
	}
	return token
}

// token makes a token for a body, which is valid at noon; changes replace claims, nil removes one.
func (m *tokenMaker) token(body string, changes map[string]any) string {
	sum := sha256.Sum256([]byte(body))
	c := map[string]any{"iss": "https://agent.example", "aud": hookURL, "iat": noon.Unix(), "exp": noon.Add(5 * time.Minute).Unix(), "request_body_sha256": hex.EncodeToString(sum[:])}
	maps.Copy(c, changes)
	maps.DeleteFunc(c, func(_ string, v any) bool { return v == nil })
	payload, err := json.Marshal(c)
	if err != nil {
		m.t.Fatal(err)
	}
	return m.sign("k1", payload)
}

func bearer(token string) http.Header { return http.Header{"Authorization": {"Bearer " + token}} }

func verifierOf(t testing.TB, set []byte) *Deliveries {
	t.Helper()
	clock := func() time.Time { return noon }
	keys := NewKeys(clock)
	if set != nil {
		if err := keys.Add("keys.json", set); err != nil {
			t.Fatal(err)
		}
	}
	return NewDeliveries(keys, clock)
}

func TestTokensOfDeliveriesAreVerified(t *testing.T) {
	m, stranger := newTokenMaker(t, "k1"), newTokenMaker(t, "k1")
	const body = `{"id":"t"}`
	none := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none"}`)) + "." + base64.RawURLEncoding.EncodeToString([]byte(`{}`)) + "."
	secret := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"HS256","kid":"k1"}`)) + ".e30.c2ln"
	for name, c := range map[string]struct {
		header         http.Header
		body           string
		verdict        Verdict
		why            string
		proves, forged bool
	}{
		"body and audience":   {bearer(m.token(body, nil)), body, Verified, "", true, false},
		"in the token header": {http.Header{"X-A2a-Notification-Token": {m.token(body, nil)}}, body, Verified, "", true, false},
		"the sample of 0.1":   {bearer(m.token(body, map[string]any{"aud": nil, "exp": nil})), body, Verified, "", true, false},
		"audience alone":      {bearer(m.token(body, map[string]any{"request_body_sha256": nil, "aud": []string{"x", "http://127.0.0.1:8080"}})), body, Verified, "", true, false},
		"bound to nothing":    {bearer(m.token(body, map[string]any{"request_body_sha256": nil, "aud": nil})), body, Verified, "proves only who made it", false, false},
		"another body":        {bearer(m.token("other", nil)), body, Broken, "another body", false, true},
		"another receiver":    {bearer(m.token(body, map[string]any{"aud": "https://other.example"})), body, Broken, "another receiver", false, false},
		"expired":             {bearer(m.token(body, map[string]any{"exp": noon.Add(-time.Hour).Unix()})), body, Broken, "ended 1h0m0s ago", false, false},
		"expired just now":    {bearer(m.token(body, map[string]any{"exp": noon.Add(-30 * time.Second).Unix()})), body, Verified, "", true, false},
		"an hour ahead":       {bearer(m.token(body, map[string]any{"iat": noon.Add(time.Hour).Unix(), "exp": noon.Add(2 * time.Hour).Unix()})), body, Broken, "1h0m0s in the future", false, false},
		"begins later":        {bearer(m.token(body, map[string]any{"nbf": noon.Add(time.Hour).Unix()})), body, Broken, "begins in 1h0m0s", false, false},
		"old, without an end": {bearer(m.token(body, map[string]any{"exp": nil, "iat": noon.Add(-time.Hour).Unix()})), body, Broken, "does not say when it ends", false, false},
		"without times":       {bearer(m.token(body, map[string]any{"exp": nil, "iat": nil})), body, Broken, "used for ever", false, false},
		"a time that is none": {bearer(m.token(body, map[string]any{"exp": 1e300})), body, Broken, "no number of seconds", false, false},
		"no claims":           {bearer(m.sign("k1", []byte("[1,2]"))), body, Broken, "no claims", false, false},
		"another key":         {bearer(m.sign("k2", []byte("{}"))), body, Unverifiable, `The key "k2" of its token is at https://keys.example/jwks.json`, false, false},
		"another's signature": {bearer(stranger.token(body, nil)), body, Broken, `The key "k1", which you trust, did not sign`, false, true},
		"none":                {bearer(none), body, Unverifiable, "", false, false},
		"a shared secret":     {bearer(secret), body, Unverifiable, "shared secret", false, false},
		"a long token":        {bearer(m.token(body, map[string]any{"x": strings.Repeat("x", maxToken)})), body, Unverifiable, "longer than 16 KiB", false, false},
		"a signed body":       {http.Header{}, m.sign("k1", []byte(body)), Verified, "", false, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := verifierOf(t, m.set).Judge(hookURL, c.header, []byte(c.body))
			if !r.Signed || r.Verdict != c.verdict || !strings.Contains(r.Why, c.why) || c.verdict != Verified && r.Why == "" || r.Proves != c.proves || r.Forged != c.forged {
				t.Errorf("got %+v", r)
			}
		})
	}
	for _, h := range []http.Header{{}, {"Authorization": {"Basic eyJ.a.b"}}, {"Authorization": {"Bearer opaque"}}, {"X-A2a-Notification-Token": {"token"}}} {
		if r := verifierOf(t, m.set).Judge(hookURL, h, []byte(body)); r.Signed || r.Proves {
			t.Errorf("%v: got %+v, want that nothing is signed", h, r)
		}
	}
	for _, h := range []http.Header{bearer(m.token(body, nil))} {
		if r := verifierOf(t, nil).Judge(hookURL, h, []byte(body)); r.Verdict != Unverifiable || r.Proves {
			t.Errorf("without keys: got %+v, want that it is not verifiable", r)
		}
	}
}

// A token is used for one delivery, which may be repeated; keys can be replaced.
func TestATokenIsUsedOnce(t *testing.T) {
	m := newTokenMaker(t, "k1")
	d := verifierOf(t, m.set)
	once := bearer(m.token("", map[string]any{"jti": "1", "request_body_sha256": nil}))
	for _, c := range []struct {
		body string
		want Verdict
	}{{"one", Verified}, {"one", Verified}, {"two", Broken}} {
		r := d.Judge(hookURL, once, []byte(c.body))
		if r.Verdict != c.want || r.Forged != (c.want == Broken) {
			t.Errorf("%s: got %+v, want %s", c.body, r, c.want)
		}
	}
	for i := range maxUsed + 10 {
		d.use(fmt.Sprint(i), use{end: noon.Add(time.Duration(i) * time.Second)})
	}
	if len(d.used) > maxUsed {
		t.Errorf("got %d tokens, want at most %d", len(d.used), maxUsed)
	}
	d.SetKeys(nil)
	if r := d.Judge(hookURL, once, []byte("one")); r.Verdict != Unverifiable {
		t.Errorf("got %+v without keys", r)
	}
}

func FuzzJudge(f *testing.F) {
	m := newTokenMaker(f, "k1")
	d := verifierOf(f, m.set)
	f.Add(m.token("x", nil), "x")
	f.Add("eyJ..", "eyJhbGciOiJFZERTQSJ9.e30.")
	f.Fuzz(func(t *testing.T, token, body string) {
		r := d.Judge(hookURL, bearer(token), []byte(body))
		if r.Verdict != Verified && r.Signed && r.Why == "" {
			t.Errorf("got %+v, want a reason", r)
		}
	})
}
