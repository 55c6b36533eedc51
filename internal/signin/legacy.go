package signin

import (
	"cmp"
	"encoding/json"
	"strings"

	"parley/a2a"
)

// legacyCredentials are what the authentication.credentials of a card of A2A 0.1 say, if they are
// JSON: the specification leaves the members open, so the names of OpenAPI and of RFC 8414 are read.
type legacyCredentials struct {
	AuthorizationURL  string          `json:"authorizationUrl"`
	TokenURL          string          `json:"tokenUrl"`
	DeviceURL         string          `json:"deviceAuthorizationUrl"`
	AuthorizationURL2 string          `json:"authorization_endpoint"`
	TokenURL2         string          `json:"token_endpoint"`
	DeviceURL2        string          `json:"device_authorization_endpoint"`
	OpenIDURL         string          `json:"openIdConnectUrl"`
	Issuer            string          `json:"issuer"`
	In                string          `json:"in"`
	Name              string          `json:"name"`
	Scopes            json.RawMessage `json:"scopes"`
}

// legacySteps returns the ways to satisfy a word of a card of A2A 0.1 whose credentials say more; none
// if they do not.
func legacySteps(s a2a.SecurityScheme, scopes []string) (steps []Step) {
	var c legacyCredentials
	if len(s.CredentialsJSON) == 0 || json.Unmarshal(s.CredentialsJSON, &c) != nil {
		return nil
	}
	if len(scopes) == 0 {
		scopes = c.scopes()
	}
	kind, _ := httpKind(s.Scheme)
	if kind == Key && c.Name != "" {
		s.In, s.Name = c.In, c.Name
		return []Step{{Kind: Key, Scheme: s, Scopes: scopes}}
	}
	if kind != Bearer {
		return nil
	}
	add := func(k Kind, f a2a.OAuthFlow) {
		steps = append(steps, Step{Kind: k, Scheme: s, Flow: f, Scopes: scopes})
	}
	f := a2a.OAuthFlow{AuthorizationURL: cmp.Or(c.AuthorizationURL, c.AuthorizationURL2), TokenURL: cmp.Or(c.TokenURL, c.TokenURL2), DeviceAuthorizationURL: cmp.Or(c.DeviceURL, c.DeviceURL2)}
	switch {
	case f.TokenURL != "":
		if f.AuthorizationURL != "" {
			add(AuthorizationCode, f)
		}
		if f.DeviceAuthorizationURL != "" {
			add(DeviceCode, f)
		}
		add(ClientSecret, f)
	case c.OpenIDURL != "" || c.Issuer != "":
		s.OpenIDConnectURL = cmp.Or(c.OpenIDURL, c.Issuer)
		add(AuthorizationCode, a2a.OAuthFlow{})
		add(DeviceCode, a2a.OAuthFlow{})
		add(ClientSecret, a2a.OAuthFlow{})
	default:
		return nil
	}
	s.OpenIDConnectURL = ""
	return append(steps, Step{Kind: Bearer, Scheme: s, Scopes: scopes})
}

// scopes returns the scopes, which may be a list, words, or an object with their descriptions.
func (c *legacyCredentials) scopes() []string {
	var list []string
	if json.Unmarshal(c.Scopes, &list) == nil {
		return list
	}
	var words string
	if json.Unmarshal(c.Scopes, &words) == nil {
		return strings.Fields(words)
	}
	return nil // those of an object are on offer, and not required
}
