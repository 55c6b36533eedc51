package engine

import (
	"slices"

	"parley/a2a"
	"parley/session/log"
	"parley/session/problem"
)

// A conversation may have a way of its own: another interface of the agent's card. Everything
// in it goes that way, and nothing in it says anything about the way of the agent.

// A threadWay is the way of one conversation.
type threadWay struct {
	way    a2a.Way     // the zero value is that of the agent
	client *a2a.Client // for way, nil before the first call
	beside *a2a.Client // the agent's client when client was made: another one has other credentials
}

// setWay sets the way of a conversation, and reports whether that changes it. The zero way changes
// nothing. The caller holds the engine's lock.
func (e *Engine) setWay(conv a2a.ConversationID, way a2a.Way) (changed bool) {
	th := e.convs[conv]
	if th == nil || way == (a2a.Way{}) || th.own.way == way {
		return false
	}
	th.own.close()
	th.own = threadWay{way: way}
	return true
}

// noteWay notes the way of a conversation, so that a replay shows it too.
func (e *Engine) noteWay(agent a2a.AgentID, conv a2a.ConversationID, way a2a.Way) {
	e.note(log.NoteWay, map[string]string{
		log.AttrAgent: log.IDText(agent), log.AttrConversation: log.IDText(conv), log.AttrDialect: string(way.Dialect), log.AttrBinding: string(way.Binding),
		log.AttrSentence: "A2A " + problem.WayName(way) + " in this conversation",
	})
}

// close closes the client of a conversation.
func (w *threadWay) close() {
	if w.client != nil {
		w.client.Close()
	}
}

// inWay makes a copy of an agent speak in the way of a conversation. It fails if the agent's
// card does not offer that way any more. The caller holds the engine's lock.
func (e *Engine) inWay(a *remote, conv a2a.ConversationID) failure {
	th := e.convs[conv]
	if th == nil || th.own.way == (a2a.Way{}) {
		return failure{}
	}
	w := &th.own
	if a.card == nil || !slices.Contains(a2a.CardWays(a.card), w.way) {
		return failure{sentence: "The agent's card does not offer A2A " + problem.WayName(w.way) + " any more, in which this conversation was sent.", class: problem.ClassUnsent}
	}
	p := a.profile
	p.Dialect, p.Binding, p.Endpoint, p.Tenant = w.way.Dialect, w.way.Binding, w.way.Endpoint, w.way.Tenant
	p.Claim, p.Problem, p.Alternatives = w.way.Dialect.Number(), "", nil
	if w.client == nil || w.beside != a.client {
		w.close()
		w.client, w.beside = a2a.NewClient(p, a.card, e.clientOptions(a)), a.client
	}
	a.profile, a.client, a.aside = p, w.client, true
	return failure{}
}
