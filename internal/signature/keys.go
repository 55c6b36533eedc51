package signature

import (
	"bytes"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"time"

	"github.com/go-jose/go-jose/v4"

	"parley/a2a/hostname"
)

// Keys are the public keys that the user trusts to sign cards. Nil holds none.
type Keys struct {
	keys []key
	now  func() time.Time
}

// A key and where it came from.
type key struct {
	id     string // kid; empty if its file has none: it is tried for every signature
	source string
	key    any
	use    string // what its key set says that it is for
	end    time.Time
	begin  time.Time
	now    time.Time
}

// NewKeys returns an empty set. now is the clock that certificates are checked by.
func NewKeys(now func() time.Time) *Keys { return &Keys{now: now} }

// Clone returns a copy: keys that are added to one are not in the other. A nil set gives an
// empty one that uses the system's clock.
func (k *Keys) Clone() *Keys {
	if k == nil {
		return NewKeys(time.Now)
	}
	return &Keys{keys: slices.Clone(k.keys), now: k.now}
}

// maxKeys is the largest number of keys in a file.
const maxKeys = 1000

// Add adds the keys of a file: a JSON Web Key or a set of them (RFC 7517), or PEM with public
// keys or certificates. source says where data came from, for the user.
func (k *Keys) Add(source string, data []byte) error {
	var found []key
	var err error
	if trimmed := bytes.TrimSpace(data); bytes.HasPrefix(trimmed, []byte("{")) {
		found, err = readJWKS(trimmed)
	} else {
		found, err = readPEM(data)
	}
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", source, err)
	case len(found) == 0:
		return fmt.Errorf("%s: there is no public key in it: use a JSON Web Key Set or PEM", source)
	}
	for _, f := range found {
		f.source, f.now = source, k.now()
		k.keys = append(k.keys, f)
	}
	return nil
}

// Len returns the number of keys.
func (k *Keys) Len() int {
	if k == nil {
		return 0
	}
	return len(k.keys)
}

// readJWKS reads a key or a set of keys. Keys of kinds that Go does not know are left out:
// a set may hold them beside the one that is needed.
func readJWKS(data []byte) ([]key, error) {
	var set struct {
		Keys []json.RawMessage `json:"keys"`
		Kind string            `json:"kty"`
	}
	if err := json.Unmarshal(data, &set); err != nil {
		return nil, errors.New("it is not a JSON Web Key Set")
	}
	if set.Kind != "" {
		set.Keys = []json.RawMessage{data}
	}
	if len(set.Keys) > maxKeys {
		return nil, fmt.Errorf("it has %d keys, more than %d", len(set.Keys), maxKeys)
	}
	var out []key
	for _, raw := range set.Keys {
		var j jose.JSONWebKey
		if err := json.Unmarshal(raw, &j); err != nil {
			continue
		}
		public := j.Public()
		if public.Key == nil || !public.Valid() {
			continue
		}
		found := key{id: j.KeyID, key: public.Key, use: j.Use}
		if len(j.Certificates) > 0 {
			found.begin, found.end = j.Certificates[0].NotBefore, j.Certificates[0].NotAfter
		}
		out = append(out, found)
	}
	return out, nil
}

// readPEM reads public keys and certificates. A private key is refused by name: it does not
// belong where cards are verified.
func readPEM(data []byte) ([]key, error) {
	var out []key
	for len(out) < maxKeys {
		var block *pem.Block
		if block, data = pem.Decode(data); block == nil {
			break
		}
		switch block.Type {
		case "PUBLIC KEY":
			public, err := x509.ParsePKIXPublicKey(block.Bytes)
			if err != nil {
				return nil, errors.New("its public key cannot be read")
			}
			out = append(out, key{key: public})
		case "CERTIFICATE":
			c, err := x509.ParseCertificate(block.Bytes)
			if err != nil {
				return nil, errors.New("its certificate cannot be read")
			}
			out = append(out, key{key: c.PublicKey, begin: c.NotBefore, end: c.NotAfter})
		case "PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY", "ENCRYPTED PRIVATE KEY":
			return nil, errors.New("it holds a private key: name the file of the public key")
		}
	}
	return out, nil
}

// find returns the keys that a signature may be of: those with its id, otherwise those
// without any.
func (k *Keys) find(id string, alg jose.SignatureAlgorithm) []key {
	if k == nil {
		return nil
	}
	var named, unnamed []key
	for _, c := range k.keys {
		switch {
		case c.use != "" && c.use != "sig", !fits(c.key, alg):
		case c.id != "" && c.id == id:
			named = append(named, c)
		case c.id == "" || id == "":
			unnamed = append(unnamed, c)
		}
	}
	if len(named) > 0 {
		return named
	}
	return unnamed
}

// missing says that no key is at hand, and what to do.
func (k *Keys) missing(r *Result) string {
	switch {
	case r.KeyURL != "" && k.Len() == 0:
		return fmt.Sprintf("Its key %q is at %s, an address that the card itself names.", r.KeyID, r.KeyURL)
	case k.Len() == 0:
		return fmt.Sprintf("The key %q is not at hand.", r.KeyID)
	default:
		return fmt.Sprintf("None of the %d trusted keys is %q for %s.", k.Len(), r.KeyID, r.Algorithm)
	}
}

// unusable says why a key must not be used (§8.4.3), empty if it may.
func (k *key) unusable() string {
	switch {
	case !k.end.IsZero() && k.now.After(k.end):
		return "The certificate of its key expired on " + k.end.Format(time.DateOnly) + "."
	case !k.begin.IsZero() && k.now.Before(k.begin):
		return "The certificate of its key is valid from " + k.begin.Format(time.DateOnly) + " on."
	}
	return ""
}

// CheckKeyURL says in a clause why keys are not downloaded from an address, empty if they may be.
// Without TLS anybody on the way could replace the keys, so http is for this machine alone.
func CheckKeyURL(address string) string {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "":
		return "it is not a URL"
	case u.User != nil:
		return "it contains a user or a password"
	case u.Scheme == "https":
		return ""
	case u.Scheme == "http" && hostname.IsLoopback(u.Hostname()):
		return ""
	}
	return "it is not an https URL"
}
