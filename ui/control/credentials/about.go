package credentials

import (
	"net/http"
	"strings"

	"parley/a2a"
	"parley/a2a/challenge"
	"parley/session/model"
	"parley/ui/control"
	"parley/ui/credentials"
)

// about returns what the sheet shows.
func (c *Controller) about() credentials.About {
	a := c.host.Agent()
	if a == nil {
		return credentials.About{Why: "No agent is open."}
	}
	about := credentials.About{Agent: a.Name(), Card: a.Card, Origin: originOf(a)}
	if about.Why = control.Refusal(c.host); about.Why != "" {
		return about
	}
	pins := c.host.Engine().Pins(a.ID)
	for _, h := range pins.Headers {
		about.Set = append(about.Set, credentials.Entry{Name: h.Name, Value: maskedValue(h)})
	}
	if pins.APIKey != "" {
		about.Set = append(about.Set, credentials.Entry{Name: "API key", Value: a2a.Mask})
	}
	return about
}

// challengeSchemes returns the schemes in the newest 401 of an agent, nil if there is none among the
// newest records.
func (c *Controller) challengeSchemes(agent a2a.AgentID) []string {
	const newest = 200 // records
	log := c.host.State().Log
	for id := a2a.RecordID(log.Len()); id > 0 && int(id) > log.Len()-newest; id-- {
		it := log.At(id)
		if it == nil {
			continue
		}
		r := &it.Record
		if r.Kind == a2a.KindHead && r.Head != nil && r.Head.Status == http.StatusUnauthorized && r.Call != nil && r.Call.Agent == agent {
			return challenge.Schemes(r.Head.Header)
		}
	}
	return nil
}

// maskedValue returns the value of a header as it may be shown: with the scheme before the mask
// if it is a common one.
func maskedValue(h a2a.HeaderPair) string {
	if a2a.PublicNames(nil).Has(h.Name) || h.Public {
		return h.Value
	}
	if scheme, _, ok := strings.Cut(h.Value, " "); ok && (strings.EqualFold(scheme, "bearer") || strings.EqualFold(scheme, "basic")) {
		return scheme + " " + a2a.Mask
	}
	return a2a.Mask
}

// originOf returns the origin of an agent's requests, empty if unknown.
func originOf(a *model.Agent) string {
	if origin := a2a.ShownOrigin(a.Profile.Endpoint); origin != "" {
		return origin
	}
	return a2a.ShownOrigin(a.Ref)
}
