package session

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parley/a2a"
)

// Probe asks an agent's endpoint again how it speaks, without side effects. What
// comes of it is added to the agent's profile; what is sent changes only if what stood
// against it was not certain.
func (e *Engine) Probe(agent a2a.AgentID) {
	a := e.agent(agent)
	if a == nil {
		return
	}
	e.start(func() {
		e.mu.Lock()
		endpoint, profile := a.profile.Endpoint, a.profile
		delete(e.probed, endpoint)
		e.mu.Unlock()
		if endpoint == "" {
			e.Reopen(agent)
			return
		}
		p := e.probe(e.ctx, a, endpoint)
		if e.ctx.Err() == nil {
			e.change(a, believed(profile, &p), p.Attempts, 0, "")
		}
	})
}

// probe probes an endpoint once; the answer is kept.
func (e *Engine) probe(ctx context.Context, a *remote, endpoint string) a2a.Probing {
	e.mu.Lock()
	known, ok := e.probed[endpoint]
	o := e.clientOptions(a)
	e.mu.Unlock()
	if ok {
		return known
	}
	p := a2a.Probe(ctx, endpoint, &a2a.Call{Agent: a.id}, o)
	if ctx.Err() == nil && !gone(p.Class) {
		e.mu.Lock()
		e.probed[endpoint] = p
		e.mu.Unlock()
	}
	return p
}

// verify probes where discovery leaves a doubt: there is no card, or the card only
// lets one guess.
func (e *Engine) verify(ctx context.Context, a *remote, f *a2a.Discovery) {
	e.mu.Lock()
	pinned := a.pins.Dialect != a2a.Unknown
	e.mu.Unlock()
	switch {
	case ctx.Err() != nil || f.Card == nil && gone(f.Class):
	case pinned && f.Card == nil:
		f.Profile.Endpoint = f.Endpoint
		f.Profile.Warnings = append(f.Profile.Warnings, withoutAdvice(f.Sentence)+"; what the agent can do is not known")
	case pinned:
	case f.Card != nil && f.Profile.Problem == "" && doubtful(f.Card, &f.Profile):
		p := e.probe(ctx, a, f.Profile.Endpoint)
		f.Attempts = append(f.Attempts, p.Attempts...)
		f.Profile = believed(f.Profile, &p)
	case f.Card == nil && f.Endpoint != "" && (f.Class == a2a.ClassNoCard || f.Class == a2a.ClassBadCard || f.Class == a2a.ClassStatus):
		p := e.probe(ctx, a, f.Endpoint)
		f.Attempts = append(f.Attempts, p.Attempts...)
		if p.Profile.Problem != "" {
			f.Sentence += " It was probed as an endpoint too: " + p.Profile.Problem + "."
			return
		}
		f.Profile = p.Profile
		f.Profile.Warnings = append(slices.Clone(f.Profile.Warnings), withoutAdvice(f.Sentence)+
			"; probes show that the address is an endpoint all the same, and what the agent can do is not known")
		f.Sentence, f.Class = "", ""
	}
}

// withoutAdvice returns what happened without what to do about it.
func withoutAdvice(sentence string) string {
	what, _, _ := strings.Cut(sentence, ". ")
	return strings.TrimSuffix(what, ".")
}

// doubtful reports whether the dialect of a profile is a guess, or claimed by a card
// that is not written in it.
func doubtful(c *a2a.Card, p *a2a.Profile) bool {
	_, confidence := dialectOf(p)
	ofOne := func(i a2a.Interface) bool { return i.Origin == a2a.FromSupported }
	return confidence == a2a.Guess || p.Dialect == a2a.V10 && !slices.ContainsFunc(c.Interfaces, ofOne)
}

// dialectOf returns the evidence for the dialect that is spoken.
func dialectOf(p *a2a.Profile) (reason string, confidence a2a.Confidence) {
	for _, ev := range slices.Backward(p.Evidence) {
		if ev.Field == "dialect" && ev.Value == string(p.Dialect) {
			return ev.Reason, ev.Confidence
		}
	}
	return "", a2a.Guess
}

// believed adds what probes found to a profile. It replaces what is less sure, and
// otherwise stands beside what the card says.
func believed(p a2a.Profile, found *a2a.Probing) a2a.Profile {
	p.Evidence, p.Warnings = slices.Clone(p.Evidence), slices.Clone(p.Warnings)
	p.Warnings = append(p.Warnings, found.Profile.Warnings...)
	if found.Profile.Problem != "" {
		p.Evidence = append(p.Evidence, a2a.Evidence{Field: "probe", Value: "nothing recognised", Reason: found.Profile.Problem})
		return p
	}
	_, before := dialectOf(&p)
	_, now := dialectOf(&found.Profile)
	p.Evidence = append(p.Evidence, found.Profile.Evidence...)
	switch {
	case sameSpeech(way(&p), way(&found.Profile)):
	case before < now && before < a2a.Certain:
		if before == a2a.Likely {
			p.Warnings = append(p.Warnings, fmt.Sprintf("The card says A2A %s and the wire speaks %s: it is spoken to as %s",
				p.Dialect.Number(), found.Profile.Dialect.Number(), found.Profile.Dialect.Number()))
		}
		p.Dialect, p.Binding, p.Problem = found.Profile.Dialect, found.Profile.Binding, ""
	default:
		p.Warnings = append(p.Warnings, fmt.Sprintf(
			"The card says A2A %s and the wire speaks %s: it is still spoken to as %s; pin a dialect to change that",
			p.Dialect.Number(), found.Profile.Dialect.Number(), p.Dialect.Number()))
	}
	return p
}

func way(p *a2a.Profile) a2a.Way {
	return a2a.Way{Dialect: p.Dialect, Binding: p.Binding, Endpoint: p.Endpoint, Tenant: p.Tenant}
}

// sameSpeech reports whether the same bytes would go to the same place. 0.2 and 0.3
// differ only in name.
func sameSpeech(a, b a2a.Way) bool {
	for _, w := range []*a2a.Way{&a, &b} {
		if w.Dialect == a2a.V02 {
			w.Dialect = a2a.V03
		}
		w.Tenant = ""
	}
	return a == b
}

// turnAround finds another way to an agent that turned a call away unread, because
// that is not how it speaks. It reports false when there is none, when work may have
// begun, or when the person decided how to speak. Artifacts are had in one dialect only.
func (e *Engine) turnAround(ctx context.Context, a *remote, call *a2a.Call, out *a2a.Outcome) (*remote, bool) {
	rpc := rpcError(out.Err)
	if call.Op == a2a.OpArtifact || !out.NothingStarted() || out.End.Reason == a2a.Refused || ctx.Err() != nil || !a.pins.Empty() || rpc != nil && taskUnknown(rpc) {
		return nil, false
	}
	next, reason := e.otherWay(ctx, a, out)
	if next.Dialect == a2a.Unknown || ctx.Err() != nil {
		return nil, false
	}
	p := a.profile
	was := p.Dialect.Number() + " over " + p.Binding.String()
	p.Evidence, p.Warnings = slices.Clone(p.Evidence), slices.Clone(p.Warnings)
	p.Dialect, p.Binding, p.Endpoint, p.Tenant, p.Alternatives = next.Dialect, next.Binding, next.Endpoint, next.Tenant, nil
	p.Evidence = append(p.Evidence, a2a.Evidence{Field: "dialect", Value: string(next.Dialect), Reason: reason, Confidence: a2a.Likely, Record: out.Exchange})
	now := next.Dialect.Number() + " over " + next.Binding.String()
	p.Warnings = append(p.Warnings, fmt.Sprintf("The card says A2A %s and the wire speaks %s: %s", was, now, reason))
	sentence := fmt.Sprintf("The agent turned it away unread as A2A %s; it was sent once more as %s, because %s.", was, now, reason)
	known := e.agent(a.id)
	e.change(known, p, nil, call.Turn, sentence)
	e.mu.Lock()
	defer e.mu.Unlock()
	if th := e.convs[call.Conversation]; th != nil && call.Dialect == a2a.V01 {
		th.contextID = "" // it was made here, for 0.1 alone
	}
	copied := *known
	return &copied, copied.client != nil
}

// otherWay returns how else to speak to the agent: as it says itself, as probes show,
// or as its card offers besides.
func (e *Engine) otherWay(ctx context.Context, a *remote, out *a2a.Outcome) (next a2a.Way, reason string) {
	current := way(&a.profile)
	for _, saw := range out.Last.Saw {
		offered := current
		offered.Dialect = a2a.DialectName(saw.Value)
		if saw.Field == "dialect" && !sameSpeech(offered, current) {
			return offered, saw.Reason
		}
	}
	if p := e.probe(ctx, a, current.Endpoint); p.Profile.Problem == "" {
		if sameSpeech(way(&p.Profile), current) {
			return a2a.Way{}, "" // it does speak so, and refused for another reason
		}
		reason, _ = dialectOf(&p.Profile)
		return way(&p.Profile), reason
	}
	if len(a.profile.Alternatives) > 0 {
		return a.profile.Alternatives[0], "the card offers that too"
	}
	return a2a.Way{}, ""
}

// change gives an agent another profile and records it, so that a replay sees it.
func (e *Engine) change(a *remote, p a2a.Profile, attempts []a2a.Attempt, turn a2a.TurnID, sentence string) {
	e.mu.Lock()
	e.speak(a, p)
	p = a.profile
	e.mu.Unlock()
	profile, _ := json.Marshal(p) // plain values cannot fail
	attrs := map[string]string{
		attrAgent: strconv.FormatUint(uint64(a.id), 10), attrProfile: string(profile), attrSentence: sentence,
	}
	if turn != 0 {
		attrs[attrTurn] = strconv.FormatUint(uint64(turn), 10)
	}
	if len(attempts) > 0 {
		list, _ := json.Marshal(attempts)
		attrs[attrAttempts] = string(list)
	}
	e.note(NoteProfile, attrs)
}
