package a2a

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
)

// webTokenOf returns a JSON Web Token with these claims.
func webTokenOf(claims string) string {
	part := func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }
	return part(`{"alg":"RS256","typ":"JWT"}`) + "." + part(claims) + "." + part("signature of it")
}

// maskedHeader returns the redaction of one header of a request of another program.
func maskedHeader(m *RecordMasker, name, value string) Redaction {
	r := Record{ID: 1, Exchange: 1, Kind: KindRequest, Call: &Call{Op: OpSend}, Head: &Head{URL: "http://h/", Header: http.Header{name: {value}}}}
	m.Mask(&r)
	if len(r.Redactions) != 1 {
		return Redaction{}
	}
	return r.Redactions[0]
}

func TestRedactionsSayWhatMayBeKnownOfACredential(t *testing.T) {
	t.Parallel()
	m := NewRecordMasker(nil)
	token := webTokenOf(`{"iss":"https://id.example","aud":["https://b.example/a2a","b"],"exp":1790000000.5,"nbf":1780000000,"sub":"anna"}`)
	bearer := maskedHeader(m, "Authorization", "Bearer "+token)
	want := &TokenClaims{Issuer: "https://id.example", Audience: []string{"https://b.example/a2a", "b"}, Expires: 1790000000, NotBefore: 1780000000}
	if c := bearer.Credential; c == nil || c.Scheme != "bearer" || !reflect.DeepEqual(c.Token, want) {
		t.Fatalf("got %+v, want the scheme and claims %+v", bearer.Credential, want)
	}
	key := maskedHeader(m, "X-Api-Key", token)
	if bearer.Same() == key.Same() || bearer.SameCredential() != key.SameCredential() {
		t.Error("got other hashes for one credential in two headers, want them equal without the scheme")
	}
	if strings.Contains(fmt.Sprintf("%+v", bearer.Credential), "anna") {
		t.Errorf("got the subject in %+v, want it left out", bearer.Credential)
	}
}

func TestMaskersOfOneSessionHaveEqualHashes(t *testing.T) {
	t.Parallel()
	secrets := &Secrets{}
	one, other := maskedHeader(NewRecordMasker(secrets), "Authorization", "Bearer abcdefgh1"), maskedHeader(NewRecordMasker(secrets), "Authorization", "Bearer abcdefgh1")
	if one.Same() == "" || one.SameCredential() != other.SameCredential() {
		t.Errorf("got hashes %s and %s, want them equal", one.SameCredential(), other.SameCredential())
	}
	if stranger := maskedHeader(NewRecordMasker(nil), "Authorization", "Bearer abcdefgh1"); stranger.SameCredential() == one.SameCredential() {
		t.Error("got the same hash in two sessions, want another key for each")
	}
}

func TestClaimsOfHostileTokens(t *testing.T) {
	t.Parallel()
	m := NewRecordMasker(nil)
	long := strings.Repeat("x", maxClaim+1)
	for claims, want := range map[string]*TokenClaims{
		`{}`:                              {},
		`[]`:                              nil,
		`{"aud":`:                         nil,
		`{"aud":7,"iss":{},"exp":"1"}`:    {},
		`{"exp":1e300,"nbf":-4}`:          {},
		`{"iss":"` + long + `"}`:          {},
		"{\"iss\":\"\xff\"}":              {Issuer: "\uFFFD"},
		`{"aud":["a",1,null,"b"]}`:        {Audience: []string{"a", "b"}},
		`{"iss":"https://u:pw@h/"}`:       {Issuer: "https://u:•••@h/"},
		`{"aud":"ghp_` + long[:36] + `"}`: {Audience: []string{Mask}},
	} {
		var got *TokenClaims
		if c := maskedHeader(m, "Authorization", "Bearer "+webTokenOf(claims)).Credential; c != nil {
			got = c.Token
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%.40s: got %+v, want %+v", claims, got, want)
		}
	}
	for _, value := range []string{"", " ", "eyJ", "eyJ..", "eyJhIjoxfQ.%%.x", "sid=abc; other=def", "eyJ" + strings.Repeat(".", 99)} {
		if c := maskedHeader(m, "Cookie", value).Credential; c != nil && (c.Scheme != "" || c.Token != nil) {
			t.Errorf("%q: got %+v, want neither a scheme nor claims", value, c)
		}
	}
}

func TestOwnRequestsHaveNoFactsAboutCredentials(t *testing.T) {
	t.Parallel()
	m := newMasker(nil)
	_, gone := m.header(http.Header{"Authorization": {"Bearer " + webTokenOf(`{"aud":"b"}`)}})
	if len(gone) != 1 || gone[0].Credential != nil {
		t.Errorf("got %+v, want a redaction without facts", gone)
	}
}
