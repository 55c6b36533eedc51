package signature_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/gowebpki/jcs"

	"parley/a2a"
	"parley/internal/signature"
)

func today() time.Time { return time.Date(2026, 11, 24, 0, 0, 0, 0, time.UTC) }

// signer signs payloads with a key of its own.
type signer struct {
	private *ecdsa.PrivateKey
	jose.Signer
}

func newSigner(t testing.TB, id string) *signer {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	s, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: private},
		(&jose.SignerOptions{}).WithHeader("kid", id).WithHeader("typ", "JOSE").WithHeader("jku", "https://a.example/jwks.json"))
	if err != nil {
		t.Fatal(err)
	}
	return &signer{private, s}
}

// sign returns the signature of a payload.
func (s *signer) sign(t testing.TB, payload string) a2a.Signature {
	t.Helper()
	jws, err := s.Sign([]byte(payload))
	if err != nil {
		t.Fatal(err)
	}
	var sig a2a.Signature
	if err := json.Unmarshal([]byte(jws.FullSerialize()), &sig); err != nil {
		t.Fatal(err)
	}
	return sig
}

// keys returns the signer's public key as a trusted set.
func (s *signer) keys(t testing.TB, id string) *signature.Keys {
	t.Helper()
	set, err := json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: s.private.Public(), KeyID: id, Use: "sig"}}})
	if err != nil {
		t.Fatal(err)
	}
	return keysOf(t, string(set))
}

func keysOf(t testing.TB, file string) *signature.Keys {
	t.Helper()
	k := signature.NewKeys(today)
	if err := k.Add("keys.json", []byte(file)); err != nil {
		t.Fatal(err)
	}
	return k
}

// The card of these tests has members of every kind at their default value.
const card10 = `{"name":"Ferry ü","description":"","version":"1","defaultInputModes":[],"defaultOutputModes":["text/plain"],
 "supportedInterfaces":[{"url":"https://a.example","protocolBinding":"JSONRPC","tenant":"","protocolVersion":"1.0"}],
 "capabilities":{"streaming":false,"pushNotifications":false,"extensions":[]},"securityRequirements":[],
 "securitySchemes":{"k":{"apiKeySecurityScheme":{"description":"","location":"header","name":"X-Key"}}},
 "skills":[{"id":"s","name":"S","description":"d","tags":[],"examples":[],"inputModes":[],"x-own":""}],"x-number":1.0}`

// canonical10 is that card as §8.4.1 says, written by hand.
const canonical10 = `{"capabilities":{"pushNotifications":false,"streaming":false},"defaultInputModes":[],"defaultOutputModes":["text/plain"],` +
	`"description":"","name":"Ferry ü","securitySchemes":{"k":{"apiKeySecurityScheme":{"location":"header","name":"X-Key"}}},` +
	`"skills":[{"description":"d","id":"s","name":"S","tags":[],"x-own":""}],` +
	`"supportedInterfaces":[{"protocolBinding":"JSONRPC","protocolVersion":"1.0","url":"https://a.example"}],"version":"1","x-number":1}`

func one(t *testing.T, results []signature.Result) signature.Result {
	t.Helper()
	if len(results) != 1 {
		t.Fatalf("%d results, want 1: %+v", len(results), results)
	}
	return results[0]
}

func TestTheFormOfTheSpecificationIsVerified(t *testing.T) {
	s := newSigner(t, "k1")
	r := one(t, signature.Verify([]byte(card10), []a2a.Signature{s.sign(t, canonical10)}, s.keys(t, "k1")))
	if r.Verdict != signature.Verified || r.Why != "" || r.KeyID != "k1" || r.Algorithm != "ES256" || r.Key != "keys.json" {
		t.Errorf("%+v", r)
	}
}

func TestTheExampleOfTheSpecificationHasItsForm(t *testing.T) {
	const fragment = `{"name":"Example Agent","description":"","supportedInterfaces":[],
		"capabilities":{"streaming":false,"pushNotifications":false,"extensions":[]},"skills":[]}`
	const want = `{"capabilities":{"pushNotifications":false,"streaming":false},"description":"","name":"Example Agent","skills":[],"supportedInterfaces":[]}`
	s := newSigner(t, "k")
	if r := one(t, signature.Verify([]byte(fragment), []a2a.Signature{s.sign(t, want)}, s.keys(t, "k"))); r.Verdict != signature.Verified {
		t.Errorf("%+v", r)
	}
}

func TestTheFormsOfSDKsAreNamed(t *testing.T) {
	received, err := jcs.Transform([]byte(card10))
	if err != nil {
		t.Fatal(err)
	}
	const python = `{"capabilities":{"pushNotifications":false,"streaming":false},"defaultOutputModes":["text/plain"],"name":"Ferry \u00fc",` +
		`"securitySchemes":{"k":{"apiKeySecurityScheme":{"location":"header","name":"X-Key"}}},"skills":[{"description":"d","id":"s","name":"S"}],` +
		`"supportedInterfaces":[{"protocolBinding":"JSONRPC","protocolVersion":"1.0","url":"https://a.example"}],"version":"1"}`
	for _, c := range []struct{ payload, form string }{
		{string(received), "as it was sent"},
		{strings.ReplaceAll(python, `\u00fc`, "ü"), "as the JavaScript SDK does, without empty"},
		{python, "as the Python SDK does"},
		{strings.Replace(canonical10, `"defaultInputModes":[],`, "", 1), ""},
	} {
		s := newSigner(t, "k")
		r := one(t, signature.Verify([]byte(card10), []a2a.Signature{s.sign(t, c.payload)}, s.keys(t, "k")))
		switch {
		case c.form == "" && r.Verdict != signature.Broken:
			t.Errorf("a form of nobody: %+v", r)
		case c.form != "" && (r.Verdict != signature.Deviates || !strings.HasPrefix(r.Form, c.form) || !strings.Contains(r.Why, "§8.4.1")):
			t.Errorf("%s: %+v", c.form, r)
		}
	}
}

func TestCardsBefore10AreVerifiedAsReceived(t *testing.T) {
	const card = `{"name":"Old","url":"https://a.example","protocolVersion":"0.3.0","preferredTransport":"JSONRPC","description":"","capabilities":{"streaming":false},"skills":[{"id":"é"}]}`
	received, err := jcs.Transform([]byte(card))
	if err != nil {
		t.Fatal(err)
	}
	s := newSigner(t, "k")
	if r := one(t, signature.Verify([]byte(card), []a2a.Signature{s.sign(t, string(received))}, s.keys(t, "k"))); r.Verdict != signature.Verified {
		t.Errorf("as received: %+v", r)
	}
	const python = `{"name":"Old","skills":[{"id":"\u00e9"}],"url":"https://a.example"}`
	if r := one(t, signature.Verify([]byte(card), []a2a.Signature{s.sign(t, python)}, s.keys(t, "k"))); !strings.Contains(r.Form, "Python SDK of A2A 0.3") {
		t.Errorf("the Python SDK of 0.3: %+v", r)
	}
}

// The vectors were signed by the official JavaScript SDK 1.3.0 with three algorithms: a card
// in its memory, which loses the security schemes, and one as it is on the wire.
func TestCardsThatTheJavaScriptSDKSigned(t *testing.T) {
	raw, err := os.ReadFile("testdata/a2a-js-1.3.0.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []struct {
		Algorithm              string
		Key                    json.RawMessage
		Memory, Wire, Defaults json.RawMessage
	}
	if err := json.Unmarshal(raw, &vectors); err != nil {
		t.Fatal(err)
	}
	for _, v := range vectors {
		keys := keysOf(t, string(v.Key))
		for name, card := range map[string]json.RawMessage{"without its security schemes": v.Memory, "without empty and unknown": v.Wire, "without empty": v.Defaults} {
			var c struct{ Signatures []a2a.Signature }
			if err := json.Unmarshal(card, &c); err != nil {
				t.Fatal(err)
			}
			r := one(t, signature.Verify(card, c.Signatures, keys))
			if r.Verdict != signature.Deviates || !strings.Contains(r.Form, name) || r.Algorithm != v.Algorithm {
				t.Errorf("%s, %s: %+v", v.Algorithm, name, r)
			}
			changed := strings.Replace(string(card), "https://a.example/rpc", "https://b.example/rpc", 1)
			if r := one(t, signature.Verify([]byte(changed), c.Signatures, keys)); r.Verdict != signature.Broken {
				t.Errorf("%s, %s, changed: %+v", v.Algorithm, name, r)
			}
		}
	}
}

func TestAChangedCardIsBroken(t *testing.T) {
	s := newSigner(t, "k")
	sigs, keys := []a2a.Signature{s.sign(t, canonical10)}, s.keys(t, "k")
	for _, c := range []struct{ old, new, want string }{
		{`"JSONRPC"`, `"HTTP+JSON"`, "The card was changed after it was signed, or another card was signed."},
		{`"x-number"`, `"x-evil":[1],"x-number"`, "The card was changed after it was signed: /x-evil was added or changed."},
		{`"x-own":""`, `"x-own":"","inputModes":["a/b"],"x~y/z":1`, ""},
		{`"x-own":""`, `"x-own":"","x~y/z":1`, "The card was changed after it was signed: /skills/0/x~0y~1z was added or changed."},
	} {
		r := one(t, signature.Verify([]byte(strings.Replace(card10, c.old, c.new, 1)), sigs, keys))
		if r.Verdict != signature.Broken && c.want != "" || c.want != "" && r.Why != c.want {
			t.Errorf("%s: %s: %q, want %q", c.new, r.Verdict, r.Why, c.want)
		}
	}
}

func TestWhatCannotBeVerifiedSaysWhy(t *testing.T) {
	s, other := newSigner(t, "k"), newSigner(t, "other")
	good := s.sign(t, canonical10)
	header := func(text string) a2a.Signature {
		return a2a.Signature{Protected: base64.RawURLEncoding.EncodeToString([]byte(text)), Signature: good.Signature}
	}
	for name, c := range map[string]struct {
		sig  a2a.Signature
		keys *signature.Keys
		why  string
	}{
		"no keys":         {good, nil, "https://a.example/jwks.json, an address that the card itself names"},
		"another key":     {good, other.keys(t, "other"), `None of the 1 trusted keys is "k" for ES256`},
		"no URL":          {header(`{"alg":"ES256","kid":"k"}`), nil, `The key "k" is not at hand.`},
		"none":            {header(`{"alg":"none","kid":"k"}`), s.keys(t, "k"), "signs nothing"},
		"nOnE":            {header(`{"alg":"nOnE","kid":"k"}`), s.keys(t, "k"), "signs nothing"},
		"shared secret":   {header(`{"alg":"HS256","kid":"k"}`), s.keys(t, "k"), "shared secret"},
		"unknown":         {header(`{"alg":"ES256K","kid":"k"}`), s.keys(t, "k"), "does not know"},
		"critical":        {header(`{"alg":"ES256","kid":"k","crit":["b64"],"b64":false}`), s.keys(t, "k"), "crit"},
		"no header":       {a2a.Signature{Signature: good.Signature}, s.keys(t, "k"), "alg and kid"},
		"header is text":  {header(`"ES256"`), s.keys(t, "k"), "alg and kid"},
		"not base64url":   {a2a.Signature{Protected: "e30=", Signature: good.Signature}, s.keys(t, "k"), "base64url"},
		"no signature":    {a2a.Signature{Protected: good.Protected}, s.keys(t, "k"), "The signature is not base64url"},
		"kind of the key": {header(`{"alg":"RS256","kid":"k"}`), s.keys(t, "k"), "trusted keys"},
	} {
		r := one(t, signature.Verify([]byte(card10), []a2a.Signature{c.sig}, c.keys))
		if r.Verdict != signature.Unverifiable || !strings.Contains(r.Why, c.why) {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

func TestCardsWithoutACanonicalForm(t *testing.T) {
	s := newSigner(t, "k")
	for _, card := range []string{`{"name":"a","name":"b"}`, `{"name":"\ud800"}`, `[]`, `{"name":`, ``, `null`} {
		r := one(t, signature.Verify([]byte(card), []a2a.Signature{s.sign(t, card)}, s.keys(t, "k")))
		if r.Verdict != signature.Unverifiable || !strings.HasPrefix(r.Why, "The card has no canonical form") {
			t.Errorf("%s: %+v", card, r)
		}
	}
}

func TestTheBestSignatureSpeaksForTheCard(t *testing.T) {
	s := newSigner(t, "k")
	sigs := []a2a.Signature{s.sign(t, "another card"), s.sign(t, canonical10)}
	best, ok := signature.Best(signature.Verify([]byte(card10), sigs, s.keys(t, "k")))
	if !ok || best.Verdict != signature.Verified {
		t.Errorf("%+v", best)
	}
	if _, ok := signature.Best(signature.Verify([]byte(card10), nil, s.keys(t, "k"))); ok {
		t.Error("a card without signatures has a result")
	}
	many := make([]a2a.Signature, 1000)
	for i := range many {
		many[i] = sigs[0]
	}
	if results := signature.Verify([]byte(card10), many, s.keys(t, "k")); len(results) != 1000 || results[999].Verdict != signature.Unverifiable {
		t.Errorf("%d results, the last one %+v", len(results), results[len(results)-1])
	}
}

func TestFilesOfKeys(t *testing.T) {
	s := newSigner(t, "k")
	der, err := x509.MarshalPKIXPublicKey(s.private.Public())
	if err != nil {
		t.Fatal(err)
	}
	public := string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}))
	r := one(t, signature.Verify([]byte(card10), []a2a.Signature{s.sign(t, canonical10)}, keysOf(t, "# comment\n"+public)))
	if r.Verdict != signature.Verified {
		t.Errorf("PEM: %+v", r)
	}
	for file, want := range map[string]string{
		"":             "no public key",
		"{}":           "no public key",
		`{"keys":"no`:  "not a JSON Web Key Set",
		`{"keys":[1]}`: "no public key",
		"<html>":       "no public key",
		"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n": "private key",
		"-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n":   "cannot be read",
		`{"keys":[` + strings.Repeat("{},", 1000) + `{}]}`:               "more than 1000",
	} {
		if err := signature.NewKeys(today).Add("f", []byte(file)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.30s: %v, want %q", file, err, want)
		}
	}
}

func TestNothingOfTheCardIsChanged(t *testing.T) {
	s := newSigner(t, "k")
	raw := []byte(card10)
	before := string(raw)
	signature.Verify(raw, []a2a.Signature{s.sign(t, "other")}, s.keys(t, "k"))
	if string(raw) != before {
		t.Error("Verify changed the card")
	}
}

func TestTheSearchForAnAddedMemberEnds(t *testing.T) {
	s := newSigner(t, "k")
	var members strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&members, `"m%d":{"a":%d},`, i, i)
	}
	sigs := []a2a.Signature{s.sign(t, "1"), s.sign(t, "2"), s.sign(t, "3")}
	for _, r := range signature.Verify([]byte(`{`+members.String()+`"name":"a"}`), sigs, s.keys(t, "k")) {
		if r.Verdict != signature.Broken || strings.Contains(r.Why, "/m") {
			t.Errorf("%+v", r)
		}
	}
}

func FuzzVerify(f *testing.F) {
	s := newSigner(f, "k")
	good, keys := s.sign(f, canonical10), s.keys(f, "k")
	f.Add([]byte(card10), good.Protected, good.Signature)
	f.Add([]byte(`{"a":{"b":[{"c":null}]}}`), "e30", "")
	f.Fuzz(func(t *testing.T, card []byte, protected, sig string) {
		for _, r := range signature.Verify(card, []a2a.Signature{{Protected: protected, Signature: sig}}, keys) {
			if (r.Verdict == signature.Verified) != (r.Why == "") {
				t.Errorf("%+v", r)
			}
		}
	})
}
