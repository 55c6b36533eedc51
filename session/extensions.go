package session

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"parley/a2a"
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
	Asked, Active []string
	Record        a2a.RecordID // the head of the answer, 0 if there was none
}

// None reports whether extensions were neither asked for nor named.
func (x *Activation) None() bool { return len(x.Asked) == 0 && len(x.Active) == 0 }

// SetExtensions sets which extensions requests to an agent ask for, by their URIs, in the
// header of the dialect; an empty list asks for none. URIs that a header cannot carry are
// omitted, see [a2a.CheckExtension].
func (e *Engine) SetExtensions(agent a2a.AgentID, uris []string) {
	e.mu.Lock()
	a := e.agents[agent]
	if a != nil {
		a.extensions = sendable(uris)
	}
	e.mu.Unlock()
	if a != nil {
		e.extending(a)
	}
}

// only makes the requests of a turn ask for other extensions than the agent's, unless they are
// nil. The agent is the turn's own copy.
func (a *remote) only(uris []string) {
	if uris != nil {
		a.extensions = sendable(uris)
	}
}

// sendable returns the URIs that can be requested, without repetitions and at most as many as a
// head can carry; it is never nil.
func sendable(uris []string) []string {
	out := make([]string, 0, len(uris))
	for _, uri := range uris {
		if len(out) < a2a.MaxExtensions && a2a.CheckExtension(uri) == "" && !slices.Contains(out, uri) {
			out = append(out, uri)
		}
	}
	return out
}

// extending records which extensions an agent's requests ask for.
func (e *Engine) extending(a *remote) {
	e.mu.Lock()
	attrs := map[string]string{
		attrAgent: strconv.FormatUint(uint64(a.id), 10), attrRef: a2a.MaskReference(a.ref),
		attrSentence: "none are asked for any more",
	}
	if len(a.extensions) > 0 {
		attrs[attrSentence] = "asked for from now on: " + strings.Join(a.extensions, ", ")
	}
	listed(attrs, attrExtensions, a.extensions)
	e.mu.Unlock()
	e.note(NoteExtensions, attrs)
}

// asks applies which extensions an agent's requests ask for.
func (s *State) asks(a *Agent, attr map[string]string) {
	a.Extensions.Chosen = nil
	_ = json.Unmarshal([]byte(attr[attrExtensions]), &a.Extensions.Chosen) // a hostile journal has none
	a.Extensions.Chosen = sendable(a.Extensions.Chosen)
	a.lacks()
}

// lacks computes which extensions the card requires that are not requested.
func (a *Agent) lacks() {
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

// activated notes which extensions an answer names as used.
func (s *State) activated(x *exchange, r *a2a.Record) {
	if r.Head == nil {
		return
	}
	now := Activation{Asked: x.asked, Active: a2a.ExtensionsIn(r.Head.Header), Record: r.ID}
	if now.None() {
		return
	}
	x.agent.Extensions.Activation = now
	if x.turn != nil {
		x.turn.Extensions = now
	}
}
