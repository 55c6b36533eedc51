package engine

import (
	"encoding/json"
	"net/http"
	"slices"

	"parley/a2a"
	"parley/session/log"
	"parley/session/problem"
)

// ExtendedCard requests the card that an agent shows to authenticated callers (specification
// 0.3.0 §7.10, 1.0 §3.1.11). It comes as an event of the turn and replaces the public card
// until the login ends: the credentials change or are rejected, the agent is discovered again,
// or [Engine.PublicCard] is called.
func (e *Engine) ExtendedCard(agent a2a.AgentID) a2a.TurnID {
	return e.operate(agent, "", 0, a2a.OpExtendedCard, a2a.Request{}, false)
}

// Authenticated reports whether requests to an agent carry credentials.
func (e *Engine) Authenticated(agent a2a.AgentID) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	a := e.agents[agent]
	return a != nil && a.client != nil && a.client.Authenticated()
}

// PublicCard restores the public card of an agent after its extended one.
func (e *Engine) PublicCard(agent a2a.AgentID) {
	e.usePublicCard(agent, "Parley uses the public card again; no request was sent.")
}

// identify requests the extended card without the user.
func (e *Engine) identify(id a2a.AgentID) {
	e.mu.Lock()
	a := e.agents[id]
	ask := e.o.Extended && a != nil && a.identifies()
	e.mu.Unlock()
	if ask {
		e.ExtendedCard(id)
	}
}

// identifies reports whether the extended card is requested without the user: the card declares one, which
// is not in use, and credentials are set. The engine's lock is held.
func (a *remote) identifies() bool {
	if a.client == nil || a.card == nil || a.extended || a.card.Capabilities.ExtendedAgentCard != a2a.True ||
		!a.client.Authenticated() || !a.confirms(a.profile.Endpoint) {
		return false
	}
	d, known := a.profile.Spoken()
	return known && d.Supports(a2a.OpExtendedCard)
}

// applyExtendedCard takes the result of a request for the extended card, and says why there is
// none. The agent is a copy from the time of the request.
func (e *Engine) applyExtendedCard(a *remote, call *a2a.Call, out *a2a.Answer, f failure) failure {
	card := log.CardIn(&out.Last, "")
	switch {
	case f.sentence == "" && card != nil && e.useExtendedCard(a, card, out.Record()):
		return f
	case f.sentence == "" && card != nil:
		f = failure{sentence: "The way to speak to the agent changed during the request for its extended card; ask again.", class: problem.ClassStopped}
	case f.sentence == "":
		f = failure{sentence: "The agent answered without a card.", class: problem.ClassDecode}
	default:
		f.sentence = e.describeRefusal(call, out, f)
	}
	e.note(log.NoteExtendedCard, map[string]string{
		log.AttrAgent: log.IDText(call.Agent), log.AttrSentence: f.sentence, log.AttrClass: f.class,
	})
	return f
}

// describeRefusal tells the user why an agent did not show its extended card.
func (e *Engine) describeRefusal(call *a2a.Call, out *a2a.Answer, f failure) string {
	e.mu.Lock()
	declared, known := false, false
	if a := e.agents[call.Agent]; a != nil {
		declared = a.card != nil && a.card.Capabilities.ExtendedAgentCard == a2a.True
		known = a.client != nil && a.client.Authenticated()
	}
	e.mu.Unlock()
	rpc := rpcError(out.Err)
	switch {
	case f.class == a2a.ClassNoCredentials && known: // they are not for this card
		return "The extended card requires credentials. " + f.sentence
	case f.class == a2a.ClassNoCredentials, rpc.AsksCredentials() && !known:
		return "The extended card requires credentials, and none are set. " + f.sentence
	case f.class == a2a.ClassAuth, rpc.AsksCredentials():
		return "The agent does not show its extended card for these credentials. " + f.sentence
	case rpc == nil:
		return f.sentence
	}
	switch rpc.Name {
	case "ExtendedAgentCardNotConfiguredError", "AuthenticatedExtendedCardNotConfiguredError",
		"MethodNotFoundError", "UnsupportedOperationError", "OperationNotSupportedError":
		if declared {
			return "The agent has no extended card, although its card declares one. " + f.sentence
		}
		return "The agent has no extended card: its public card is complete. " + f.sentence
	}
	return f.sentence
}

// useExtendedCard replaces the public card by an extended card. It reports false if the client
// changed since the request: the card may be for other credentials.
func (e *Engine) useExtendedCard(asked *remote, card *a2a.Card, record a2a.RecordID) bool {
	e.cards.Lock()
	defer e.cards.Unlock()
	e.mu.Lock()
	a := e.agents[asked.id]
	if a == nil || a.client != asked.client {
		e.mu.Unlock()
		return false
	}
	if !a.extended {
		a.public, a.extended = a.card, true
	}
	from := a.card
	a.card = card
	profile := e.readdress(a, from)
	e.mu.Unlock()
	attrs := profileNote(a.id, profile)
	attrs[log.AttrRecord], attrs[log.AttrSentence] = log.IDText(record), "it replaces the public card"
	e.note(log.NoteExtendedCard, attrs)
	return true
}

// usePublicCard restores the public card for the reason in the sentence.
func (e *Engine) usePublicCard(id a2a.AgentID, sentence string) {
	e.cards.Lock()
	defer e.cards.Unlock()
	e.mu.Lock()
	a := e.agents[id]
	if a == nil || !a.extended {
		e.mu.Unlock()
		return
	}
	from := a.card
	a.card, a.public, a.extended = a.public, nil, false
	profile := e.readdress(a, from)
	e.mu.Unlock()
	attrs := profileNote(id, profile)
	attrs[log.AttrSentence] = sentence
	e.note(log.NotePublicCard, attrs)
}

// profileNote returns the attributes of a note about the profile of an agent.
func profileNote(id a2a.AgentID, p a2a.Profile) map[string]string {
	profile, _ := json.Marshal(p) // plain values cannot fail
	return map[string]string{log.AttrAgent: log.IDText(id), log.AttrProfile: string(profile)}
}

// readdress makes the client for a card that replaces another one. What was learned about the
// agent's dialect stays valid as long as both cards name the same ways; an unusable card
// changes nothing. The caller holds the engine's lock.
func (e *Engine) readdress(a *remote, from *a2a.Card) a2a.Profile {
	p := a.profile
	if from != nil && a.card != nil {
		was, now := a2a.DetectAs(from, a.pins), a2a.DetectAs(a.card, a.pins)
		switch {
		case now.Problem != "":
		case slices.Equal(from.Interfaces, a.card.Interfaces) || was.Way() == now.Way():
			p.Streaming = now.Streaming
		default:
			p = now
		}
	}
	e.speak(a, p)
	return a.maskProfile(p)
}

// checkLogin restores the public card when the agent no longer accepts the credentials.
func (e *Engine) checkLogin(a *remote, out *a2a.Answer) {
	if out.Status != http.StatusUnauthorized {
		return
	}
	e.mu.Lock()
	live := e.agents[a.id]
	now := live != nil && live.client == a.client
	e.mu.Unlock()
	if now {
		e.usePublicCard(a.id, "The agent no longer accepts the credentials (401); Parley uses its public card again.")
	}
}
