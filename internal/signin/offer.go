package signin

import (
	"slices"
	"strings"

	"parley/a2a"
	"parley/a2a/challenge"
)

// A Source is who asks for credentials.
type Source uint8

// The sources of an [Offer].
const (
	FromCard   Source = iota // the card requires or declares it
	FromSkill                // a skill of the card requires it
	FromAnswer               // the agent's refusal asks for it (WWW-Authenticate)
	FromUser                 // nobody asks for it, but the agent may accept it
)

// An Offer is a way to sign in, and who asks for it.
type Offer struct {
	Way    Way
	Source Source
	Skill  string // of [FromSkill]
}

// Offers returns the ways to sign in to an agent: those of its card and its skills, those that its
// refusal asks for besides, and what may be entered anyway. A way with the scheme of the refusal
// comes before the others.
func Offers(c *a2a.Card, refusal []challenge.Challenge) []Offer {
	var all []Offer
	for _, way := range Ways(c) {
		all = append(all, Offer{Way: way})
	}
	all = append(all, skillOffers(c)...)
	for _, way := range Demanded(refusal) {
		if !slices.ContainsFunc(all, func(o Offer) bool {
			return len(o.Way) == 1 && o.Way[0].Kind.answers(way[0].Kind) && (way[0].Kind != Unsupported || strings.EqualFold(o.Way[0].Scheme.Scheme, way[0].Scheme.Scheme))
		}) {
			all = append(all, Offer{Way: way, Source: FromAnswer})
		}
	}
	asked := Demanded(refusal)
	slices.SortStableFunc(all, func(a, b Offer) int { return a.rank(asked) - b.rank(asked) })
	for _, step := range []Step{
		{Kind: Bearer, Scheme: a2a.SecurityScheme{Type: "http", Scheme: "Bearer"}},
		{Kind: Basic, Scheme: a2a.SecurityScheme{Type: "http", Scheme: "Basic"}},
	} {
		if !slices.ContainsFunc(all, func(o Offer) bool { return len(o.Way) == 1 && o.Way[0].Kind == step.Kind }) {
			all = append(all, Offer{Way: Way{step}, Source: FromUser})
		}
	}
	return all
}

// skillOffers returns the ways that skills require besides those of the card.
func skillOffers(c *a2a.Card) (all []Offer) {
	if c == nil {
		return nil
	}
	for i := range c.Skills {
		s := &c.Skills[i]
		if len(s.Security) == 0 || len(all) >= maxWays {
			continue
		}
		of := *c
		of.Security = s.Security
		for _, way := range Ways(&of) {
			all = append(all, Offer{Way: way, Source: FromSkill, Skill: printable(s.Name)})
		}
	}
	return all[:min(len(all), maxWays)]
}

// answers reports whether credentials of a kind satisfy who asks for those of another one: a token of
// OAuth is a bearer token.
func (k Kind) answers(asked Kind) bool {
	return k == asked || asked == Bearer && slices.Contains([]Kind{AuthorizationCode, DeviceCode, ClientSecret}, k)
}

// rank orders offers: those that Parley can take and the refusal asks for, then others, then those
// that it cannot take.
func (o *Offer) rank(asked []Way) int {
	switch {
	case o.Way.Problem() != "":
		return 2
	case len(asked) == 0, slices.ContainsFunc(o.Way, func(s Step) bool {
		return slices.ContainsFunc(asked, func(w Way) bool { return s.Kind.answers(w[0].Kind) })
	}):
		return 0
	}
	return 1
}

// Problem says in a clause why Parley cannot take a way, empty if it can. A client certificate beside
// other steps is presented by the connection, if the user gives one.
func (w Way) Problem() string {
	for _, s := range w {
		switch {
		case s.Kind == Unsupported:
			return s.Why
		case s.Kind == Certificate && len(w) == 1:
			return "it asks for a client certificate, which --cert FILE presents"
		}
	}
	return ""
}
