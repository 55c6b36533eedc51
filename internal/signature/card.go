package signature

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/go-jose/go-jose/v4"
	"github.com/gowebpki/jcs"

	"parley/a2a"
)

// A Verdict is what is known about one signature.
type Verdict uint8

const (
	// Unverifiable signatures could not be checked: the key is not at hand, or the signature
	// cannot be read.
	Unverifiable Verdict = iota
	// Verified signatures are right for the card's canonical form (A2A 1.0 §8.4.1).
	Verified
	// Deviates says that a trusted key signed the content of this card, but in the form of
	// an SDK that differs from the specification.
	Deviates
	// Broken signatures do not belong to this card, although the key is at hand.
	Broken
)

var verdictWords = [...]string{Unverifiable: "not verifiable", Verified: "verified", Deviates: "verified in another form", Broken: "broken"}

// String returns the verdict in the words of the interface.
func (v Verdict) String() string { return verdictWords[v] }

// A Result is the verdict on one signature of a card.
type Result struct {
	Verdict Verdict
	// Algorithm, KeyID and KeyURL are what the protected header says: alg, kid and jku. They
	// come from whoever wrote the card.
	Algorithm, KeyID, KeyURL string
	// Key says where the key came from that verified the signature, or that did not.
	Key string
	// Form describes the form of the card that was signed if it deviates.
	Form string
	// Member is the JSON pointer of the member that makes a signature broken, if it is known.
	Member string
	// Why says in one sentence why the signature is not verified; empty if it is.
	Why string
}

// Limits on the work that a card may cause. A signature costs a verification per form and key;
// the search for an added member costs that much for each member of the card.
const (
	maxSignatures = 32
	maxCandidates = 8
	maxSearch     = 500      // verifications for one card
	maxSearched   = 64 << 10 // bytes of a card that is searched
)

// Verify judges the signatures of a card, in their order. raw is the card as it was received.
// It returns nil for a card without signatures, which is not a fault.
func Verify(raw []byte, signatures []a2a.Signature, keys *Keys) []Result {
	if len(signatures) == 0 {
		return nil
	}
	card, err := decodeCard(raw)
	search := maxSearch
	if len(raw) > maxSearched {
		search = 0
	}
	results := make([]Result, 0, len(signatures))
	for i, s := range signatures {
		r, h := readHeader(s)
		switch {
		case r.Why != "":
		case i >= maxSignatures:
			r.Why = fmt.Sprintf("Parley checks the first %d signatures of a card.", maxSignatures)
		case err != nil:
			r.Why = "The card has no canonical form: " + err.Error() + "."
		default:
			judge(&r, &check{card: card, signature: s, header: h, search: &search}, keys)
		}
		results = append(results, r)
	}
	return results
}

// Best returns the result that speaks best for the card, and false without signatures. One
// verified signature suffices: cards have several while their keys change (§8.4.3).
func Best(results []Result) (Result, bool) {
	if len(results) == 0 {
		return Result{}, false
	}
	rank := func(r Result) int {
		return slices.Index([]Verdict{Verified, Deviates, Broken, Unverifiable}, r.Verdict)
	}
	return slices.MinFunc(results, func(a, b Result) int { return rank(a) - rank(b) }), true
}

// NameDifference adds to broken signatures the first member in which the card differs from the
// one that the user approved, where nothing better is known.
func NameDifference(results []Result, member string) {
	for i := range results {
		if r := &results[i]; r.Verdict == Broken && r.Member == "" && member != "" {
			r.Member = member
			r.Why = "The card was changed after it was signed, or another card was signed: the first member that differs from the card that you approved is " + member + "."
		}
	}
}

// decodeCard returns a card without its signatures. A card that two readers could understand
// in two ways (duplicate members, unpaired surrogates) has no canonical form.
func decodeCard(raw []byte) (map[string]any, error) {
	canonical, err := jcs.Transform(raw)
	if err != nil {
		return nil, err
	}
	var card map[string]any
	if err := json.Unmarshal(canonical, &card); err != nil || card == nil {
		return nil, errors.New("it is not an object")
	}
	delete(card, "signatures")
	return card, nil
}

// check is one signature of a card, ready to be compared with payloads.
type check struct {
	card      map[string]any
	signature a2a.Signature
	header    header
	search    *int // verifications left for the search for an added member
}

// judge tries the keys that the signature may be of.
func judge(r *Result, c *check, keys *Keys) {
	candidates := keys.find(r.KeyID, c.header.Algorithm)
	if len(candidates) == 0 {
		r.Why = keys.missing(r)
		return
	}
	for _, k := range candidates[:min(len(candidates), maxCandidates)] {
		r.Key = k.source
		if why := k.unusable(); why != "" {
			r.Why = why
			continue
		}
		for i, f := range forms(c.card) {
			payload, err := f.payload(c.card)
			if err != nil || !c.matches(payload, k.key) {
				continue
			}
			if r.Verdict, r.Why = Verified, ""; i > 0 {
				r.Verdict, r.Form = Deviates, f.name
				r.Why = "A trusted key signed this card " + f.name + ", not in the form of A2A 1.0 §8.4.1."
			}
			return
		}
		r.Verdict = Broken
		r.Why = "The card was changed after it was signed, or another card was signed."
		if at := c.added(k.key); at != "" {
			r.Member, r.Why = at, "The card was changed after it was signed: "+at+" was added or changed."
		}
	}
}

// matches reports whether key signed payload.
func (c *check) matches(payload []byte, key any) bool {
	doc, _ := json.Marshal(map[string]string{
		"payload": encode(payload), "protected": c.signature.Protected, "signature": c.signature.Signature,
	})
	jws, err := jose.ParseSignedJSON(string(doc), algorithms)
	if err != nil {
		return false
	}
	_, err = jws.Verify(key)
	return err == nil
}

// added returns the pointer of the member without which the signature would be right: the one
// that somebody put into a signed card. A changed value cannot be found this way, because the
// signature does not say what the value was.
func (c *check) added(key any) (pointer string) {
	var visit func(node any, path string) bool
	visit = func(node any, path string) bool {
		object, ok := node.(map[string]any)
		if !ok {
			if list, isList := node.([]any); isList {
				for i, v := range list {
					if visit(v, fmt.Sprintf("%s/%d", path, i)) {
						return true
					}
				}
			}
			return false
		}
		for _, name := range sortedNames(object) {
			if *c.search <= 0 {
				return false
			}
			value, at := object[name], path+"/"+escapePointer(name)
			delete(object, name)
			found := c.matchesAny(key)
			object[name] = value
			if found {
				pointer = at
			}
			if found || visit(value, at) {
				return true
			}
		}
		return false
	}
	visit(c.card, "")
	return pointer
}

// matchesAny reports whether key signed the card in any known form.
func (c *check) matchesAny(key any) bool {
	for _, f := range forms(c.card) {
		*c.search--
		if payload, err := f.payload(c.card); err == nil && c.matches(payload, key) {
			return true
		}
	}
	return false
}
