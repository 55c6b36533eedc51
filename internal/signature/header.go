package signature

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/go-jose/go-jose/v4"

	"parley/a2a"
)

// algorithms are those with a public key. With a shared secret (HS256) whoever verifies could
// also sign, so it proves nothing about who wrote a card.
var algorithms = []jose.SignatureAlgorithm{
	jose.ES256, jose.ES384, jose.ES512, jose.EdDSA,
	jose.RS256, jose.RS384, jose.RS512, jose.PS256, jose.PS384, jose.PS512,
}

// header holds the members of a protected header that Parley reads.
type header struct {
	Algorithm jose.SignatureAlgorithm `json:"alg"`
	KeyID     string                  `json:"kid"`
	KeyURL    string                  `json:"jku"`
	Critical  json.RawMessage         `json:"crit"`
}

// readHeader reads what a signature says of itself. The result has a reason if that cannot be
// verified whatever the key.
func readHeader(s a2a.Signature) (Result, header) {
	var h header
	raw, err := base64.RawURLEncoding.DecodeString(s.Protected)
	if err != nil {
		return Result{Why: "The protected header is not base64url without padding."}, h
	}
	if err := json.Unmarshal(raw, &h); err != nil {
		return Result{Why: "The protected header is not a JSON object with alg and kid."}, h
	}
	r := Result{Algorithm: string(h.Algorithm), KeyID: h.KeyID, KeyURL: h.KeyURL}
	switch _, err := base64.RawURLEncoding.DecodeString(s.Signature); {
	case err != nil || s.Signature == "":
		r.Why = "The signature is not base64url without padding."
	case strings.EqualFold(string(h.Algorithm), "none"):
		r.Why = "Its algorithm is none, which signs nothing."
	case strings.HasPrefix(string(h.Algorithm), "HS"):
		r.Why = fmt.Sprintf("Its algorithm %s uses a shared secret, which does not prove who signed.", h.Algorithm)
	case !slices.Contains(algorithms, h.Algorithm):
		r.Why = fmt.Sprintf("Parley does not know its algorithm %q.", h.Algorithm)
	case len(h.Critical) > 0:
		r.Why = "Its header requires extensions (crit) that Parley does not know."
	}
	return r, h
}

// encode returns base64url without padding, as RFC 7515 writes it.
func encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }
