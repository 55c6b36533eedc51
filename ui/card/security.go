package card

import (
	"cmp"
	"strings"

	"parley/a2a"
	"parley/internal/signature"
	"parley/ui/keys"
	"parley/ui/styles"
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
	for i := range c.Signatures {
		b.signature(i, &c.Signatures[i])
	}
}

// signature shows what is known about a signature, and then the signature itself.
func (b *builder) signature(i int, s *a2a.Signature) {
	if i >= len(b.results) {
		b.painted("signature", "not verified yet", b.st.Faint)
	} else {
		r := &b.results[i]
		words := []string{r.Verdict.String()}
		for _, w := range []string{r.Algorithm, r.KeyID} {
			if w != "" {
				words = append(words, w)
			}
		}
		paint := map[signature.Verdict]styles.Paint{signature.Verified: b.st.OK, signature.Deviates: b.st.Text, signature.Broken: b.st.Failed, signature.Unverifiable: b.st.Faint}[r.Verdict]
		b.painted("signature", strings.Join(words, " "+b.st.G[styles.Separator]+" "), paint)
		b.field("", r.Why)
		if r.Key != "" {
			b.painted("", "with the key from "+r.Key, b.st.Faint)
		}
		if r.Verdict == signature.Unverifiable && r.KeyURL != "" {
			b.painted("", keys.Name(b.keys(downloadKeys))+" asks to download the key", b.st.Faint)
		}
	}
	b.painted("", s.Protected+"."+"."+s.Signature, b.st.Faint)
	b.field("  header", string(s.Header))
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
