package engine

import (
	"cmp"
	"slices"
	"strings"

	"parley/a2a"
)

// Pin sets how to speak to an agent; the zero pins leave everything to detection. Nothing
// overrides a pin, and it is tried even if detection found no way. An agent that is still being
// discovered applies it when its card has come.
func (e *Engine) Pin(agent a2a.AgentID, pins a2a.Pins) {
	e.mu.Lock()
	a := e.agents[agent]
	if a == nil || a.tapped {
		e.mu.Unlock()
		return
	}
	others := !slices.Equal(a.pins.Headers, pins.Headers) || a.pins.APIKey != pins.APIKey
	e.mu.Unlock()
	e.pin(agent, pins, others)
}

// RefreshCredentials makes later requests to an agent carry the credentials that its client's
// options have now: the user has signed in or out. Requests under way keep theirs.
func (e *Engine) RefreshCredentials(agent a2a.AgentID) {
	if e.agent(agent) != nil {
		e.pin(agent, e.Pins(agent), true)
	}
}

// pin sets the pins of an agent and makes its client again, with other credentials or not.
func (e *Engine) pin(agent a2a.AgentID, pins a2a.Pins, others bool) {
	e.mu.Lock()
	a := e.agents[agent]
	if a == nil {
		e.mu.Unlock()
		return
	}
	a.pins = pins
	a.pinned++
	if others {
		e.mu.Unlock()
		e.usePublicCard(agent, "The credentials have changed; Parley uses the public card again.")
		e.mu.Lock()
	}
	settled := false
	select {
	case <-a.opened:
		settled = true
	default:
	}
	p := pins.Apply(a2a.Profile{Endpoint: a.endpoint})
	switch {
	case a.card != nil:
		p = a2a.DetectAs(a.card, pins)
	case pins.Dialect == a2a.Unknown && a.profile.Dialect != a2a.Unknown:
		p = pins.Apply(a.profile)
	}
	if settled {
		a.applied = a.pinned
	}
	p = a.withProvenWay(p)
	moved := p.Endpoint != "" && p.Endpoint != a.profile.Endpoint
	if moved {
		a.stopWatch() // that was for the agent's old address
	}
	e.mu.Unlock()
	if settled {
		e.change(a, p, nil, 0, failure{})
	}
	switch {
	case !settled || !moved:
	case p.Dialect == a2a.Unknown:
		e.ProbeDialect(agent)
	default:
		host := dialAddress(p.Endpoint)
		e.start(func() { e.watchIfGone(a, host) })
	}
	if settled && others {
		e.identify(agent)
	}
}

// Pins returns what is pinned for an agent.
func (e *Engine) Pins(agent a2a.AgentID) a2a.Pins {
	e.mu.Lock()
	defer e.mu.Unlock()
	if a := e.agents[agent]; a != nil {
		return a.pins
	}
	return a2a.Pins{}
}

// speak makes the client for a profile. The caller holds the engine's lock.
func (e *Engine) speak(a *remote, p a2a.Profile) {
	if a.client != nil {
		a.client.Close()
	}
	if a.held != "" {
		p.Problem = a.held
	}
	a.profile, a.client = p, nil
	a.profile.Cautions = nil
	if a.held != "" { // not even whether somebody listens there is tried
		return
	}
	if p.Endpoint != "" {
		a.dial = p.Endpoint
	}
	if p.Problem == "" && p.Endpoint != "" && p.Dialect != a2a.Unknown {
		o := e.clientOptions(a)
		a.profile.ArtifactGateway = o.ArtifactGateway != "" && p.Binding == a2a.BindingMQTT
		a.client = a2a.NewClient(p, a.card, o)
		a.profile.Cautions = a.client.Cautions(cmp.Or(a.cardOrigin, a.origin))
		if !a.confirms(p.Endpoint) {
			a.profile.Cautions = append(a.profile.Cautions, unconfirmedSentence(p.Endpoint))
		}
	}
}

// clientOptions returns the options of an agent's client: origins in its reference and in a pin
// count as named by the user. The caller holds the engine's lock.
func (e *Engine) clientOptions(a *remote) a2a.Options {
	o := e.options(a)
	o.UserAddresses = slices.Clone(o.UserAddresses)
	for _, named := range []string{a.origin, a.pins.Endpoint} {
		if named != "" {
			o.UserAddresses = append(o.UserAddresses, named)
		}
	}
	o.CardOrigin = a.cardOrigin
	o.Headers = withPins(o.Headers, a.pins.Headers)
	if a.pins.APIKey != "" {
		o.APIKey, o.KeyIn, o.KeyName = a.pins.APIKey, "", ""
	}
	o.Everywhere = a.everywhere
	if o.Card = a.card; a.found != nil && a.index < len(a.found.Cards) {
		o.Card = a.found.Cards[a.index]
	}
	return o
}

// withPins returns headers in which the pinned ones replace others of the same names.
func withPins(headers, pinned []a2a.HeaderPair) []a2a.HeaderPair {
	list := slices.DeleteFunc(slices.Clone(headers), func(h a2a.HeaderPair) bool {
		return slices.ContainsFunc(pinned, func(p a2a.HeaderPair) bool { return strings.EqualFold(p.Name, h.Name) })
	})
	for _, p := range pinned {
		p.Pinned = true
		list = append(list, p)
	}
	return list
}
