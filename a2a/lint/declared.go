package lint

import "parley/a2a"

// declared is what the newest card of an agent says, as far as its behaviour is
// compared with it.
type declared struct {
	known         bool
	name, version string
	streaming     a2a.Tri
	push          a2a.Tri
	required      []string // URIs of extensions that must be used
	// answers is the dialect in which the agent last answered a message, streamless the one
	// in which it has no method to stream one; 0 is none.
	answers, streamless scope
}

// declare remembers a public card. A list of cards is a registry, and which of them
// the agent is was not decided on the wire.
func (p *pass) declare() {
	if p.call.Op != a2a.OpCard || len(p.u.Events) != 1 || p.ev.Card == nil {
		return
	}
	c := p.ev.Card
	d := declared{known: true, name: c.Name, version: c.Version, streaming: c.Capabilities.Streaming, push: c.Capabilities.PushNotifications}
	for _, x := range c.Capabilities.Extensions {
		if x.Required && len(d.required) < maxHosts {
			d.required = append(d.required, x.URI)
		}
	}
	p.agent.declared = d
}
