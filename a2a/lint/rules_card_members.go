package lint

import (
	"slices"
	"strings"

	"parley/a2a"
	"parley/a2a/jsontok"
)

// required are the members of a card and what each must be.
type required struct {
	name, snake string
	kind        jsontok.Kind
}

var (
	cardAlways = [...]required{
		{"name", "name", jsontok.String}, {"version", "version", jsontok.String},
		{"capabilities", "capabilities", jsontok.Object}, {"skills", "skills", jsontok.Array},
	}
	cardSince02 = [...]required{
		{"description", "description", jsontok.String},
		{"defaultInputModes", "default_input_modes", jsontok.Array},
		{"defaultOutputModes", "default_output_modes", jsontok.Array},
	}
	cardBefore10 = [...]required{{"url", "url", jsontok.String}}
	cardSince10  = [...]required{{"supportedInterfaces", "supported_interfaces", jsontok.Array}}

	providerMembers  = [...]required{{"organization", "organization", jsontok.String}, {"url", "url", jsontok.String}}
	extensionMembers = [...]required{{"uri", "uri", jsontok.String}}

	interfaceMembers03 = [...]required{{"url", "url", jsontok.String}, {"transport", "transport", jsontok.String}}

	// What may be absent, but has a type: a client that reads the card by its schema refuses all of it.
	cardMay = [...]required{
		{"authentication", "authentication", jsontok.Object}, {"provider", "provider", jsontok.Object},
		{"documentationUrl", "documentation_url", jsontok.String}, {"iconUrl", "icon_url", jsontok.String},
		{"securitySchemes", "security_schemes", jsontok.Object},
		{"preferredTransport", "preferred_transport", jsontok.String},
		{"additionalInterfaces", "additional_interfaces", jsontok.Array}, {"signatures", "signatures", jsontok.Array},
	}
	skillMay = [...]required{
		{"examples", "examples", jsontok.Array}, {"inputModes", "input_modes", jsontok.Array}, {"outputModes", "output_modes", jsontok.Array},
	}
	capabilitiesMay = [...]required{{"extensions", "extensions", jsontok.Array}}
	requirementsMay = [...]required{
		{"security", "security", jsontok.Array}, {"securityRequirements", "security_requirements", jsontok.Array},
	}

	skillAlways  = [...]required{{"id", "id", jsontok.String}, {"name", "name", jsontok.String}}
	skillSince02 = [...]required{{"description", "description", jsontok.String}, {"tags", "tags", jsontok.Array}}
)

func cardMembers(p *pass, n jsontok.Node) {
	lists := [][]required{cardAlways[:]}
	skill := [][]required{skillAlways[:]}
	if p.in != onV01 && p.in != onUnknown {
		lists, skill = append(lists, cardSince02[:]), append(skill, skillSince02[:])
	}
	switch {
	case p.in == onV10 && !get(n, "url").Exists():
		lists = append(lists, cardSince10[:])
	case p.in != onV10 && p.in != onUnknown:
		lists = append(lists, cardBefore10[:])
	}
	p.members(n, "The card", lists)
	p.types(n, cardMay[:])
	p.requirements(n)
	for s := range get(n, "skills").Elems() {
		if s.Kind() != jsontok.Object {
			p.note(s, "The skill is "+kindName(s.Kind())+", not an object")
			continue
		}
		p.members(s, "The skill", skill)
		p.types(s, skillMay[:])
		p.requirements(s)
	}
	for e := range either(n, "additionalInterfaces", "additional_interfaces").Elems() {
		p.members(e, "The interface", [][]required{interfaceMembers03[:]})
	}
	p.types(get(n, "capabilities"), capabilitiesMay[:])
	p.booleans(n, "supportsAuthenticatedExtendedCard")
	p.booleans(get(n, "capabilities"), "streaming", "pushNotifications", "stateTransitionHistory", "extendedAgentCard")
	if v := get(n, "provider"); v.Kind() == jsontok.Object && p.in != onV01 {
		p.members(v, "The provider", [][]required{providerMembers[:]})
	}
	for e := range get(get(n, "capabilities"), "extensions").Elems() {
		p.members(e, "The extension", [][]required{extensionMembers[:]})
	}
	for name, v := range either(n, "securitySchemes", "security_schemes").Members() {
		if !p.schemeKnown(v) {
			p.note(v, "The security scheme “"+clip(name)+"” has no kind that "+p.dialect().Number()+" defines")
		}
	}
}

// Names of the kinds of security schemes: of their types up to 0.3 (specification 0.3
// §5.5.3), and of the members around them in 1.0 (§4.5.1).
var (
	schemeTypes    = [...]string{"apiKey", "http", "oauth2", "openIdConnect", "mutualTLS"}
	schemeWrappers = [...]string{
		"apiKeySecurityScheme", "httpAuthSecurityScheme", "oauth2SecurityScheme", "openIdConnectSecurityScheme", "mtlsSecurityScheme",
	}
)

// schemeKnown accepts both forms in a card of 1.0, which may be one of both versions.
func (p *pass) schemeKnown(n jsontok.Node) bool {
	if slices.Contains(schemeTypes[:], get(n, "type").Text()) {
		return true
	}
	return p.in&(onV10|onUnknown) != 0 && n.GetAny(schemeWrappers[:]...).Kind() == jsontok.Object
}

// members reports what an object lacks, in one finding, and every wrong type in its own. In the
// JSON of protocol buffers an absent list is an empty one, so 1.0 may omit it without being
// unreadable.
func (p *pass) members(n jsontok.Node, what string, lists [][]required) {
	var missing []string
	severity := a2a.Warning
	for _, list := range lists {
		for _, m := range list {
			if either(n, m.name, m.snake).Exists() {
				continue
			}
			missing = append(missing, m.name)
			if p.in != onV10 || m.kind != jsontok.Array || m.name == "supportedInterfaces" {
				severity = a2a.Error
			}
		}
		p.types(n, list)
	}
	if len(missing) > 0 {
		p.noteAs(severity, n, what+" has no “"+strings.Join(missing, "”, “")+"”")
	}
}

// types reports the members of an object that have another type.
func (p *pass) types(n jsontok.Node, list []required) {
	for _, m := range list {
		if v := either(n, m.name, m.snake); v.Exists() && v.Kind() != m.kind {
			p.note(v, "“"+m.name+"” is "+kindName(v.Kind())+", not "+kindName(m.kind))
		}
	}
}

// requirements reports security requirements of a card or a skill that are no list of objects: a client may then
// take the agent for one that needs no credentials.
func (p *pass) requirements(n jsontok.Node) {
	p.types(n, requirementsMay[:])
	for _, m := range requirementsMay {
		for alternative := range either(n, m.name, m.snake).Elems() {
			if alternative.Kind() != jsontok.Object {
				p.note(alternative, "The requirement in “"+m.name+"” is "+kindName(alternative.Kind())+", not an object")
			}
		}
	}
}
