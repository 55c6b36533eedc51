package a2a

import (
	"encoding/base64"
	"strconv"
	"strings"

	"parley/a2a/jsontok"
)

// A Credential is what may be known of a masked credential: facts with which nobody can use it.
type Credential struct {
	// Scheme is the scheme of HTTP authentication before the secret, in lower case: "bearer".
	// It is empty where a header has another form.
	Scheme string `json:"scheme,omitempty"`
	// Hash is that of the secret without the scheme, made as [Redaction.Hash]: equal wherever
	// the same secret is used, in whatever header.
	Hash string `json:"hash,omitempty"`
	// Token is what a JSON Web Token says of itself, nil for any other credential.
	Token *TokenClaims `json:"token,omitempty"`
}

// TokenClaims are the claims of a JSON Web Token that say where and when it is valid (RFC 7519
// §4.1). The signature is not verified.
type TokenClaims struct {
	Issuer    string   `json:"iss,omitempty"`
	Audience  []string `json:"aud,omitempty"`
	Expires   int64    `json:"exp,omitempty"` // in seconds since 1970, 0 if it is absent or no number
	NotBefore int64    `json:"nbf,omitempty"` // likewise
}

// Limits of what is read of a token, and of what is kept of it.
const (
	maxClaims    = 16 << 10 // bytes of the claims
	maxClaim     = 256      // bytes of one claim
	maxAudiences = 8
)

// credential returns what may be known of a masked value, nil if that is no more than the
// redaction says itself. Header reports whether the value is that of a header.
func (m *masker) credential(value string, header bool) *Credential {
	c := &Credential{}
	secret := strings.TrimSpace(value)
	if scheme, rest, ok := strings.Cut(secret, " "); header && ok && isScheme(scheme) {
		c.Scheme, secret = strings.ToLower(scheme), strings.TrimSpace(rest)
	}
	c.Hash, c.Token = m.vault.hash(secret), m.claims(secret)
	if secret == value && c.Token == nil {
		return nil
	}
	return c
}

// isScheme reports whether a word may be the name of a scheme of HTTP authentication
// (RFC 9110 §11.1). A cookie has an equals sign there.
func isScheme(word string) bool {
	return word != "" && len(word) <= 32 && !strings.ContainsFunc(word, func(r rune) bool {
		return r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}

// claims reads the claims of a signed JSON Web Token, nil if the text is none. An encrypted one
// does not show its claims.
func (m *masker) claims(token string) *TokenClaims {
	header, rest, ok := strings.Cut(token, ".")
	payload, _, signed := strings.Cut(rest, ".")
	if !ok || !signed || !strings.HasPrefix(header, "eyJ") || len(payload) > maxClaims || strings.Count(rest, ".") != 1 {
		return nil
	}
	plain, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(payload, "="))
	if err != nil {
		return nil
	}
	var doc jsontok.Doc
	if doc.Parse(plain) != nil || doc.Root().Kind() != jsontok.Object {
		return nil
	}
	root := doc.Root()
	c := &TokenClaims{Issuer: m.claim(root.Get("iss")), Expires: seconds(root.Get("exp")), NotBefore: seconds(root.Get("nbf"))}
	aud := root.Get("aud")
	for _, one := range audiences(aud) {
		if text := m.claim(one); text != "" {
			c.Audience = append(c.Audience, text)
		}
	}
	return c
}

// audiences returns the values of the claim aud: a string, or a list of them.
func audiences(aud jsontok.Node) (all []jsontok.Node) {
	if aud.IsText() {
		return []jsontok.Node{aud}
	}
	for e := range aud.Elems() {
		if len(all) == maxAudiences {
			break
		}
		all = append(all, e)
	}
	return all
}

// claim returns the text of a claim without secrets; a long one is left out, because a part of it
// would be another name.
func (m *masker) claim(n jsontok.Node) string {
	text := n.Text()
	if !n.IsText() || len(text) > maxClaim {
		return ""
	}
	return m.text(MaskURL(text))
}

// seconds returns a time of a token, 0 if the node has none. It may have a fraction.
func seconds(n jsontok.Node) int64 {
	if n.Kind() != jsontok.Number {
		return 0
	}
	f, err := strconv.ParseFloat(n.Number(), 64)
	if err != nil || f < 0 || f > 1<<52 {
		return 0
	}
	return int64(f)
}
