package a2a

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"parley/a2a/jsontok"
)

// schemeForms are the wrappers of 1.0 around a security scheme, with the type
// that earlier dialects give it.
var schemeForms = []struct{ member, kind string }{
	{"apiKeySecurityScheme", "apiKey"},
	{"httpAuthSecurityScheme", "http"},
	{"oauth2SecurityScheme", "oauth2"},
	{"openIdConnectSecurityScheme", "openIdConnect"},
	{"mtlsSecurityScheme", "mutualTLS"},
}

// security reads everything that the dialects say about authentication.
func (p *cardParser) security(n jsontok.Node, c *Card) {
	for name, v := range p.get(n, "securitySchemes").Members() {
		c.SecuritySchemes = append(c.SecuritySchemes, p.scheme(name, v))
	}
	c.SecuritySchemes = append(c.SecuritySchemes, p.legacy(p.get(n, "authentication"))...)
	c.Security = p.requirements(n)
}

// scheme reads a scheme: flat with a type, as up to 0.3; wrapped in a member that
// names its type, as in 1.0; or in the form in which one SDK leaks its protocol
// buffer, {"scheme": {"$case": …, "value": …}}.
func (p *cardParser) scheme(name string, n jsontok.Node) SecurityScheme {
	s := SecurityScheme{Key: name, Type: p.text(n, "type"), Raw: n.Raw()}
	inner := n
	if s.Type == "" {
		for _, form := range schemeForms {
			if v := p.get(n, form.member); v.Kind() == jsontok.Object {
				s.Type, inner = form.kind, v
			}
		}
	} else {
		p.oddForm = true
	}
	if leaked := get(n, "scheme"); s.Type == "" && leaked.Kind() == jsontok.Object {
		p.oddForm = true
		for _, form := range schemeForms {
			if word(get(leaked, "$case")) == form.member {
				s.Type, inner = form.kind, get(leaked, "value")
			}
		}
	}
	s.Type = cmp.Or(s.Type, "unknown")
	s.Description = p.text(inner, "description")
	s.In, s.Name = p.text(inner, "in"), p.text(inner, "name")
	if s.In == "" {
		s.In = p.text(inner, "location")
	}
	s.Scheme, s.BearerFormat = p.text(inner, "scheme"), p.text(inner, "bearerFormat")
	s.OpenIDConnectURL = p.text(inner, "openIdConnectUrl")
	s.OAuth2MetadataURL = p.text(inner, "oauth2MetadataUrl")
	s.Flows = p.flows(p.get(inner, "flows"))
	return s
}

func (p *cardParser) flows(n jsontok.Node) (flows []OAuthFlow) {
	if leaked := get(n, "flow"); leaked.Kind() == jsontok.Object { // the leaked protocol buffer again
		return []OAuthFlow{p.flow(word(get(leaked, "$case")), get(leaked, "value"))}
	}
	for _, kind := range []string{"authorizationCode", "clientCredentials", "deviceCode", "implicit", "password"} {
		if v := p.get(n, kind); v.Kind() == jsontok.Object {
			flows = append(flows, p.flow(kind, v))
		}
	}
	return flows
}

func (p *cardParser) flow(kind string, n jsontok.Node) OAuthFlow {
	f := OAuthFlow{
		Type:                   kind,
		AuthorizationURL:       p.text(n, "authorizationUrl"),
		TokenURL:               p.text(n, "tokenUrl"),
		RefreshURL:             p.text(n, "refreshUrl"),
		DeviceAuthorizationURL: p.text(n, "deviceAuthorizationUrl"),
		PKCERequired:           p.bool(n, "pkceRequired") == True,
	}
	for name, description := range p.get(n, "scopes").Members() {
		f.Scopes = append(f.Scopes, Scope{Name: name, Description: word(description)})
	}
	return f
}

// legacy reads the authentication object of 0.1, whose credentials are free text
// that often is JSON.
func (p *cardParser) legacy(n jsontok.Node) (schemes []SecurityScheme) {
	if n.Kind() != jsontok.Object {
		return nil
	}
	p.oddForm = true
	credentials := get(n, "credentials")
	text := word(credentials)
	var parsed json.RawMessage
	if inner := []byte(strings.TrimSpace(text)); startsJSON(inner) && json.Valid(inner) {
		parsed = inner
	} else if credentials.Kind() == jsontok.Object {
		text, parsed = string(credentials.Raw()), credentials.Raw()
	}
	names := words(get(n, "schemes"))
	if len(names) == 0 {
		names = []string{""}
	}
	for _, name := range names {
		schemes = append(schemes, SecurityScheme{
			Key: name, Type: "legacy", Scheme: name, Credentials: text, CredentialsJSON: parsed, Raw: n.Raw(),
		})
	}
	return schemes
}

// requirements reads which schemes a card or a skill demands, in the form of 0.3,
// [{name: [scope]}], or of 1.0, [{"schemes": {name: {"list": [scope]}}}].
func (p *cardParser) requirements(n jsontok.Node) (all []SecurityRequirement) {
	list := p.get(n, "securityRequirements")
	if !list.Exists() {
		if list = p.get(n, "security"); list.Exists() {
			p.oddForm = true
		}
	}
	alternatives := slices.Collect(list.Elems())
	if list.Kind() == jsontok.Object || list.Text() != "" { // in place of a list with it
		p.oddForm, alternatives = true, []jsontok.Node{list}
	}
	for _, alternative := range alternatives {
		if wrapped := get(alternative, "schemes"); wrapped.Kind() == jsontok.Object {
			alternative = wrapped
		}
		requirement := SecurityRequirement{}
		switch {
		case alternative.Text() != "": // the name of a scheme in place of an object with it
			p.oddForm, requirement = true, SecurityRequirement{{Scheme: alternative.Text()}}
		case alternative.Kind() != jsontok.Object:
			continue // it requires nothing that can be known
		}
		for name, scopes := range alternative.Members() {
			if scopes.Kind() == jsontok.Object {
				scopes = get(scopes, "list")
			}
			requirement = append(requirement, SchemeScopes{Scheme: name, Scopes: words(scopes)})
		}
		all = append(all, requirement)
	}
	return all
}
