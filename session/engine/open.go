package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"parley/a2a"
	"parley/session/card"
	"parley/session/log"
	"parley/session/model"
	"parley/session/problem"
)

// Open begins to discover an agent from anything a user can paste, or by the name under which
// it is saved. SignalOpened reports the result; a reference with several cards opens an agent
// for each, the first of them under the number returned here.
func (e *Engine) Open(ref string) a2a.AgentID {
	saved := Saved{Ref: ref}
	if e.o.Saved != nil {
		if known, ok := e.o.Saved(ref); ok {
			saved = known
		}
	}
	a := e.newAgent(saved, 0)
	if a.wholeMesh() {
		saved.Name = "" // it names a mesh, and no agent in it
	}
	e.startOpen(a, saved.Name)
	e.start(func() { e.open(a) })
	return a.id
}

// SetAgentName notes the name that the user gave an agent, empty for the one on its card.
func (e *Engine) SetAgentName(agent a2a.AgentID, name string) {
	a := e.agent(agent)
	if a == nil {
		return
	}
	said := a2a.MaskReference(a.ref) + " is now named " + name
	if name == "" {
		said = a2a.MaskReference(a.ref) + " has its own name again"
	}
	e.note(log.NoteNamed, map[string]string{log.AttrAgent: log.IDText(agent), log.AttrName: name, log.AttrSentence: said})
}

// SetConversationName notes the name that the user gave a conversation, empty for the words of its
// first message.
func (e *Engine) SetConversationName(agent a2a.AgentID, conv a2a.ConversationID, name string) {
	if e.agent(agent) == nil || conv == 0 {
		return
	}
	said := "the conversation is now named " + name
	if name == "" {
		said = "the conversation has the words of its first message as its name again"
	}
	e.note(log.NoteRenamed, map[string]string{
		log.AttrAgent: log.IDText(agent), log.AttrConversation: log.IDText(conv), log.AttrName: name, log.AttrSentence: said,
	})
}

// Reopen discovers an agent again: its card may have changed, or there was none.
func (e *Engine) Reopen(agent a2a.AgentID) {
	if a := e.agent(agent); a != nil && !a.tapped {
		a.hurry()
		e.startOpen(a, "")
		e.start(func() { e.open(a) })
	}
}

// SearchCard discovers an agent again and continues with other addresses where one requires
// credentials.
func (e *Engine) SearchCard(agent a2a.AgentID) {
	e.mu.Lock()
	if a := e.agents[agent]; a != nil {
		a.everywhere = true
	}
	e.mu.Unlock()
	e.Reopen(agent)
}

// startOpen announces that discovery begins, before any result: so agents are listed in the order
// in which they were opened. The name is the user's, empty if there is none.
func (e *Engine) startOpen(a *remote, name string) {
	embedded := ""
	if a.saved.Embedded {
		embedded = "true"
	}
	e.note(log.NoteOpening, map[string]string{log.AttrAgent: log.IDText(a.id), log.AttrRef: a2a.MaskReference(a.ref), log.AttrName: name, log.AttrEmbedded: embedded})
	e.signal(log.Signal{Kind: log.SignalOpening, Agent: a.id, Ref: a.ref})
}

func (e *Engine) newAgent(saved Saved, index int) *remote {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.last.agent++
	if saved.Client == nil && e.o.Client != nil {
		saved.Client = func() a2a.Options { return e.o.Client(saved.Ref) }
	}
	a := &remote{id: e.last.agent, ref: saved.Ref, index: index, opened: make(chan struct{}), tasks: map[string]*knownTask{}, tryNow: make(chan struct{}, 1), saved: saved, extensions: []string{}}
	if saved.Client != nil {
		o := saved.Client()
		a.pins, a.extensions = o.Pins, model.ValidExtensions(o.Extensions)
	}
	e.agents[a.id] = a
	return a
}

func (e *Engine) discover(ctx context.Context, a *remote) a2a.Discovery {
	e.prepare(a.saved.Ref)
	e.mu.Lock()
	o := e.clientOptions(a)
	o.Pins, o.Previous, a.applied = a.pins, a.found, a.pinned
	o.WholeMesh = e.o.Whole
	ref := a.meshRef()
	e.mu.Unlock()
	call := &a2a.Call{Agent: a.id, Op: a2a.OpCard}
	bytes := newByteCounter(e, call)
	f := a2a.Discover(ctx, ref, call, o, a2a.Hooks{Bytes: bytes.count, Decoded: bytes.noteUpdate})
	e.mu.Lock()
	a.origin, a.endpoint, a.cardOrigin = f.Origin, f.Endpoint, f.CardOrigin
	if f.Card != nil {
		known := f
		a.found = &known
	}
	a.nameOnMesh(&f)
	e.mu.Unlock()
	e.hold(a, &f)
	e.verify(ctx, a, &f)
	bytes.reset()
	return f
}

// prepare reads what the options of clients for a reference need. The caller does not hold the engine's
// lock, because that may block.
func (e *Engine) prepare(ref string) {
	if e.o.Prepare != nil {
		e.o.Prepare(ref)
	}
}

func (e *Engine) options(a *remote) a2a.Options {
	var o a2a.Options
	if a.saved.Client != nil {
		o = a.saved.Client()
	}
	o.Secrets, o.Codings, o.Heard = e.secrets, e.o.Codings, &e.heard
	o.Trace, o.NewID, o.Stdin = e.o.Recorder.Trace(e.o.Now), e.o.NewID, e.o.Stdin
	return o
}

// open discovers an agent and reports the result.
func (e *Engine) open(a *remote) {
	if a.withheld != "" {
		e.noteWithheld(a)
		return
	}
	f := e.discover(e.ctx, a)
	if e.ctx.Err() != nil {
		return
	}
	if f.Card != nil {
		e.mu.Lock()
		a.stopWatch() // nobody has to wait any more
		e.mu.Unlock()
	}
	e.settle(a, f)
	e.joinMesh(a)
	for i := e.spread(a, len(f.Cards)); i < len(f.Cards); i++ {
		e.settle(e.newAgent(a.saved, i), f)
	}
	if f.Card == nil && problem.IsUnreachable(f.Class) {
		e.mu.Lock()
		restored := a.confirmed != nil && a.client == nil         // its profile is the recorded one
		if restored || a.profile.Endpoint == f.Profile.Endpoint { // else a pin has moved the agent meanwhile
			e.startWatch(a)
		}
		e.mu.Unlock()
	}
}

// OpenChoice opens an agent for another card at an agent's address; index counts from 0 as
// [model.Agent.Choices] does. Choosing a card again does nothing.
func (e *Engine) OpenChoice(agent a2a.AgentID, index int) {
	e.mu.Lock()
	a := e.agents[agent]
	open := a == nil || a.found == nil || index < 0 || index >= len(a.found.Cards)
	if !open {
		for _, other := range e.agents {
			open = open || other.ref == a.ref && other.index == index
		}
	}
	var found a2a.Discovery
	if !open {
		found = *a.found
	}
	e.mu.Unlock()
	if !open {
		b := e.newAgent(a.saved, index)
		e.start(func() { e.settle(b, found) })
	}
}

// spread returns the first of n cards that has no agent yet.
func (e *Engine) spread(a *remote, n int) int {
	if a.index != 0 || n > model.MaxSpread {
		return n
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	from := max(a.cards, 1)
	a.cards = max(a.cards, n)
	return from
}

// settle takes the card of an agent, or the lack of one, and reports it.
func (e *Engine) settle(a *remote, f a2a.Discovery) {
	changes, since := e.changesSinceBefore(a, &f)
	e.hold(a, &f) // for a card that came without a discovery of its own
	e.cards.Lock()
	attrs := map[string]string{
		log.AttrAgent: log.IDText(a.id), log.AttrRef: a2a.MaskReference(a.ref),
		log.AttrSentence: f.Sentence, log.AttrClass: f.Class,
	}
	setJSON(attrs, log.AttrAttempts, f.Attempts)
	sig := log.Signal{Kind: log.SignalOpened, Agent: a.id, Ref: a.ref, Sentence: f.Sentence, Attempts: f.Attempts, Announced: f.Announced, Class: f.Class}
	if len(changes) > 0 {
		setJSON(attrs, log.AttrChanges, changes)
		attrs[log.AttrSince] = since.UTC().Format(time.RFC3339)
		sig.Changes, sig.Since = changes, since
	}
	if a.index < len(f.Cards) || f.Card == nil && f.Profile.Endpoint != "" {
		profile := e.adopt(a, f)
		if a.index >= len(f.Cards) || !fromCard(&profile, f.Cards[a.index]) {
			whole, _ := json.Marshal(profile)
			attrs[log.AttrProfile] = string(whole)
			attrs[log.AttrSentence], attrs[log.AttrClass], sig.Sentence, sig.Class = "", "", "", ""
		}
		setJSON(attrs, log.AttrWarnings, profile.Warnings)
		setJSON(attrs, log.AttrCautions, profile.Cautions)
		sig.Profile = &profile
		if profile.Problem != "" {
			sig.Sentence = profile.Problem
		}
		if f.Record != 0 {
			attrs[log.AttrRecord] = log.IDText(f.Record)
			if a.index > 0 {
				attrs[log.AttrIndex] = strconv.Itoa(a.index)
			}
		}
	} else if len(f.Attempts) > 0 {
		e.mu.Lock()
		a.dial = f.Attempts[0].URL
		e.mu.Unlock()
	}
	e.note(log.NoteOpened, attrs)
	e.cards.Unlock()
	e.endOpening(a)
	e.mu.Lock()
	identifies := e.o.Extended && a.identifies() // before the signal, after which the user can sign in
	e.mu.Unlock()
	e.signal(sig)
	if identifies {
		e.ExtendedCard(a.id)
	}
}

// endOpening lets everyone go on who waits until the agent was found. It carries out what the user
// set while the agent was discovered.
func (e *Engine) endOpening(a *remote) {
	e.mu.Lock()
	asks, pins := false, a.pins
	missed := a.applied != a.pinned // they were set while the agent was discovered
	select {
	case <-a.opened:
		missed = false
	default:
		close(a.opened)
		asks = len(a.extensions) > 0
	}
	e.mu.Unlock()
	if missed {
		e.Pin(a.id, pins)
	}
	if asks {
		e.noteExtensions(a)
	}
}

// sinceLastRun returns the differences between an agent's first card in this run and that of an
// earlier run. Later cards are saved for the next run: they are compared with the preceding
// ones.
func (e *Engine) sinceLastRun(a *remote, f *a2a.Discovery) ([]card.Change, time.Time) {
	if e.o.SinceLastRun == nil || a.index >= len(f.Cards) {
		return nil, time.Time{}
	}
	e.mu.Lock()
	first := a.card == nil
	e.mu.Unlock()
	ref := a.ref
	if m, ok := meshOf(ref); ok { // where another agent may announce itself first
		e.mu.Lock()
		ref = m.At(cmp.Or(a.meshAgent, f.Cards[a.index].Name)).String()
		e.mu.Unlock()
	}
	changes, since := e.o.SinceLastRun(ref, a.index, card.NewSnapshot(f.Cards[a.index]))
	if !first {
		return nil, time.Time{}
	}
	return card.MaskChanges(changes, e.Mask), since
}

// hold determines whether an agent may be used with the card that was found. Without a card
// nothing changes: what was held stays so.
func (e *Engine) hold(a *remote, f *a2a.Discovery) {
	if e.o.Hold == nil || a.index >= len(f.Cards) {
		return
	}
	why := e.o.Hold(a.ref, a.index, f.Cards[a.index])
	e.mu.Lock()
	a.held = why
	e.mu.Unlock()
}

// setJSON puts a list into a note's attributes, unless it is empty: users read notes in the
// wire.
func setJSON[T any](attrs map[string]string, name string, list []T) {
	if len(list) > 0 {
		text, _ := json.Marshal(list) // plain values cannot fail
		attrs[name] = string(text)
	}
}

// adopt makes a client for an agent's card, or for an endpoint without one.
func (e *Engine) adopt(a *remote, f a2a.Discovery) a2a.Profile {
	e.mu.Lock()
	defer e.mu.Unlock()
	profile := f.Profile
	if a.index < len(f.Cards) {
		a.card, a.public, a.extended = f.Cards[a.index], nil, false
	} else {
		profile = a.pins.Apply(profile)
	}
	profile.Warnings = slices.Concat(profile.Warnings, a.saved.Warnings)
	if a.index > 0 {
		a.origin = f.Origin
		profile = a2a.DetectAs(a.card, a.pins)
		profile.Warnings = append(profile.Warnings, f.Warnings...)
	}
	if n := len(f.Cards); n > model.MaxSpread && a.index == 0 {
		profile.Warnings = append(profile.Warnings, fmt.Sprintf("The address returned %d agents, and this is the first; the finder lists the others", n))
	}
	profile = a.withProvenWay(profile)
	e.resolveWays(a)
	e.speak(a, profile)
	return a.maskProfile(a.profile)
}

// fromCard reports whether a profile follows from the card alone, so that a replay can compute
// it.
func fromCard(p *a2a.Profile, c *a2a.Card) bool {
	declared := a2a.Detect(c)
	return p.Problem == declared.Problem && p.Dialect == declared.Dialect && p.Binding == declared.Binding && p.Endpoint == declared.Endpoint && !p.ArtifactGateway && !slices.ContainsFunc(p.Evidence, func(ev a2a.Evidence) bool {
		return ev.Record != 0 || ev.Confidence == a2a.Pinned || ev.Field == "probe"
	})
}
