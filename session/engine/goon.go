package engine

import (
	"context"
	"slices"
	"strings"
	"time"

	"parley/a2a"
	"parley/session/card"
	"parley/session/log"
	"parley/session/model"
)

// restore takes over a recorded session, before the engine is used.
func (e *Engine) restore(start *Start) {
	e.secrets.Reserve(start.Last.StandIn)
	e.last.agent, e.last.conv, e.last.turn = start.Last.Agent, start.Last.Conversation, start.Last.Turn
	confirmed := map[string]bool{}
	for i := range start.Agents {
		for _, c := range start.Agents[i].Contacts {
			confirmed[c.Origin] = true
		}
	}
	for i := range start.Agents {
		e.restoreAgent(&start.Agents[i], confirmed)
	}
	for _, c := range start.Conversations {
		e.convs[c.ID] = &thread{agent: c.Agent, contextID: c.ContextID, own: threadWay{way: c.Way}}
	}
}

// restoreAgent takes over an agent.
func (e *Engine) restoreAgent(s *StartAgent, confirmed map[string]bool) {
	saved := s.Saved
	if saved.Client == nil && e.o.Client != nil {
		saved.Client = func() a2a.Options { return e.o.Client(saved.Ref) }
	}
	a := &remote{
		id: s.ID, ref: saved.Ref, index: s.Index, cards: 1, opened: make(chan struct{}), tasks: map[string]*knownTask{}, tryNow: make(chan struct{}, 1),
		saved: saved, extensions: model.ValidExtensions(s.Extensions), card: s.Card, seen: s.Seen, profile: s.Way,
		dismissed: s.Closed, withheld: s.Withheld, tapped: s.Tapped, confirmed: confirmed,
	}
	if s.Closed { // only the user contacts it
		a.confirmed = nil
	}
	if saved.Client != nil {
		a.pins = saved.Client().Pins
	}
	setPins(&a.pins, &s.Pins)
	a.proven = recordedProof(&s.Way, s.Card)
	if m, ok := meshOf(a.ref); ok {
		a.meshAgent = m.Agent
		if a.meshAgent == "" && s.Card != nil {
			a.meshAgent = s.Card.Name
		}
	}
	for _, t := range s.Tasks {
		a.tasks[t.ID] = &knownTask{Lifecycle: t.Lifecycle, home: t.Conversation, conv: t.Conversation, turn: t.Turn, output: t.Output, restored: true}
	}
	if first := e.cardsAt(a.ref); first != nil && a.index > 0 {
		first.cards = max(first.cards, a.index+1) // they have agents
	}
	if s.Closed || s.Withheld != "" {
		close(a.opened)
	}
	e.agents[a.id] = a
}

// recordedProof returns the way in which an agent has answered a message of the recording.
func recordedProof(p *a2a.Profile, c *a2a.Card) (proof provenWay) {
	const answered = " was answered"
	for _, ev := range p.Evidence {
		if method, ok := strings.CutSuffix(ev.Reason, answered); ok && ev.Field == "dialect" && ev.Value == string(p.Dialect) && ev.Record != 0 {
			proof = provenWay{way: p.Way(), record: ev.Record, method: method}
		}
	}
	if c != nil {
		proof.interfaces = c.Interfaces
	}
	return proof
}

// cardsAt returns the agent of the first card at a reference, nil if there is none.
func (e *Engine) cardsAt(ref string) *remote {
	for _, a := range e.agents {
		if a.ref == ref && a.index == 0 {
			return a
		}
	}
	return nil
}

// setPins puts recorded pins over those of today's settings.
func setPins(pins, recorded *a2a.Pins) {
	if recorded.Dialect != a2a.Unknown {
		pins.Dialect = recorded.Dialect
	}
	if recorded.Binding != "" {
		pins.Binding = recorded.Binding
	}
	if recorded.Endpoint != "" {
		pins.Endpoint = recorded.Endpoint
	}
	if recorded.Tenant != "" {
		pins.Tenant = recorded.Tenant
	}
}

// maxGoOn limits how many agents of a recorded session are discovered at the same time.
const maxGoOn = 16

// GoOn goes on with the session of [Use.Start], whose origins the user has confirmed: it gets the
// cards again and follows the tasks that still run.
func (e *Engine) GoOn() {
	start := e.o.Start
	if start == nil {
		return
	}
	e.note(log.NoteResumed, map[string]string{log.AttrName: start.Name, log.AttrSentence: "the session of " + start.Name + " goes on"})
	agents := make(chan *remote, len(start.Agents))
	for i := range start.Agents {
		a := e.agent(start.Agents[i].ID)
		switch {
		case start.Agents[i].Closed, start.Agents[i].Tapped:
		case start.Agents[i].Withheld != "":
			e.noteWithheld(a)
		default:
			agents <- a
		}
	}
	close(agents)
	for range min(maxGoOn, len(agents)) {
		e.start(func() {
			for a := range agents {
				if e.ctx.Err() != nil {
					return
				}
				e.startOpen(a, "")
				e.open(a)
				e.goOnWith(a)
			}
		})
	}
}

// noteWithheld notes that an agent of a recorded session is not contacted, and why.
func (e *Engine) noteWithheld(a *remote) {
	e.note(log.NoteOpened, map[string]string{log.AttrAgent: log.IDText(a.id), log.AttrSentence: a.withheld})
}

// goOnWith follows the tasks of an agent whose card was read again.
func (e *Engine) goOnWith(a *remote) {
	e.mu.Lock()
	ready := a.client != nil
	e.mu.Unlock()
	if ready { // else it is watched, or there is no card
		e.askOpenTasks(e.ctx, a)
	}
}

// askOpenTasks requests the tasks of an agent that are not over and that nobody follows. Those of a
// recorded session are followed as if their stream had just been cut. None is requested at an origin
// that the user has not confirmed.
func (e *Engine) askOpenTasks(ctx context.Context, a *remote) {
	open := e.openTasks(a)
	e.mu.Lock()
	confirmed := a.confirms(a.profile.Endpoint) && a.held == ""
	var again []string
	open = slices.DeleteFunc(open, func(id string) bool {
		k := a.tasks[id]
		resumes := k.restored && k.Works() && a.profile.Streaming && e.o.Resubscribe > 0
		k.restored = false
		if resumes {
			again = append(again, id)
		}
		return resumes
	})
	_, mesh := meshOf(a.ref)
	e.mu.Unlock()
	if !confirmed {
		return
	}
	if mesh {
		e.subscribeOnMesh(ctx, a, append(open, again...))
		return
	}
	for _, id := range again {
		e.followAgain(a.id, id)
	}
	for _, id := range open {
		e.Await(a.id, id, 0, nil)
	}
}

// followAgain follows a task of a recorded session as if its stream had just been cut: it subscribes
// again, at once, and polls the task if that is not possible.
func (e *Engine) followAgain(agent a2a.AgentID, id string) {
	ctx, call := e.callOf(agent, id, 0, a2a.OpSubscribe, &a2a.Request{})
	e.withTask(agent, id, func(k *knownTask) { k.soon = true })
	e.start(func() {
		a, f := e.ready(ctx, agent, call.Conversation)
		if f.sentence != "" {
			e.finish(call, f)
			return
		}
		e.address(a, model.Target{}, call)
		f = e.followTurn(ctx, a, e.follow(a, call), a2a.Answer{Streamed: true, End: a2a.End{Reason: a2a.Cut}}, false)
		e.finish(call, f)
		e.beginAuthPoll(agent, id)
	})
}

// confirms reports whether an endpoint may be contacted unasked: the user has confirmed its origin, or
// opened the agent in this run. The caller holds the engine's lock.
func (a *remote) confirms(endpoint string) bool {
	return a.confirmed == nil || endpoint == "" || a.confirmed[a2a.Origin(endpoint)]
}

// unconfirmedSentence says that a card names an endpoint that the user has not confirmed.
func unconfirmedSentence(endpoint string) string {
	return "It names " + a2a.Origin(endpoint) + ", which you have not confirmed: Parley follows no task there, and a message of yours goes there."
}

// changesSinceBefore returns how an agent's first card in this run differs from the recorded one of a
// session that goes on, else from that of an earlier run, and when that was seen.
func (e *Engine) changesSinceBefore(a *remote, f *a2a.Discovery) ([]card.Change, time.Time) {
	changes, since := e.sinceLastRun(a, f)
	e.mu.Lock()
	defer e.mu.Unlock()
	seen := a.seen
	a.seen = time.Time{}
	if seen.IsZero() || a.card == nil || a.index >= len(f.Cards) {
		return changes, since
	}
	return e.cardChanges(a, a.card, f.Cards[a.index]), seen
}

// cardChanges returns how a new card of an agent differs from another one, those about security
// first. The caller holds the engine's lock.
func (e *Engine) cardChanges(a *remote, old, now *a2a.Card) []card.Change {
	changes := card.MaskChanges(card.Changes(old, now), e.Mask)
	if p := a2a.DetectAs(now, a.pins); !a.confirms(p.Endpoint) {
		changes = append([]card.Change{{Sentence: unconfirmedSentence(p.Endpoint), Security: true}}, changes...)
	}
	return changes
}

// resolveWays gives the conversations of an agent that have a way of their own its endpoint in the
// card: a recording has none.
func (e *Engine) resolveWays(a *remote) {
	if a.card == nil {
		return
	}
	for _, th := range e.convs {
		if th.agent != a.id || th.own.way == (a2a.Way{}) || th.own.way.Endpoint != "" {
			continue
		}
		for _, way := range a2a.CardWays(a.card) {
			if way.Dialect == th.own.way.Dialect && strings.EqualFold(string(way.Binding), string(th.own.way.Binding)) {
				th.own.way = way
				break
			}
		}
	}
}

// OpenTasks returns how many tasks of an agent are not over.
func (s *StartAgent) OpenTasks() (n int) {
	for i := range s.Tasks {
		if !s.Tasks[i].Over() {
			n++
		}
	}
	return n
}
