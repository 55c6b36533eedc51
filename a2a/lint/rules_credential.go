package lint

import (
	"fmt"
	"iter"
	"net/url"
	"slices"
	"strings"
	"time"

	"parley/a2a"
	"parley/a2a/jsontok"
)

// A sender is who sent a credential first, and to whom.
type sender struct {
	agent  a2a.AgentID
	origin string
	record a2a.RecordID
}

// credentials yields what was masked in a request as a credential of its sender, once for each
// value. The secrets of webhooks are not for the agent.
func (p *pass) credentials() iter.Seq[*a2a.Redaction] {
	return func(yield func(*a2a.Redaction) bool) {
		var seen []string
		for i := range p.r.Redactions {
			gone := &p.r.Redactions[i]
			same := gone.SameCredential()
			if same == "" || strings.HasPrefix(gone.Name, "push ") || slices.Contains(seen, same) {
				continue
			}
			if seen = append(seen, same); len(seen) > maxPerRecord || !yield(gone) {
				return
			}
		}
	}
}

// inHead returns a credential of the head of a request by the name of its header or parameter.
func (p *pass) inHead(name string) *a2a.Redaction {
	for i := range p.r.Redactions {
		if strings.EqualFold(p.r.Redactions[i].Name, name) {
			return &p.r.Redactions[i]
		}
	}
	return nil
}

// serves reports whether a request needs credentials: all do but those for the public card.
func (p *pass) serves() bool {
	return p.out() && p.call.Op != a2a.OpCard && p.call.Op != a2a.OpCatalog && p.call.Op != a2a.OpArtifact && p.call.Op != ""
}

func hasCredential(p *pass, _ jsontok.Node) {
	d := &p.agent.declared
	if !d.known || len(d.security) == 0 || !p.serves() || slices.ContainsFunc(d.security, p.meets) {
		return
	}
	var missing []string
	for _, requirement := range d.security {
		if name := requirementName(requirement); !slices.Contains(missing, name) {
			missing = append(missing, name)
		}
	}
	if p.firstOf("") {
		p.note(jsontok.Node{}, "The card requires "+clip(strings.Join(missing, " or "))+"; the request does not have it")
	}
}

// requirementName names the schemes of a requirement.
func requirementName(requirement a2a.SecurityRequirement) string {
	var names []string
	for _, s := range requirement {
		names = append(names, s.Scheme)
	}
	return strings.Join(names, " and ")
}

// meets reports whether a request has the credentials of a requirement, as far as that can be seen.
func (p *pass) meets(requirement a2a.SecurityRequirement) bool {
	for _, named := range requirement {
		i := slices.IndexFunc(p.agent.declared.schemes, func(s a2a.SecurityScheme) bool { return s.Key == named.Scheme })
		if i >= 0 && !p.carriesScheme(&p.agent.declared.schemes[i]) {
			return false
		}
	}
	return true
}

// carriesScheme reports whether a request has a credential of a scheme. That of mutual TLS is not in
// the request.
func (p *pass) carriesScheme(s *a2a.SecurityScheme) bool {
	h := p.header()
	switch s.Type {
	case "apiKey":
		switch s.In {
		case "query":
			u, err := url.Parse(p.r.Head.URL)
			return err != nil || u.Query().Has(s.Name)
		case "cookie":
			return h.Get("Cookie") != ""
		default:
			return s.Name == "" || h.Get(s.Name) != ""
		}
	case "http", "oauth2", "openIdConnect", "legacy":
		scheme := strings.ToLower(s.Scheme)
		if s.Type == "oauth2" || s.Type == "openIdConnect" {
			scheme = "bearer"
		}
		return h.Get("Authorization") != "" && p.schemeSent(scheme) || s.Type == "legacy" && p.hasCredentials()
	default:
		return true
	}
}

// schemeSent reports whether the header Authorization may have a scheme.
func (p *pass) schemeSent(scheme string) bool {
	gone := p.inHead("header Authorization")
	return gone == nil || gone.Credential == nil || gone.Credential.Scheme == "" || scheme == "" || gone.Credential.Scheme == scheme ||
		gone.Credential.Scheme == "dpop" && scheme == "bearer"
}

func (p *pass) hasCredentials() bool {
	for range p.credentials() {
		return true
	}
	return false
}

func credentialInURL(p *pass, _ jsontok.Node) {
	for gone := range p.credentials() {
		name, ok := strings.CutPrefix(gone.Name, "query ")
		if !ok && gone.Name != "in the URL" && gone.Name != "password in the URL" && gone.Name != "user in the URL" {
			continue
		}
		asked := slices.ContainsFunc(p.agent.declared.schemes, func(s a2a.SecurityScheme) bool {
			return s.Type == "apiKey" && s.In == "query" && s.Name == name
		})
		if !asked && p.firstOf(gone.Name) {
			p.note(jsontok.Node{}, "The URL has a credential: "+clip(gone.Name))
		}
	}
}

// onlyOneOrigin reports a credential that one agent got before another. A token whose audience
// has this agent, or that names several, is meant for it.
func onlyOneOrigin(p *pass, _ jsontok.Node) {
	origin := a2a.Origin(p.call.Endpoint)
	for gone := range p.credentials() {
		same := gone.SameCredential()
		first, known := p.l.credentials.get(same)
		if !known {
			p.l.credentials.put(same, sender{p.call.Agent, origin, p.r.ID})
			continue
		}
		if first.agent == p.call.Agent || first.origin != "" && first.origin == origin || p.meantFor(gone) || !p.firstOf(same) {
			continue
		}
		p.note(jsontok.Node{}, fmt.Sprintf("The credential (%s) was sent to %s before (#%d)", clip(gone.Name), p.agentName(first.agent, first.origin), first.record))
	}
}

// agentName names another agent of the session.
func (p *pass) agentName(id a2a.AgentID, origin string) string {
	if a := p.l.agents[id]; a != nil && a.declared.name != "" {
		return "“" + clip(a.declared.name) + "”"
	}
	if origin == "" {
		return "another agent"
	}
	return clip(origin)
}

// meantFor reports whether the audience of a token has the agent, or has several members, of which
// it cannot be known whom they mean.
func (p *pass) meantFor(gone *a2a.Redaction) bool {
	token := tokenOf(gone)
	return token != nil && (len(token.Audience) > 1 || slices.ContainsFunc(token.Audience, p.agent.isNamed))
}

func tokenOf(gone *a2a.Redaction) *a2a.TokenClaims {
	if gone.Credential == nil {
		return nil
	}
	return gone.Credential.Token
}

// tokens yields the credentials of a request that are tokens, with what these say.
func (p *pass) tokens() iter.Seq2[*a2a.Redaction, *a2a.TokenClaims] {
	return func(yield func(*a2a.Redaction, *a2a.TokenClaims) bool) {
		for gone := range p.credentials() {
			if token := tokenOf(gone); token != nil && !yield(gone, token) {
				return
			}
		}
	}
}

// isNamed reports whether an audience names the agent: an address of it, its host, its name, or that of
// its tap.
func (a *agent) isNamed(audience string) bool {
	if audience == "" {
		return false
	}
	if a.declared.known && strings.EqualFold(audience, a.declared.name) || strings.EqualFold(audience, a.tap) {
		return true
	}
	origin := a2a.Origin(audience)
	for _, own := range a.origins {
		_, host, _ := strings.Cut(own, "://")
		if origin == own || origin == "" && strings.EqualFold(strings.TrimRight(audience, "/"), host) {
			return true
		}
	}
	return false
}

// tokenAudience reports a token that names another agent of the session, and not this one. What
// another audience means cannot be known.
func tokenAudience(p *pass, _ jsontok.Node) {
	for gone, token := range p.tokens() {
		if slices.ContainsFunc(token.Audience, p.agent.isNamed) {
			continue
		}
		for _, audience := range token.Audience {
			if !p.namesOther(audience) || !p.firstOf(gone.SameCredential()) {
				continue
			}
			p.note(jsontok.Node{}, "The token ("+clip(gone.Name)+") was issued for "+clip(audience)+", which is another agent")
		}
	}
}

// namesOther reports whether an audience names another agent of the session.
func (p *pass) namesOther(audience string) bool {
	return slices.ContainsFunc(p.l.tapped, func(a *agent) bool { return a != p.agent && a.isNamed(audience) })
}

// skew is by how much two clocks may differ.
const skew = 60 * time.Second

func tokenTime(p *pass, _ jsontok.Node) {
	for gone, token := range p.tokens() {
		expires, begins := time.Unix(token.Expires, 0), time.Unix(token.NotBefore, 0)
		fault := ""
		switch {
		case token.Expires != 0 && p.r.Time.Sub(expires) > skew:
			fault = "expired at " + expires.UTC().Format(time.RFC3339)
		case token.NotBefore != 0 && begins.Sub(p.r.Time) > skew:
			fault = "is valid only from " + begins.UTC().Format(time.RFC3339) + " on"
		}
		if fault != "" && p.firstOf(gone.SameCredential()) {
			p.note(jsontok.Node{}, "The token ("+clip(gone.Name)+") "+fault)
		}
	}
}
