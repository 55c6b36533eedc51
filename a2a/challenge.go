package a2a

import (
	"net/http"
	"strings"
)

// ChallengeSchemes returns the authentication schemes that a response names in its
// WWW-Authenticate headers (RFC 9110, 11.6.1), in their order: "Bearer", "Basic".
func ChallengeSchemes(h http.Header) []string {
	var schemes []string
	for _, value := range h.Values("WWW-Authenticate") {
		for part := range strings.SplitSeq(outsideQuotes(value), ",") {
			scheme, _, _ := strings.Cut(strings.TrimSpace(part), " ")
			if scheme != "" && !strings.Contains(scheme, "=") { // otherwise a parameter of the preceding scheme
				schemes = append(schemes, scheme)
			}
		}
	}
	return schemes
}

// outsideQuotes returns a header value without its quoted strings.
func outsideQuotes(value string) string {
	var b strings.Builder
	quoted := false
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case !quoted:
			b.WriteByte(c)
		}
	}
	return b.String()
}
