package card

import (
	"cmp"
	"strings"

	"parley/a2a"
)

// security shows the ways to authenticate and which of them are needed.
func (b *builder) security(c *a2a.Card) {
	if len(c.SecuritySchemes) == 0 && len(c.Security) == 0 && len(c.Signatures) == 0 {
		return
	}
	b.section("Security")
	b.field("needs", requirements(c.Security))
	for i := range c.SecuritySchemes {
		b.scheme(&c.SecuritySchemes[i])
	}
	for _, s := range c.Signatures {
		b.field("signature", "not verified · "+s.Protected)
		b.field("", s.Signature)
		b.field("  header", string(s.Header))
	}
}

func (b *builder) scheme(s *a2a.SecurityScheme) {
	what := s.Type
	switch s.Type {
	case "apiKey":
		what = "API key in " + s.In + " " + s.Name
	case "http":
		what = strings.TrimSpace("HTTP " + s.Scheme + " " + s.BearerFormat)
	case "oauth2":
		what = "OAuth 2"
	case "openIdConnect":
		what = "OpenID Connect"
	case "mutualTLS":
		what = "mutual TLS"
	case "legacy":
		what = "required, as A2A 0.1 writes it"
	}
	b.field(s.Key, what)
	b.prose(s.Description, labelWidth)
	b.address("  discovery", s.OpenIDConnectURL)
	b.address("  metadata", s.OAuth2MetadataURL)
	for i := range s.Flows {
		b.flow(&s.Flows[i])
	}
	b.field("  credentials", cmp.Or(string(s.CredentialsJSON), s.Credentials))
	if s.Type == "unknown" {
		b.field("  raw", string(s.Raw))
	}
}

func (b *builder) flow(f *a2a.OAuthFlow) {
	name := f.Type
	if f.PKCERequired {
		name += " (PKCE required)"
	}
	b.field("  flow", name)
	b.address("    authorize", f.AuthorizationURL)
	b.address("    device", f.DeviceAuthorizationURL)
	b.address("    token", f.TokenURL)
	b.address("    refresh", f.RefreshURL)
	for _, s := range f.Scopes {
		b.field("    scope", strings.TrimSpace(s.Name+"  "+s.Description))
	}
}

// requirements puts alternatives in words: "google (openid) or key and mtls".
func requirements(alternatives []a2a.SecurityRequirement) string {
	var out []string
	for _, all := range alternatives {
		var names []string
		for _, s := range all {
			name := s.Scheme
			if len(s.Scopes) > 0 {
				name += " (" + strings.Join(s.Scopes, ", ") + ")"
			}
			names = append(names, name)
		}
		if len(names) == 0 {
			names = []string{"nothing"}
		}
		out = append(out, strings.Join(names, " and "))
	}
	return strings.Join(out, " or ")
}
