package cli

import (
	"fmt"
	"strings"

	"parley/a2a"
)

// card writes an agent card. used is the endpoint that messages go to, empty if none is usable.
func (p *page) card(c *a2a.Card, used a2a.Profile) {
	p.field("Name", orNone(c.Name))
	p.field("Description", c.Description)
	p.field("Version", c.Version)
	p.field("Found at", c.SourceURL)
	if c.Provider != nil {
		p.field("Provider", strings.TrimSpace(c.Provider.Organization+" "+c.Provider.URL))
	}
	p.field("Documentation", c.DocumentationURL)
	p.field("Icon", c.IconURL)
	p.capabilities(&c.Capabilities)
	for i := range c.Interfaces {
		p.iface(&c.Interfaces[i])
	}
	if used.Problem == "" {
		p.field("Spoken", "A2A "+used.Dialect.Number()+", "+used.Binding.String()+", "+used.Endpoint)
	}
	p.list("Input modes", c.DefaultInputModes)
	p.list("Output modes", c.DefaultOutputModes)
	for i := range c.SecuritySchemes {
		p.scheme(&c.SecuritySchemes[i])
	}
	for _, r := range c.Security {
		p.field("Requires", requirement(r))
	}
	for i := range c.Skills {
		p.skill(&c.Skills[i])
	}
	for _, m := range c.Unknown {
		p.field("Unknown member", m.Pointer)
	}
}

func (p *page) capabilities(c *a2a.Capabilities) {
	p.field("Streaming", declared(c.Streaming))
	p.field("Push notifications", declared(c.PushNotifications))
	p.field("Extended card", declared(c.ExtendedAgentCard))
	for _, e := range c.Extensions {
		need := "optional"
		if e.Required {
			need = "required"
		}
		p.field("Extension", line(e.URI)+", "+need)
		if p.verbose {
			p.field("Extension description", e.Description)
			p.metadata("Extension parameters", e.Params)
		}
	}
}

func declared(t a2a.Tri) string {
	switch t {
	case a2a.True:
		return "yes"
	case a2a.False:
		return "no"
	default:
		return "not declared"
	}
}

func (p *page) iface(i *a2a.Interface) {
	words := []string{i.Binding.String()}
	if i.Binding == a2a.BindingOther {
		words[0] = line(i.BindingWord)
	}
	if i.Version != "" {
		words = append(words, "A2A "+line(i.Version))
	}
	words = append(words, line(i.URL))
	if i.Tenant != "" {
		words = append(words, "tenant "+line(i.Tenant))
	}
	p.list("Interface", words)
}

// scheme describes a way to authenticate.
func (p *page) scheme(s *a2a.SecurityScheme) {
	words := []string{line(s.Key), line(s.Type)}
	if s.Type == "legacy" { // in 0.1 every named scheme is required
		words[1] = "required"
	}
	for _, w := range []string{s.Scheme, s.BearerFormat, s.OpenIDConnectURL, s.OAuth2MetadataURL} {
		if w != "" {
			words = append(words, line(w))
		}
	}
	if s.Name != "" {
		words = append(words, fmt.Sprintf("in %s %s", line(s.In), line(s.Name)))
	}
	p.list("Security scheme", words)
	for _, f := range s.Flows {
		flow := []string{line(s.Key), f.Type}
		for _, u := range []string{f.AuthorizationURL, f.DeviceAuthorizationURL, f.TokenURL} {
			if u != "" {
				flow = append(flow, line(u))
			}
		}
		p.list("OAuth flow", flow)
	}
	if p.verbose {
		p.field("Scheme description", s.Description)
		p.field("Credentials", s.Credentials)
	}
}

func requirement(r a2a.SecurityRequirement) string {
	if len(r) == 0 {
		return "nothing"
	}
	var all []string
	for _, s := range r {
		name := line(s.Scheme)
		if len(s.Scopes) > 0 {
			name += " (" + line(strings.Join(s.Scopes, " ")) + ")"
		}
		all = append(all, name)
	}
	return strings.Join(all, " and ")
}

func (p *page) skill(s *a2a.Skill) {
	p.field("Skill", orNone(s.ID))
	p.field("Skill name", s.Name)
	p.field("Skill description", s.Description)
	p.list("Skill tags", s.Tags)
	if !p.verbose {
		return
	}
	for _, x := range s.Examples {
		p.field("Skill example", x.Text)
	}
	p.list("Skill input modes", s.InputModes)
	p.list("Skill output modes", s.OutputModes)
	for _, r := range s.Security {
		p.field("Skill requires", requirement(r))
	}
}
