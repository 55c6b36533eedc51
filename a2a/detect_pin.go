package a2a

import (
	"cmp"
	"slices"
	"strings"
)

// Pins are a user's decisions about how to talk to an agent. Detection decides what is empty;
// nothing overrides the rest.
type Pins struct {
	Dialect  DialectName `json:"dialect,omitempty"`
	Binding  Binding     `json:"binding,omitempty"`
	Endpoint string      `json:"endpoint,omitempty"`
	Tenant   string      `json:"tenant,omitempty"`
	// Prefer are bindings that the user prefers to the card's order, the best one first;
	// bindings that the card does not offer are skipped.
	Prefer []Binding `json:"prefer,omitempty"`
	// Headers are sent with every request. They are not kept in recordings, since
	// they may be secrets.
	Headers []HeaderPair `json:"-"`
	// APIKey is sent as the card requires, in place of that of [Options].
	APIKey string `json:"-"`
}

// Empty reports whether nothing is pinned that a profile shows.
func (p *Pins) Empty() bool {
	return p.Dialect == Unknown && p.Binding == "" && p.Endpoint == "" && p.Tenant == ""
}

// Fix reports whether the pins leave no other way to try: they name the dialect, or the binding and
// the endpoint.
func (p *Pins) Fix() bool {
	return p.Dialect != Unknown || p.Binding != "" && p.Endpoint != ""
}

// Allow reports whether a way agrees with what is pinned.
func (p *Pins) Allow(w Way) bool {
	d, b := w.Dialect.version()
	b = cmp.Or(b, w.Binding)
	return (p.Dialect == Unknown || p.Dialect == d) && (p.Binding == "" || p.Binding == b) &&
		(p.Endpoint == "" || p.Endpoint == w.Endpoint) && (p.Tenant == "" || p.Tenant == w.Tenant)
}

// Apply returns the profile with the pins in place of what was detected.
func (p *Pins) Apply(to Profile) Profile {
	to.Evidence = slices.Clone(to.Evidence)
	to.Warnings = slices.Clone(to.Warnings)
	pin := func(field, value string) {
		to.Evidence = slices.DeleteFunc(to.Evidence, func(e Evidence) bool { return e.Field == field && e.Confidence == Pinned })
		to.Evidence = append(to.Evidence, Evidence{Field: field, Value: value, Reason: "chosen by the user", Confidence: Pinned})
	}
	if p.Dialect != Unknown {
		to.Dialect = p.Dialect
		pin("dialect", string(p.Dialect))
	}
	if p.Binding != "" {
		to.Binding = p.Binding
		pin("binding", string(p.Binding))
	}
	if p.Endpoint != "" {
		to.Endpoint = p.Endpoint
		switch carried := carrierOf(p.Endpoint); {
		case p.Binding != "":
		case carried == "" && to.Binding == BindingMQTT: // away from the broker
			to.Binding, to.Dialect = BindingJSONRPC, V03
		case carried == "":
		case carried == BindingMQTT:
			to.Binding, to.Dialect = carried, overMQTT(to.Dialect)
		default:
			to.Binding = carried
		}
		pin("endpoint", p.Endpoint)
	}
	if p.Tenant != "" {
		to.Tenant = p.Tenant
		pin("tenant", p.Tenant)
	}
	if to.Endpoint == "" || to.Dialect == Unknown || p.Empty() {
		return to
	}
	to.Binding = cmp.Or(to.Binding, BindingJSONRPC)
	to.Problem = ""
	_, to.Problem = bindingFor(to)
	return to
}

// DetectAs is [Detect] with pins: it uses an interface of the card that agrees with them. If
// none does, it applies the pins to the interface that Detect finds, with a warning.
func DetectAs(card *Card, pins Pins) Profile {
	if IsMesh(card.SourceURL) && pins.Endpoint != "" && !IsMesh(pins.Endpoint) { // the user leaves the mesh
		elsewhere := *card
		elsewhere.SourceURL = ""
		card = &elsewhere
	}
	if pins.Binding == "" {
		for _, b := range pins.Prefer {
			liked := pins
			liked.Binding = b
			if q, ok := declared(card, &liked); ok {
				return liked.Apply(q)
			}
		}
	}
	p := Detect(card)
	if pins.Dialect == Unknown && pins.Binding == "" {
		return pins.Apply(p)
	}
	if q, ok := declared(card, &pins); ok {
		return pins.Apply(q)
	}
	if p.Endpoint == "" && pins.Endpoint == "" {
		return p
	}
	if pins.Dialect != Unknown && pins.Dialect != p.Dialect || p.Problem != "" {
		p.Warnings = append(p.Warnings, "The card does not offer A2A "+pins.Dialect.Number()+"; Parley uses it because you asked for it")
	}
	if pins.Binding != "" && pins.Binding != p.Binding {
		p.Warnings = append(p.Warnings, "The card does not offer "+pins.Binding.String()+"; Parley uses it because you asked for it")
	}
	return pins.Apply(p)
}

// declared detects among the interfaces that agree with what is pinned. A card of a mesh has one.
func declared(card *Card, pins *Pins) (Profile, bool) {
	if IsMesh(card.SourceURL) {
		p := Detect(card)
		return p, p.Problem == "" && (pins.Dialect == Unknown || overMQTT(pins.Dialect) == p.Dialect) && (pins.Binding == "" || pins.Binding == p.Binding)
	}
	only := *card
	only.Interfaces = nil
	all := detector{card: card, source: httpURL(card.SourceURL)}
	all.defaultDialect, all.defaultEvidence = all.guess()
	for i := range card.Interfaces {
		c := all.candidate(&card.Interfaces[i])
		if (pins.Dialect == Unknown || c.dialect == pins.Dialect) && (pins.Binding == "" || c.iface.Binding == pins.Binding) {
			only.Interfaces = append(only.Interfaces, card.Interfaces[i])
		}
	}
	if len(only.Interfaces) == 0 {
		return Profile{}, false
	}
	p := Detect(&only)
	return p, p.Problem == ""
}

// ParseDialect returns the dialect of a name that [Dialects] has, or of a version
// as [ParseVersion] reads it. Names such as "v0.3-rest" are a version and a binding
// in one; for all others the binding is empty.
func ParseDialect(name string) (DialectName, Binding, bool) {
	name = strings.ToLower(strings.TrimSpace(name))
	named := DialectName(name)
	if !slices.Contains(Dialects(), named) {
		d, ok := ParseVersion(name)
		return d, "", ok
	}
	if base, implied := named.version(); implied == BindingREST || implied == BindingGRPC {
		return base, implied, true
	}
	return named, "", true
}

// ParseVersion returns the dialect of a protocol version as users write it: "1.0", "v0.3",
// "0.2.6". It is false for versions that were never released or that Parley does not speak.
func ParseVersion(version string) (DialectName, bool) {
	d, ok := dialectOfVersion(version)
	if d == V10 {
		switch version {
		case "1", "v1", "1.0", "v1.0", "1.0.0", "v1.0.0":
		default:
			return Unknown, false
		}
	}
	return d, ok
}
