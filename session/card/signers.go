package card

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"

	"parley/a2a"
)

// Two signatures of one key differ in their bytes, with most algorithms, each time an agent signs
// its card, and their headers may say when that was. So cards are compared by who signed them.

// A signer is who signed a card, as the protected header of a signature says.
type signer struct {
	identity string // what tells the key and the algorithm from others
	words    string // the same for a user
}

// signers returns who signed a card, in an order that does not depend on that of the signatures.
func signers(list []a2a.Signature) []signer {
	all := mapped(list, signerOf)
	slices.SortFunc(all, func(a, b signer) int { return cmp.Compare(a.identity, b.identity) })
	return slices.Compact(all)
}

// signerOf reads who made a signature. What nobody can read is alike, because nobody can verify it.
func signerOf(s a2a.Signature) signer {
	var h struct {
		Algorithm   string    `json:"alg"`
		KeyID       string    `json:"kid"`
		KeyURL      string    `json:"jku"`
		Key         publicKey `json:"jwk"`
		Certificate []string  `json:"x5c"`
		Thumbprint  string    `json:"x5t"`
		Thumbprint2 string    `json:"x5t#S256"`
	}
	raw, err := base64.RawURLEncoding.DecodeString(s.Protected)
	switch {
	case err != nil || json.Unmarshal(raw, &h) != nil:
		return signer{"header", "an unreadable header"}
	case !readable(s.Signature):
		return signer{"signature", "an unreadable signature"}
	}
	words := h.Algorithm + " key " + quoted(h.KeyID)
	if h.KeyURL != "" {
		words += " at " + a2a.MaskURL(h.KeyURL)
	}
	thumb := ""
	if h.Key != (publicKey{}) || len(h.Certificate) > 0 || h.Thumbprint+h.Thumbprint2 != "" {
		key, _ := json.Marshal(h.Key) // plain values cannot fail
		thumb = checksum(key, []byte(strings.Join(h.Certificate[:min(1, len(h.Certificate))], "")), []byte(h.Thumbprint), []byte(h.Thumbprint2))
		words += ", thumbprint " + thumb
	}
	return signer{checksum([]byte(h.Algorithm), []byte(h.KeyID), []byte(h.KeyURL), []byte(thumb)), cut(words)}
}

// A publicKey holds the members of a JSON Web Key that its thumbprint is made of (RFC 7638).
type publicKey struct {
	Type  string `json:"kty,omitempty"`
	Curve string `json:"crv,omitempty"`
	X     string `json:"x,omitempty"`
	Y     string `json:"y,omitempty"`
	N     string `json:"n,omitempty"`
	E     string `json:"e,omitempty"`
}

// readable reports whether the value of a signature can be one.
func readable(value string) bool {
	b, err := base64.RawURLEncoding.DecodeString(value)
	return err == nil && len(b) > 0
}

// signedSentence says how the signers of two cards differ, each in words; empty is nobody.
func signedSentence(old, now string) string {
	switch old, now = cut(old), cut(now); {
	case old == "":
		return "The card is now signed with " + now + "; it was not signed."
	case now == "":
		return "The card is no longer signed; it was signed with " + old + "."
	}
	return "The card is now signed with " + now + "; it was signed with " + old + "."
}

// signerWords joins the words of signers.
func signerWords(list []signer) string {
	return strings.Join(mapped(list, func(s signer) string { return s.words }), " and ")
}

// A Verdict is what the keys of a user say about the signatures of a card.
type Verdict string

// The verdicts. A card without a signature is not verified.
const (
	Unverified Verdict = "not verifiable"
	Verified   Verdict = "verified"
	Broken     Verdict = "broken"
)

// A Judge returns the verdict on the signatures of a card; the nil Judge gives none.
type Judge func(*a2a.Card) Verdict

// loses reports whether a verdict is worse than one on the card before it.
func (v Verdict) loses(old Verdict) bool { return v != old && (v == Broken || old == Verified) }
