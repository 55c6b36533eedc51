package lint

import (
	"fmt"
	"slices"

	"parley/a2a"
	"parley/a2a/jsontok"
)

// declared is what the newest card of an agent declares, as far as its behaviour is compared
// with it.
type declared struct {
	known         bool
	name, version string
	streaming     a2a.Tri
	push          a2a.Tri
	required      []string // URIs of extensions that must be used
	extensions    []string // URIs of all extensions
	schemes       []a2a.SecurityScheme
	security      []a2a.SecurityRequirement // alternatives
	versions      []string                  // of A2A, the chosen interface's first; empty if the card names none
	record        a2a.RecordID
	compared      bool // a message was answered, and the versions were compared
	refused       bool // the agent answered a message in a way of the card with an error of its own
	// answers is the dialect in which the agent last answered a message, streamless the one
	// in which it has no method to stream one; 0 is none.
	answers, streamless scope
}

// declare remembers a public card. A list of cards is a registry, and the wire does not show
// which of them the agent is.
func (p *pass) declare() {
	if p.call.Op != a2a.OpCard || len(p.u.Events) != 1 || p.ev.Card == nil {
		return
	}
	c := p.ev.Card
	d := declared{known: true, name: c.Name, version: c.Version, streaming: c.Capabilities.Streaming, push: c.Capabilities.PushNotifications}
	d.record = p.r.ID
	if profile := a2a.Detect(c); profile.Claim != "" {
		d.versions = append(d.versions, profile.Claim)
		for _, w := range profile.Alternatives {
			d.versions = append(d.versions, w.Dialect.Number())
		}
	}
	if slices.Equal(d.versions, p.agent.declared.versions) {
		d.compared, d.refused = p.agent.declared.compared, p.agent.declared.refused
	}
	d.schemes, d.security = c.SecuritySchemes[:min(len(c.SecuritySchemes), maxHosts)], c.Security[:min(len(c.Security), maxHosts)]
	for _, x := range c.Capabilities.Extensions {
		if len(d.extensions) < maxHosts {
			d.extensions = append(d.extensions, x.URI)
		}
		if x.Required && len(d.required) < maxHosts {
			d.required = append(d.required, x.URI)
		}
	}
	p.agent.declared = d
	if p.call.Tapped == nil {
		return
	}
	for i := range c.Interfaces {
		p.agent.addOrigin(c.Interfaces[i].URL)
	}
}

// refuse remembers that the agent refused a message in a way of the card by an error of A2A. A server
// without such a path has not answered for the agent, and an error that demands the version of the request
// is about a header that was lost.
func (p *pass) refuse() {
	e := p.ev.Err
	if e == nil || !p.messages() || p.call.Raw || e.Code == 0 && e.Reason == "" || !p.agent.declared.names(p.call.Dialect) {
		return
	}
	if e.Name != "VersionNotSupportedError" || len(p.u.Saw) > 0 {
		p.agent.declared.refused = true
	}
}

// declaredVersion compares the version of the first answered message with those that the card
// names. What answers a guess proves nothing about the ways of the card unless the agent refused one.
func declaredVersion(p *pass, _ jsontok.Node) {
	d := &p.agent.declared
	if d.compared || p.ev == nil || p.ev.Err != nil || p.ev.Kind == a2a.EventUnknown || p.call.Raw || !p.messages() {
		return
	}
	if p.call.Guess && !d.refused {
		return
	}
	d.compared = true
	if len(d.versions) > 0 && !d.names(p.call.Dialect) {
		p.note(jsontok.Node{}, fmt.Sprintf("The card says A2A %s (#%d), but this answers a message of %s (#%d)",
			clip(d.versions[0]), d.record, p.call.Dialect.Number(), p.r.ID))
	}
}

// names reports whether the card names the version of a dialect.
func (d *declared) names(dialect a2a.DialectName) bool {
	return slices.ContainsFunc(d.versions, func(v string) bool { return onTheWire(v) == onTheWire(dialect.Number()) })
}

// onTheWire returns the version under which messages look alike: an answer does not distinguish
// 0.2 from 0.3.
func onTheWire(version string) string {
	if version == "0.2" {
		return "0.3"
	}
	return version
}
