package trust

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/internal/signature"
	"parley/session/card"
)

// newSigned returns a function that signs cards with one key: their members in canonical form, without
// the braces. Keys trust it.
func newSigned(t *testing.T) (signed func(members string) *a2a.Card, keys *signature.Keys) {
	t.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKIXPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	keys = signature.NewKeys(time.Now)
	if err := keys.Add("key.pem", pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})); err != nil {
		t.Fatal(err)
	}
	encode := base64.RawURLEncoding.EncodeToString
	return func(members string) *a2a.Card {
		header := encode([]byte(`{"alg":"EdDSA"}`))
		sum := ed25519.Sign(private, []byte(header+"."+encode([]byte("{"+members+"}"))))
		return cardFrom(t, fmt.Sprintf(`{%s,"signatures":[{"protected":%q,"signature":%q}]}`, members, header, encode(sum)), ref)
	}, keys
}

// The signature of a card in which a secret was masked says nothing: masking broke it, not the agent.
func TestNoSignatureOverAMaskedCardIsJudged(t *testing.T) {
	signed, keys := newSigned(t)
	const plain, secret = `"name":"Desk","url":"https://desk.example/rpc","version":"1"`, `"description":"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJlLXNpZ25hdHVyZQ","name":"Desk","url":"https://desk.example/rpc","version":"1"`
	b, err := newBaseline(ref, 0, signed(plain), card.ByUser, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	pointers := func(c *a2a.Card) (all []string) {
		for _, d := range b.Drift(c, keys) {
			all = append(all, d.Pointer)
		}
		return all
	}
	if got := Judge(keys)(signed(plain)); got != card.Verified {
		t.Fatalf("got verdict %q on a signed card, want %q", got, card.Verified)
	}
	if got := pointers(signed(plain)); got != nil {
		t.Errorf("got differences %q of the same card, want none", got)
	}
	if got := strings.Join(pointers(signed(secret)), " "); got != "/description" {
		t.Errorf("got differences %q of a card with a secret, want that of the description alone", got)
	}
	forged := signed(plain)
	forged.Raw = []byte(strings.Replace(string(forged.Raw), "Desk", "Disk", 1))
	if got := strings.Join(pointers(cardFrom(t, string(forged.Raw), ref)), " "); got != "/signatures /name" {
		t.Errorf("got differences %q of a card that was changed after it was signed, want those of the signature and the name", got)
	}
}

// A card that is signed otherwise is the same card: its members decide.
func TestTheFirstDifferenceIsNoneOfSignatures(t *testing.T) {
	signed, _ := newSigned(t)
	const members = `"name":"Desk","url":"https://desk.example/rpc","version":"1"`
	b, err := newBaseline(ref, 0, cardFrom(t, "{"+members+"}", ref), card.ByUser, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	now := signed(members)
	if list := b.Drift(now, nil); len(list) != 1 || list[0].Pointer != "/signatures" {
		t.Fatalf("got differences %+v of a card that is signed now, want one of the signatures", list)
	}
	if got := b.FirstDifference(now); got != "" {
		t.Errorf("got first difference %q of a card that is signed now, want none", got)
	}
	if got := b.FirstDifference(signed(strings.Replace(members, "Desk", "Disk", 1))); got != "/name" {
		t.Errorf("got first difference %q of a card that is signed now and has another name, want /name", got)
	}
}

// Each card at an address has a baseline of its own.
func TestAnotherCardAtAnAddressHasAnotherBaseline(t *testing.T) {
	f := open(t)
	if err := f.Approve(ref, 0, desk(t, "")); err != nil {
		t.Fatal(err)
	}
	other := desk(t, `,"description":"another one"`)
	if _, known, err := f.Find(ref, 1, other); known || err != nil {
		t.Errorf("got known %v (%v) for the second card at an address, want no baseline", known, err)
	}
	if err := f.Approve(ref, 1, other); err != nil {
		t.Fatal(err)
	}
	for index, c := range []*a2a.Card{desk(t, ""), other} {
		if b, known, err := f.Find(ref, index, c); !known || err != nil || len(b.Drift(c, nil)) != 0 {
			t.Errorf("card %d: got known %v (%v) and differences %+v, want its own baseline", index, known, err, b.Drift(c, nil))
		}
	}
	if err := f.Forget(ref, 0); err != nil {
		t.Fatal(err)
	}
	if _, known, err := f.Find(ref, 1, other); !known || err != nil {
		t.Errorf("got known %v (%v) for the second card after the first was forgotten, want its baseline", known, err)
	}
}
