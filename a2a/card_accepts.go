package a2a

import (
	"slices"
	"strings"
)

// accepts reports whether an agent accepts an HTTP authentication scheme ("bearer", "basic") in
// the Authorization header, according to its card. An agent that declares no schemes, or an
// unknown one, may accept anything.
func (c *Card) accepts(scheme string) bool {
	return c == nil || len(c.SecuritySchemes) == 0 ||
		slices.ContainsFunc(c.SecuritySchemes, func(s SecurityScheme) bool { return s.accepts(scheme) })
}

// Open reports whether a card is known and requires no credentials. An empty requirement is always satisfied.
func (c *Card) Open() bool {
	return c != nil && (len(c.Security) == 0 || slices.ContainsFunc(c.Security, func(r SecurityRequirement) bool { return len(r) == 0 }))
}

// declares reports whether a card declares a scheme with which an HTTP authentication scheme is
// accepted. A card that declares none accepts nothing here.
func (c *Card) declares(scheme string) bool {
	if c != nil && scheme == keyScheme {
		return slices.ContainsFunc(c.SecuritySchemes, func(s SecurityScheme) bool {
			return s.Type == "apiKey" || s.Type == "legacy" && !s.accepts("bearer") && !s.accepts("basic")
		})
	}
	return c != nil && len(c.SecuritySchemes) > 0 && c.accepts(scheme)
}

func (s *SecurityScheme) accepts(scheme string) bool {
	switch s.Type {
	case "http":
		return s.Scheme == "" || scheme == "" || strings.EqualFold(s.Scheme, scheme)
	case "oauth2", "openIdConnect":
		return strings.EqualFold(scheme, "bearer") || strings.EqualFold(scheme, "dpop") || scheme == ""
	case "apiKey":
		return strings.EqualFold(s.In, "header") && strings.EqualFold(s.Name, "Authorization")
	case "mutualTLS":
		return false
	case "legacy":
		return legacyAccepts(s.Scheme, scheme)
	default:
		return true
	}
}

// legacyAccepts does the same for a scheme of 0.1, which is any word.
func legacyAccepts(word, scheme string) bool {
	switch word = strings.ToLower(strings.NewReplacer("-", "", "_", "", " ", "").Replace(word)); word {
	case "basic", "digest":
		return scheme == "" || strings.EqualFold(scheme, word)
	case "apikey", "key", "mutualtls", "mtls":
		return false
	case "bearer", "jwt", "oauth2", "oauth", "openidconnect", "oidc":
		return scheme == "" || strings.EqualFold(scheme, "bearer")
	default:
		return true
	}
}

// keyScheme returns the apiKey scheme that a card asks for: the first one its
// requirements name, else the first one it declares, nil if there is none.
func (c *Card) keyScheme() *SecurityScheme {
	if c == nil {
		return nil
	}
	usable := map[string]*SecurityScheme{}
	var first *SecurityScheme
	for i := range c.SecuritySchemes {
		s := &c.SecuritySchemes[i]
		if s.Type != "apiKey" || s.Name == "" {
			continue
		}
		usable[s.Key] = s
		if first == nil {
			first = s
		}
	}
	for _, requirement := range c.Security {
		for _, wanted := range requirement {
			if s := usable[wanted.Scheme]; s != nil {
				return s
			}
		}
	}
	return first
}

// schemeWords names what a card declares, for a sentence.
func (c *Card) schemeWords() string {
	const most = 3
	var words []string
	for i := range c.SecuritySchemes {
		s := &c.SecuritySchemes[i]
		switch {
		case i == most:
			words = append(words, "more")
		case i > most:
		case s.Type == "apiKey" && s.Name != "":
			words = append(words, "an API key in the "+strings.ToLower(s.In)+" "+clip(s.Name))
		case s.Type == "http":
			words = append(words, "HTTP "+clip(s.Scheme))
		case s.Type == "legacy":
			words = append(words, clip(s.Scheme))
		case s.Type == "mutualTLS":
			words = append(words, "a client certificate")
		default:
			words = append(words, clip(s.Type))
		}
	}
	return strings.Join(words, ", ")
}
