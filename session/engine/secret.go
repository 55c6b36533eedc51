package engine

import (
	"slices"
	"strings"

	"parley/a2a"
)

// maskProfile returns a profile of an agent as it is recorded and shown: without the values of
// parameters in an endpoint that the user named.
func (a *remote) maskProfile(p a2a.Profile) a2a.Profile {
	plain := p.Endpoint
	if plain == "" {
		return p
	}
	p.Endpoint = a2a.MaskURL(plain)
	if plain == a.pins.Endpoint || plain == a.endpoint {
		p.Endpoint = a2a.MaskReference(plain)
	}
	if p.Endpoint == plain {
		return p
	}
	p.Evidence = slices.Clone(p.Evidence)
	for i := range p.Evidence {
		ev := &p.Evidence[i]
		ev.Value, ev.Reason = strings.ReplaceAll(ev.Value, plain, p.Endpoint), strings.ReplaceAll(ev.Reason, plain, p.Endpoint)
	}
	return p
}
