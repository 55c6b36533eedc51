package model

import (
	"encoding/json"
	"slices"

	"parley/a2a"
	"parley/session/log"
)

// Extensions are what is known of the protocol extensions that an agent's requests ask for.
type Extensions struct {
	// Chosen are the URIs that each request to the agent names.
	Chosen []string
	// Missing are those that the card requires and that are not chosen, or cannot be.
	Missing []string
	Activation
}

// An Activation is what a request asked for, and which of that its answer names as used. A2A
// 1.0 does not require an agent to name them.
type Activation struct {
	Requested, Active []string
	Record            a2a.RecordID // the head of the answer, 0 if there was none
}

// None reports whether extensions were neither asked for nor named.
func (x *Activation) None() bool { return len(x.Requested) == 0 && len(x.Active) == 0 }

// ValidExtensions returns the URIs that can be requested, without repetitions and at most as many
// as a head can carry; it is never nil.
func ValidExtensions(uris []string) []string {
	out := make([]string, 0, len(uris))
	for _, uri := range uris {
		if len(out) < a2a.MaxExtensions && a2a.CheckExtension(uri) == "" && !slices.Contains(out, uri) {
			out = append(out, uri)
		}
	}
	return out
}

// applyExtensions applies which extensions an agent's requests ask for.
func (s *State) applyExtensions(a *Agent, attr map[string]string) {
	a.Extensions.Chosen = nil
	_ = json.Unmarshal([]byte(attr[log.AttrExtensions]), &a.Extensions.Chosen) // a hostile journal has none
	a.Extensions.Chosen = ValidExtensions(a.Extensions.Chosen)
	a.findMissing()
}

// findMissing computes which extensions the card requires that are not requested.
func (a *Agent) findMissing() {
	a.Extensions.Missing = nil
	if a.Card == nil {
		return
	}
	for i := range a.Card.Capabilities.Extensions {
		x := &a.Card.Capabilities.Extensions[i]
		if x.Required && !slices.Contains(a.Extensions.Chosen, x.URI) && !slices.Contains(a.Extensions.Missing, x.URI) {
			a.Extensions.Missing = append(a.Extensions.Missing, x.URI)
		}
	}
}

// noteActivated notes which extensions an answer names as used.
func (s *State) noteActivated(x *exchange, r *a2a.Record) {
	if r.Head == nil {
		return
	}
	now := Activation{Requested: x.extensions, Active: a2a.ExtensionsIn(r.Head.Header), Record: r.ID}
	if now.None() {
		return
	}
	x.agent.Extensions.Activation = now
	if x.turn != nil {
		x.turn.Extensions = now
	}
}
