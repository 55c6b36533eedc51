package signin

import (
	"slices"
	"strings"

	"parley/a2a"
	"parley/a2a/challenge"
)

// A Kind is how a user proves who calls.
type Kind string

// The kinds. Of them, the first three are entered, the next four are flows of OAuth 2, and the
// others cannot be done by Parley alone.
const (
	Key               Kind = "key"   // an API key
	Basic             Kind = "basic" // a name and a password
	Bearer            Kind = "bearer"
	AuthorizationCode Kind = "code"
	DeviceCode        Kind = "device"
	ClientSecret      Kind = "client-credentials"
	Certificate       Kind = "certificate" // a client certificate: --cert
	Unsupported       Kind = "unsupported"
)

// Kinds are the kinds that a user can choose.
func Kinds() []Kind {
	return []Kind{AuthorizationCode, DeviceCode, ClientSecret, Key, Basic, Bearer}
}

// A Step is one scheme that an agent asks for, and one way to satisfy it.
type Step struct {
	Kind   Kind
	Scheme a2a.SecurityScheme
	Flow   a2a.OAuthFlow // of the flows of OAuth 2, if the card has it
	Scopes []string      // which the card requires
	Why    string        // of an unsupported one, a clause
}

// A Way is one of several ways to sign in: all of its steps are needed.
type Way []Step

// Ways returns the ways to sign in to an agent, in the order of its card; none if the card asks for
// nothing. A scheme with several flows of OAuth 2 makes several ways. Without requirements, each
// scheme of the card is a way.
func Ways(c *a2a.Card) []Way {
	if c == nil {
		return nil
	}
	requirements := c.Security
	if len(requirements) == 0 {
		for _, s := range c.SecuritySchemes {
			requirements = append(requirements, a2a.SecurityRequirement{{Scheme: s.Key}})
		}
	}
	var all []Way
	for _, r := range requirements[:min(len(requirements), maxWays)] {
		all = append(all, ways(c, r)...)
	}
	return all[:min(len(all), maxWays)]
}

// maxWays limits the ways, because a card may have any number.
const maxWays = 50

// ways returns the ways to satisfy a requirement.
func ways(c *a2a.Card, r a2a.SecurityRequirement) []Way {
	all := []Way{nil}
	for _, wanted := range r[:min(len(r), maxWays)] {
		at := slices.IndexFunc(c.SecuritySchemes, func(s a2a.SecurityScheme) bool { return s.Key == wanted.Scheme })
		steps := []Step{{Kind: Unsupported, Scheme: a2a.SecurityScheme{Key: wanted.Scheme}, Scopes: wanted.Scopes, Why: "the card requires a scheme that it does not declare"}}
		if at >= 0 {
			steps = stepsOf(c.SecuritySchemes[at], wanted.Scopes)
		}
		var longer []Way
		for _, way := range all {
			for _, s := range steps {
				longer = append(longer, append(slices.Clone(way), s))
			}
		}
		all = longer[:min(len(longer), maxWays)]
	}
	return all
}

// stepsOf returns the ways to satisfy one scheme.
func stepsOf(s a2a.SecurityScheme, scopes []string) []Step {
	one := func(kind Kind, why string) []Step { return []Step{{Kind: kind, Scheme: s, Scopes: scopes, Why: why}} }
	switch s.Type {
	case "apiKey":
		return one(Key, "")
	case "http":
		return one(httpKind(s.Scheme))
	case "legacy":
		if steps := legacySteps(s, scopes); len(steps) > 0 {
			return steps
		}
		return one(httpKind(s.Scheme))
	case "mutualTLS":
		return one(Certificate, "")
	case "openIdConnect":
		return []Step{{Kind: AuthorizationCode, Scheme: s, Scopes: scopes}, {Kind: DeviceCode, Scheme: s, Scopes: scopes}, {Kind: ClientSecret, Scheme: s, Scopes: scopes}}
	case "oauth2":
		return flowSteps(s, scopes)
	default:
		return one(Unsupported, "Parley does not know this scheme")
	}
}

// flowKinds are the flows of OAuth 2 by their names in a card.
var flowKinds = map[string]Kind{"authorizationCode": AuthorizationCode, "deviceCode": DeviceCode, "clientCredentials": ClientSecret}

func flowSteps(s a2a.SecurityScheme, scopes []string) (steps []Step) {
	for _, f := range s.Flows {
		step := Step{Kind: flowKinds[f.Type], Scheme: s, Flow: f, Scopes: scopes}
		if step.Kind == "" {
			step.Kind, step.Why = Unsupported, "the flow "+f.Type+" is deprecated, because it gives away passwords or tokens"
		}
		steps = append(steps, step)
	}
	if len(steps) == 0 { // the metadata of the server says which
		steps = []Step{{Kind: AuthorizationCode, Scheme: s, Scopes: scopes}, {Kind: DeviceCode, Scheme: s, Scopes: scopes}, {Kind: ClientSecret, Scheme: s, Scopes: scopes}}
	}
	return steps
}

// httpKind returns the kind of an HTTP authentication scheme, or of a word of A2A 0.1.
func httpKind(scheme string) (Kind, string) {
	switch strings.ToLower(strings.NewReplacer("-", "", "_", "", " ", "").Replace(scheme)) {
	case "basic":
		return Basic, ""
	case "bearer", "jwt", "oauth2", "oauth", "openidconnect", "oidc", "":
		return Bearer, ""
	case "apikey", "key":
		return Key, ""
	case "mutualtls", "mtls":
		return Certificate, ""
	default:
		return Unsupported, "Parley does not know this scheme of HTTP"
	}
}

// Choose returns the first way that Parley can walk alone, and whose last step is of a kind; any
// kind if it is empty. Steps before the last one must be entered or presented.
func Choose(all []Way, kind Kind) (Way, bool) {
	for _, way := range all {
		if len(way) == 0 || way.Problem() != "" {
			continue
		}
		if kind == "" || slices.ContainsFunc(way, func(s Step) bool { return s.Kind == kind }) {
			return way, true
		}
	}
	return nil, false
}

// Demanded returns the ways that challenges ask for, of an agent whose card says nothing.
func Demanded(all []challenge.Challenge) []Way {
	var ways []Way
	for _, c := range all[:min(len(all), maxWays)] {
		scheme := a2a.SecurityScheme{Type: "http", Scheme: c.Scheme}
		if c.Params["resource_metadata"] != "" {
			scopes := strings.Fields(c.Params["scope"])
			for _, kind := range []Kind{AuthorizationCode, DeviceCode, ClientSecret} {
				ways = append(ways, Way{{Kind: kind, Scheme: scheme, Scopes: scopes}})
			}
			continue
		}
		kind, why := httpKind(c.Scheme)
		ways = append(ways, Way{{Kind: kind, Scheme: scheme, Why: why}})
	}
	return ways
}
