package a2a

import (
	"net/http"
	"slices"
	"strings"
)

// publicNames are the names of headers and query parameters whose values are not secrets, in
// lower case. A name that ends in * is a prefix. Hosts of many agents name the agent, a version or a
// place with those of the second line. The list decides only what is shown.
var publicNames = [...]string{
	"accept", "accept-*", "content-type", "user-agent", "traceparent", "x-request-id", "a2a-*",
	"assistant_id", "api-version", "api_version", "tenant", "tenant_id", "version", "region", "locale", "lang",
}

// credentialHeaders are the headers that HTTP itself defines for credentials (RFC 9110,
// section 11; RFC 6265). Nobody can declare them public.
var credentialHeaders = [...]string{"Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie"}

// PublicNames are the names of headers and query parameters that a user declared public, in any
// case. Every other value that a user supplies is a secret.
type PublicNames []string

// Has reports whether the value of the header or query parameter with a name is public, because
// the user declared it or because Parley lists it, as Content-Type and assistant_id.
func (p PublicNames) Has(name string) bool {
	if CheckPublic(name) != "" {
		return false
	}
	name = strings.ToLower(name)
	same := func(declared string) bool { return strings.EqualFold(declared, name) }
	return slices.ContainsFunc(p, same) || slices.ContainsFunc(publicNames[:], func(listed string) bool {
		prefix, open := strings.CutSuffix(listed, "*")
		return listed == name || open && strings.HasPrefix(name, prefix)
	})
}

// CheckPublic says in a clause why a name cannot be declared public, empty if it can.
func CheckPublic(name string) string {
	switch {
	case strings.TrimSpace(name) == "":
		return "it is empty"
	case slices.Contains(credentialHeaders[:], http.CanonicalHeaderKey(name)):
		return http.CanonicalHeaderKey(name) + " always carries a credential"
	}
	return ""
}
