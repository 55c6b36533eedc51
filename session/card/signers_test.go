package card

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"parley/a2a"
)

// signedAs is a card with a signature: the members of its protected header, its bytes, and an
// unprotected header.
func signedAs(t testing.TB, header, signature, unprotected string) *a2a.Card {
	t.Helper()
	return read(t, signedText(header, signature, unprotected), "https://h/card.json")
}

func signedText(header, signature, unprotected string) string {
	protected := base64.RawURLEncoding.EncodeToString([]byte(header))
	return strings.Replace(driftCard, `{"protected":"SIGNER","signature":"c2ln"}`, fmt.Sprintf(`{"protected":%q,"signature":%q,"header":%s}`, protected, signature, unprotected), 1)
}

// sentences returns what each door says about two cards: the changes, those since a stored
// snapshot, and the drift.
func sentences(t *testing.T, old, now *a2a.Card) (doors [3][]string) {
	t.Helper()
	for i, list := range [...][]Change{Changes(old, now), kept(t, old, now)} {
		for _, c := range list {
			if !c.Security {
				t.Errorf("got %q as no change of security", c.Sentence)
			}
			doors[i] = append(doors[i], c.Sentence)
		}
	}
	drift := Drift(old, now, nil)
	for i := range drift {
		if drift[i].Severity != Security || drift[i].Pointer != "/signatures" {
			t.Errorf("got %+v, want a difference of the signatures", drift[i])
		}
		doors[2] = append(doors[2], drift[i].Sentence())
	}
	return doors
}

const es256 = `{"alg":"ES256","kid":"k1","jku":"https://h/keys.json"}`

// A card that is signed anew has not changed, whatever is new about its signature but the key and
// the algorithm.
func TestAnotherSignatureOfTheSameKeyIsNoDifference(t *testing.T) {
	base := signedAs(t, es256, "c2ln", `{"iat":1}`)
	for name, now := range map[string]*a2a.Card{
		"other bytes":                  signedAs(t, es256, "bmV3", `{"iat":1}`),
		"a time in its header":         signedAs(t, es256, "bmV3", `{"iat":2,"nonce":"x"}`),
		"no unprotected header":        read(t, strings.Replace(signedText(es256, "bmV3", "{}"), `,"header":{}`, "", 1), "https://h/card.json"),
		"a time in the protected one":  signedAs(t, `{"iat":1700000000,"jku":"https://h/keys.json","kid":"k1","alg":"ES256"}`, "bmV3", `{"iat":1}`),
		"another order of its members": signedAs(t, `{"kid":"k1", "alg":"ES256", "jku":"https://h/keys.json"}`, "bmV3", `{}`),
	} {
		for i, got := range sentences(t, base, now) {
			if len(got) > 0 {
				t.Errorf("%s: door %d: got %q, want nothing", name, i, got)
			}
		}
		if NewSnapshot(base).Sum != NewSnapshot(now).Sum {
			t.Errorf("%s: got another sum, want that of the card without its signatures", name)
		}
	}
	twice := strings.Replace(signedText(es256, "c2ln", "{}"), `"signatures":[`, `"signatures":[{"protected":"`+signedBy("k0")+`","signature":"b25l"},`, 1)
	other := strings.Replace(signedText(es256, "bmV3", "{}"), `,"header":{}}]`, `},{"protected":"`+signedBy("k0")+`","signature":"dHdv"}]`, 1)
	for i, got := range sentences(t, read(t, twice, ""), read(t, other, "")) {
		if len(got) > 0 {
			t.Errorf("two signatures in another order: door %d: got %q, want nothing", i, got)
		}
	}
	long := func(signature string) *a2a.Card {
		return read(t, strings.Replace(signedText(es256, signature, "{}"), `"d"`, `"`+strings.Repeat("d", maxDrift)+`"`, 1), "")
	}
	for i, got := range sentences(t, long("c2ln"), long("bmV3")) {
		if len(got) > 0 {
			t.Errorf("a long card: door %d: got %q, want nothing", i, got)
		}
	}
}

// Who signs a card, with what, and whether anybody does, is told in one way everywhere.
func TestAnotherSignerIsADifferenceOfSecurity(t *testing.T) {
	const key = `"jwk":{"kty":"EC","crv":"P-256","x":"%s","y":"b"}`
	base := `{"alg":"ES256","kid":"k1",` + fmt.Sprintf(key, "a") + `,"x5c":["one","root"]}`
	for name, c := range map[string]struct{ header, signature, want string }{
		"another key":         {strings.Replace(base, "k1", "k2", 1), "c2ln", `now signed with ES256 key "k2"`},
		"another algorithm":   {strings.Replace(base, "ES256", "RS256", 1), "c2ln", `now signed with RS256 key "k1"`},
		"no algorithm":        {strings.Replace(base, "ES256", "none", 1), "c2ln", `now signed with none key "k1"`},
		"another key set":     {strings.Replace(base, `"kid"`, `"jku":"https://evil/keys","kid"`, 1), "c2ln", `at https://evil/keys`},
		"the same name":       {strings.Replace(base, `"x":"a"`, `"x":"c"`, 1), "c2ln", `thumbprint`},
		"another certificate": {strings.Replace(base, `"one"`, `"two"`, 1), "c2ln", `thumbprint`},
		"no header":           {`[]`, "c2ln", "now signed with an unreadable header"},
		"no signature":        {base, "", "now signed with an unreadable signature"},
		"hostile words":       {`{"alg":"\u001b[2J","kid":"` + strings.Repeat("k", 1<<16) + `"}`, "c2ln", "key"},
		"wrong types":         {`{"alg":7,"kid":{},"x5c":"no"}`, "c2ln", "an unreadable header"},
	} {
		doors := sentences(t, signedAs(t, base, "c2ln", "{}"), signedAs(t, c.header, c.signature, "{}"))
		if len(strings.Join(doors[2], "")) > 3*maxValue {
			t.Errorf("%s: got a sentence of %d bytes, want it cut", name, len(doors[2][0]))
		}
		if len(doors[0]) != 1 || !strings.Contains(doors[0][0], c.want) || fmt.Sprint(doors[0]) != fmt.Sprint(doors[1]) || fmt.Sprint(doors[0]) != fmt.Sprint(doors[2]) {
			t.Errorf("%s: got %.300q, want one sentence with %q, the same everywhere", name, doors, c.want)
		}
	}
	unsigned := read(t, strings.Replace(signedText(base, "c2ln", "{}"), `"signatures":`, `"x":`, 1), "https://h/card.json")
	unsigned.Raw = signedAs(t, base, "c2ln", "{}").Raw // only the signatures differ
	for _, c := range []struct {
		old, now *a2a.Card
		want     string
	}{
		{signedAs(t, base, "c2ln", "{}"), unsigned, "The card is no longer signed; it was signed with ES256 key"},
		{unsigned, signedAs(t, base, "c2ln", "{}"), "The card is now signed with ES256 key"},
	} {
		for i, got := range sentences(t, c.old, c.now) {
			if i > 0 && (len(got) != 1 || !strings.HasPrefix(got[0], c.want)) { // equal bytes are equal cards
				t.Errorf("door %d: got %q, want %q", i, got, c.want)
			}
		}
	}
}

// The verdict on a signature counts where the user's keys give one, and only when it gets worse.
func TestAWorseVerdictIsADifferenceOfSecurity(t *testing.T) {
	old, now := signedAs(t, es256, "c2ln", "{}"), signedAs(t, es256, "bmV3", "{}")
	for _, c := range []struct {
		before, after Verdict
		want          string
	}{
		{Verified, Broken, "The signature of the card is now broken; it was verified."},
		{Verified, Unverified, "The signature of the card is now not verifiable; it was verified."},
		{Unverified, Broken, "The signature of the card is now broken; it was not verifiable."},
		{Verified, Verified, ""}, {Broken, Broken, ""}, {Unverified, Unverified, ""},
		{Broken, Verified, ""}, {Unverified, Verified, ""}, {Broken, Unverified, ""},
	} {
		got := Drift(old, now, func(of *a2a.Card) Verdict { return map[bool]Verdict{true: c.before, false: c.after}[of == old] })
		if text := strings.TrimSpace(said(got)); text != strings.TrimSpace("security "+c.want) && (c.want != "" || text != "") {
			t.Errorf("%s, then %s: got %q, want %q", c.before, c.after, text, c.want)
		}
		if data, err := json.Marshal(got); err != nil || c.want != "" && !strings.Contains(string(data), `"pointer":"/signatures","severity":"security","old":"\"`+string(c.before)) {
			t.Errorf("got %s, %v, want the verdicts as JSON", data, err)
		}
	}
}
