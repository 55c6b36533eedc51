package a2a

import (
	"encoding/json"
	"strings"

	"parley/a2a/jsontok"
)

type cardV1 struct {
	Name               string                     `json:"name"`
	Description        string                     `json:"description"`
	Interfaces         []interfaceV1              `json:"supportedInterfaces"`
	Provider           *providerV1                `json:"provider,omitempty"`
	Version            string                     `json:"version"`
	DocumentationURL   string                     `json:"documentationUrl,omitempty"`
	Capabilities       capabilitiesV1             `json:"capabilities"`
	SecuritySchemes    map[string]json.RawMessage `json:"securitySchemes,omitempty"`
	Security           []requirementV1            `json:"securityRequirements,omitempty"`
	DefaultInputModes  []string                   `json:"defaultInputModes"`
	DefaultOutputModes []string                   `json:"defaultOutputModes"`
	Skills             []skillV1                  `json:"skills"`
	Signatures         []Signature                `json:"signatures,omitempty"`
	IconURL            string                     `json:"iconUrl,omitempty"`
}

type interfaceV1 struct {
	URL     string `json:"url"`
	Binding string `json:"protocolBinding"`
	Version string `json:"protocolVersion"`
	Tenant  string `json:"tenant,omitempty"`
}

type providerV1 struct {
	URL          string `json:"url"`
	Organization string `json:"organization"`
}

type capabilitiesV1 struct {
	Streaming         *bool       `json:"streaming,omitempty"`
	PushNotifications *bool       `json:"pushNotifications,omitempty"`
	Extensions        []Extension `json:"extensions,omitempty"`
	ExtendedAgentCard *bool       `json:"extendedAgentCard,omitempty"`
}

type requirementV1 struct {
	Schemes map[string]scopesV1 `json:"schemes"`
}

type scopesV1 struct {
	List []string `json:"list"`
}

type skillV1 struct {
	ID          string          `json:"id"`
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Tags        []string        `json:"tags"`
	Examples    []string        `json:"examples,omitempty"`
	InputModes  []string        `json:"inputModes,omitempty"`
	OutputModes []string        `json:"outputModes,omitempty"`
	Security    []requirementV1 `json:"securityRequirements,omitempty"`
}

// schemeV1 is the union of what the five kinds of scheme hold in 1.0
// (specification 1.0 §4.5).
type schemeV1 struct {
	Description      string            `json:"description,omitempty"`
	Location         string            `json:"location,omitempty"`
	Name             string            `json:"name,omitempty"`
	Scheme           string            `json:"scheme,omitempty"`
	BearerFormat     string            `json:"bearerFormat,omitempty"`
	OpenIDConnectURL string            `json:"openIdConnectUrl,omitempty"`
	Flows            map[string]flowV1 `json:"flows,omitempty"`
	MetadataURL      string            `json:"oauth2MetadataUrl,omitempty"`
}

type flowV1 struct {
	AuthorizationURL       string            `json:"authorizationUrl,omitempty"`
	DeviceAuthorizationURL string            `json:"deviceAuthorizationUrl,omitempty"`
	TokenURL               string            `json:"tokenUrl,omitempty"`
	RefreshURL             string            `json:"refreshUrl,omitempty"`
	Scopes                 map[string]string `json:"scopes"`
	PKCERequired           bool              `json:"pkceRequired,omitempty"`
}

// EncodeV1Card returns the card in the shape of A2A 1.0, unchanged if it arrived in that shape.
// Members of earlier versions become those of 1.0; the rest is omitted: stateTransitionHistory,
// free-text credentials of 0.1, all but the first OAuth flow of a scheme, and unknown members.
func EncodeV1Card(c *Card) json.RawMessage {
	if isV1Card(c.Raw) {
		return c.Raw
	}
	w := cardV1{
		Name: c.Name, Description: c.Description, Version: c.Version,
		DocumentationURL: c.DocumentationURL, IconURL: c.IconURL,
		DefaultInputModes: orEmpty(c.DefaultInputModes), DefaultOutputModes: orEmpty(c.DefaultOutputModes),
		Interfaces: []interfaceV1{}, Skills: []skillV1{},
		Capabilities: capabilitiesV1{
			Streaming:         boolOf(c.Capabilities.Streaming),
			PushNotifications: boolOf(c.Capabilities.PushNotifications),
			Extensions:        c.Capabilities.Extensions,
			ExtendedAgentCard: boolOf(c.Capabilities.ExtendedAgentCard),
		},
		Signatures:      c.Signatures,
		SecuritySchemes: schemesV1Of(c.SecuritySchemes),
		Security:        requirementsV1Of(c.Security),
	}
	if c.Provider != nil {
		w.Provider = &providerV1{URL: c.Provider.URL, Organization: c.Provider.Organization}
	}
	for _, i := range c.Interfaces {
		binding := string(i.Binding)
		if i.Binding == BindingOther {
			binding = i.BindingWord
		}
		if i.Version == "" { // 1.0 requires one
			i.Version = Detect(c).Dialect.Number()
		}
		w.Interfaces = append(w.Interfaces, interfaceV1{URL: i.URL, Binding: binding, Version: i.Version, Tenant: i.Tenant})
	}
	for _, s := range c.Skills {
		w.Skills = append(w.Skills, skillV1Of(&s))
	}
	return marshalV1(w)
}

// isV1Card reports whether a card uses only the members and forms of 1.0.
func isV1Card(raw json.RawMessage) bool {
	var doc jsontok.Doc
	if len(raw) == 0 || doc.Parse(raw) != nil {
		return false
	}
	var p cardParser
	p.card(doc.Root(), "")
	return !p.snake && !p.oddForm
}

func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

func boolOf(t Tri) *bool {
	if t == Absent {
		return nil
	}
	return new(t == True)
}

func skillV1Of(s *Skill) skillV1 {
	w := skillV1{
		ID: s.ID, Name: s.Name, Description: s.Description, Tags: orEmpty(s.Tags),
		InputModes: s.InputModes, OutputModes: s.OutputModes, Security: requirementsV1Of(s.Security),
	}
	for _, x := range s.Examples {
		w.Examples = append(w.Examples, x.Text)
	}
	return w
}

func requirementsV1Of(all []SecurityRequirement) (w []requirementV1) {
	for _, alternative := range all {
		r := requirementV1{Schemes: map[string]scopesV1{}}
		for _, s := range alternative {
			r.Schemes[s.Scheme] = scopesV1{List: orEmpty(s.Scopes)}
		}
		w = append(w, r)
	}
	return w
}

// schemesV1Of wraps each scheme in the member that names its type. A scheme of
// unknown type stays as it came; of the words of 0.1 only HTTP schemes have a
// counterpart.
func schemesV1Of(schemes []SecurityScheme) map[string]json.RawMessage {
	w := map[string]json.RawMessage{}
	for i := range schemes {
		s := schemes[i]
		if s.Type == "legacy" {
			if lower := strings.ToLower(s.Scheme); lower != "bearer" && lower != "basic" {
				continue
			}
			s.Type = "http"
		}
		member := ""
		for _, form := range schemeForms {
			if form.kind == s.Type {
				member = form.member
			}
		}
		if member == "" {
			w[s.Key] = orNull(s.Raw)
			continue
		}
		w[s.Key] = marshalV1(map[string]schemeV1{member: schemeV1Of(&s)})
	}
	return w
}

func schemeV1Of(s *SecurityScheme) schemeV1 {
	w := schemeV1{
		Description: s.Description, Location: s.In, Name: s.Name, Scheme: s.Scheme, BearerFormat: s.BearerFormat,
		OpenIDConnectURL: s.OpenIDConnectURL, MetadataURL: s.OAuth2MetadataURL,
	}
	if len(s.Flows) > 0 { // 1.0 has room for one
		f := s.Flows[0]
		flow := flowV1{
			AuthorizationURL: f.AuthorizationURL, DeviceAuthorizationURL: f.DeviceAuthorizationURL,
			TokenURL: f.TokenURL, RefreshURL: f.RefreshURL, Scopes: map[string]string{}, PKCERequired: f.PKCERequired,
		}
		for _, scope := range f.Scopes {
			flow.Scopes[scope.Name] = scope.Description
		}
		w.Flows = map[string]flowV1{f.Type: flow}
	}
	return w
}
