package signature

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"

	"github.com/go-jose/go-jose/v4"
)

// minRSA is the size of the smallest RSA key that is accepted, in bits (RFC 7518 §3.3).
const minRSA = 2048

// fits reports whether a key is of the kind that an algorithm needs. The key decides, not the
// header: the header is written by whoever wrote the card.
func fits(key any, alg jose.SignatureAlgorithm) bool {
	switch k := key.(type) {
	case *ecdsa.PublicKey:
		bits := k.Curve.Params().BitSize
		return alg == jose.ES256 && bits == 256 || alg == jose.ES384 && bits == 384 || alg == jose.ES512 && bits == 521
	case ed25519.PublicKey:
		return alg == jose.EdDSA
	case *rsa.PublicKey:
		return k.N.BitLen() >= minRSA && len(alg) == 5 && (alg[0] == 'R' || alg[0] == 'P')
	}
	return false
}
