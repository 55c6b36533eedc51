package signin

import (
	"strings"
	"time"

	"parley/a2a/challenge"
	"parley/internal/units"
)

// Words describes what satisfies a step: "API key in the header X-Desk". Names of the card are
// printable, and not longer than a line.
func (s *Step) Words() string {
	words := ""
	switch s.Kind {
	case Key:
		words = "API key" + s.place()
	case Basic:
		words = "name and password"
	case Bearer:
		words = "bearer token"
		if f := printable(s.Scheme.BearerFormat); f != "" {
			words += " (" + f + ")"
		}
	case AuthorizationCode:
		words = s.protocol() + ", sign in with a browser"
	case DeviceCode:
		words = s.protocol() + ", enter a code on any device"
	case ClientSecret:
		words = s.protocol() + ", with a client's secret"
	case Certificate:
		words = "client certificate (--cert FILE)"
	default:
		name := printable(strings.TrimSpace(s.Scheme.Type + " " + s.Scheme.Scheme))
		if name == "" {
			name = printable(s.Scheme.Key)
		}
		words = name
	}
	if len(s.Scopes) > 0 {
		words += ", scopes " + printable(strings.Join(s.Scopes, " "))
	}
	return words
}

// place says where an API key goes.
func (s *Step) place() string {
	name := printable(s.Scheme.Name)
	switch {
	case name == "":
		return ""
	case strings.EqualFold(s.Scheme.In, "query"):
		return " in the query, as " + name
	case strings.EqualFold(s.Scheme.In, "cookie"):
		return " in the cookie " + name
	default:
		return " in the header " + name
	}
}

// protocol names the protocol of a flow.
func (s *Step) protocol() string {
	if s.Scheme.Type == "openIdConnect" {
		return "OpenID Connect"
	}
	return "OAuth"
}

// Words describes a way: its steps, all of which are needed.
func (w Way) Words() string {
	all := make([]string, len(w))
	for i := range w {
		all[i] = w[i].Words()
	}
	return strings.Join(all, " and ")
}

// kindNames names the kinds of identities.
var kindNames = map[Kind]string{
	Key: "API key", Basic: "name and password", Bearer: "bearer token",
	AuthorizationCode: "OAuth, authorization code", DeviceCode: "OAuth, device code", ClientSecret: "OAuth, client credentials",
}

// Words names a kind of identities.
func (k Kind) Words() string { return kindNames[k] }

// Explain describes a challenge: what it asks for, and what it says about the credentials that were
// sent.
func Explain(c challenge.Challenge) string {
	words := "credentials of the scheme " + printable(c.Scheme)
	switch strings.ToLower(c.Scheme) {
	case "bearer":
		words = "a bearer token"
	case "basic":
		words = "a name and a password"
	}
	if realm := printable(c.Params["realm"]); realm != "" {
		words += " for “" + realm + "”"
	}
	if scope := printable(c.Params["scope"]); scope != "" {
		words += " with the scopes " + scope
	}
	if why := challengeError(c.Params["error"]); why != "" {
		words += "; it says that " + why
	}
	if more := printable(c.Params["error_description"]); more != "" {
		words += " (" + more + ")"
	}
	return words
}

// challengeError explains the error of a challenge (RFC 6750, 3.1).
func challengeError(code string) string {
	switch code {
	case "":
		return ""
	case "invalid_token":
		return "the token has expired, was revoked, or is not for this agent"
	case "insufficient_scope":
		return "the token does not allow this"
	case "invalid_request":
		return "the request carries its credentials in a wrong way"
	default:
		return "it refused them: " + printable(code)
	}
}

// Validity says until when an identity can be used.
func (i *Identity) Validity(now time.Time) string {
	left := i.Expires.Sub(now)
	switch {
	case i.Expires.IsZero():
		return "until it is refused"
	case i.Renews && left > 0:
		return "for " + units.Duration(left) + ", then it is renewed"
	case i.Renews:
		return "it is renewed when it is needed"
	case left > 0:
		return "for " + units.Duration(left)
	default:
		return "no longer: sign in again"
	}
}
