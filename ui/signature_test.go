package ui

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/internal/signature"
)

// A signedCard is a card that the JavaScript SDK signed, and the key.
type signedCard struct {
	Key  json.RawMessage
	Wire json.RawMessage
}

func newSignedCard(t *testing.T) signedCard {
	t.Helper()
	raw, err := os.ReadFile("../internal/signature/testdata/a2a-js-1.3.0.json")
	if err != nil {
		t.Fatal(err)
	}
	var cards []signedCard
	if err := json.Unmarshal(raw, &cards); err != nil {
		t.Fatal(err)
	}
	return cards[0]
}

// keysAt is the address that the signatures of these cards name.
const keysAt = "https://a.example/jwks.json"

// withSigned opens an agent whose card is raw.
func withSigned(t *testing.T, o Options, raw []byte, do func(d *desk)) {
	bubble(t, 120, 40, o, func(d *desk) {
		a := d.carded()
		cards, _, failure := a2a.ParseCard(raw, "https://a.example/card")
		if failure != nil {
			t.Fatal(failure)
		}
		a.Card = cards[0]
		d.press("f2", "G")
		d.wait(100 * time.Millisecond)
		do(d)
	})
}

func TestTheKeysOfASignatureAreDownloadedWhenAskedFor(t *testing.T) {
	t.Parallel()
	card := newSignedCard(t)
	withSigned(t, Options{}, card.Wire, func(d *desk) {
		d.sees("signature", "not verifiable · ES256 · k-ES256", "an address that", "t asks to download the key")
		if got := d.engine.CallsOf("file"); len(got) > 0 {
			t.Fatalf("downloaded without being asked: %q", got)
		}
		d.press("t")
		d.sees("the card itself names their address", "download keys from a.example")
		d.press("1")
		d.sees("downloading keys from a.example")
		d.comes(91, keysAt, keysAt, string(card.Key), "", "")
		d.press("f2", "G")
		d.sees("verified in another form · ES256 · k-ES256", "as the JavaScript SDK does", "with the key from "+keysAt)
	})
}

func TestKeysThatAreNoneAreRefused(t *testing.T) {
	t.Parallel()
	withSigned(t, Options{}, newSignedCard(t).Wire, func(d *desk) {
		d.press("t", "1")
		d.comes(91, keysAt, keysAt, "<html>log in</html>", "", "")
		d.says("The keys cannot be used", "no public key")
	})
}

func TestABrokenSignatureIsReported(t *testing.T) {
	t.Parallel()
	card := newSignedCard(t)
	keys := signature.NewKeys(time.Now)
	if err := keys.Add("keys.json", card.Key); err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(card.Wire), "https://a.example/rpc", "https://b.example/rpc", 1)
	withSigned(t, Options{CardKeys: keys}, []byte(changed), func(d *desk) {
		d.sees("signature", "broken · ES256 · k-ES256", "with the key from keys.json", "The card was changed after it was signed")
		d.sees("is broken: f2 shows why")
	})
}
