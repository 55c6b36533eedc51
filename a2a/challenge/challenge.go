// Package challenge reads the header WWW-Authenticate, in which a server says which credentials it wants (RFC 9110,
// 11.6.1).
package challenge

import (
	"net/http"
	"strings"
)

// A Challenge is one demand for credentials in a WWW-Authenticate header (RFC 9110, 11.6.1).
type Challenge struct {
	Scheme string // as the server writes it: "Bearer"
	// Params are the parameters, by their names in lower case: realm, scope, error,
	// resource_metadata.
	Params map[string]string
}

// maxChallenges limits the challenges and the parameters that are read of one answer.
const maxChallenges = 50

// Of returns the challenges of a response in their order, the readable ones of a header
// that is broken.
func Of(h http.Header) []Challenge {
	var all []Challenge
	for _, value := range h.Values("WWW-Authenticate") {
		for _, item := range listItems(value) {
			name, rest := item, ""
			if i := strings.IndexAny(item, " \t="); i >= 0 {
				name, rest = item[:i], strings.TrimLeft(item[i:], " \t")
			}
			if name == "" {
				continue
			}
			if param, ok := strings.CutPrefix(rest, "="); ok {
				if len(all) > 0 { // of the preceding scheme
					all[len(all)-1].set(name, param)
				}
				continue
			}
			if len(all) == maxChallenges {
				return all
			}
			all = append(all, Challenge{Scheme: name, Params: map[string]string{}})
			if name, value, ok := strings.Cut(rest, "="); ok && strings.Trim(value, "=") != "" {
				all[len(all)-1].set(name, value)
			}
		}
	}
	return all
}

// set sets a parameter, the first of several with one name.
func (c *Challenge) set(name, value string) {
	name = strings.ToLower(strings.TrimSpace(name))
	if _, twice := c.Params[name]; !twice && len(c.Params) < maxChallenges {
		c.Params[name] = unquoted(strings.TrimSpace(value))
	}
}

// Schemes returns the authentication schemes that a response names in its
// WWW-Authenticate headers, in their order: "Bearer", "Basic".
func Schemes(h http.Header) []string {
	var schemes []string
	for _, c := range Of(h) {
		schemes = append(schemes, c.Scheme)
	}
	return schemes
}

// listItems divides a header value at the commas outside of quoted strings.
func listItems(value string) []string {
	var items []string
	from, quoted := 0, false
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case c == ',' && !quoted:
			items = append(items, strings.TrimSpace(value[from:i]))
			from = i + 1
		}
	}
	return append(items, strings.TrimSpace(value[from:]))
}

// unquoted returns a value without its quotation marks and escapes.
func unquoted(value string) string {
	if len(value) < 2 || value[0] != '"' || value[len(value)-1] != '"' {
		return value
	}
	var b strings.Builder
	inner := value[1 : len(value)-1]
	for i := 0; i < len(inner); i++ {
		if inner[i] == '\\' && i+1 < len(inner) {
			i++
		}
		b.WriteByte(inner[i])
	}
	return b.String()
}
