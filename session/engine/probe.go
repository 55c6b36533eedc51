package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/session/problem"
	"parley/session/task"
)

// ProbeDialect probes an agent's endpoint again, without side effects. The result is added to
// the agent's profile; the dialect changes only if the evidence against the result was not
// certain.
func (e *Engine) ProbeDialect(agent a2a.AgentID) {
	a := e.agent(agent)
	if a == nil || a.tapped {
		return
	}
	e.start(func() {
		e.mu.Lock()
		endpoint, profile, held := a.profile.Endpoint, a.profile, a.held != ""
		e.mu.Unlock()
		e.probes.Delete(endpoint)
		if endpoint == "" || held {
			e.Reopen(agent)
			return
		}
		p := e.probe(e.ctx, a, endpoint)
		if e.ctx.Err() == nil {
			e.change(a, e.addProbe(a, profile, &p), p.Attempts, 0, failure{})
		}
	})
}

// probe probes an endpoint once and saves the answer.
func (e *Engine) probe(ctx context.Context, a *remote, endpoint string) a2a.ProbeResult {
	if known, ok := e.probes.Load(endpoint); ok {
		return known.(a2a.ProbeResult)
	}
	e.mu.Lock()
	o := e.clientOptions(a)
	e.mu.Unlock()
	p := a2a.Probe(ctx, endpoint, &a2a.Call{Agent: a.id}, o)
	if ctx.Err() == nil && !problem.IsUnreachable(p.Class) {
		e.probes.Store(endpoint, p)
	}
	return p
}

// verify probes if discovery leaves a doubt: there is no card, or the card allows only a guess.
func (e *Engine) verify(ctx context.Context, a *remote, f *a2a.Discovery) {
	e.mu.Lock()
	pinned := a.pins.Dialect != a2a.Unknown
	_, held := a.provenWay()
	before := a.profile
	confirmed := a.confirms(f.Profile.Endpoint) && a.confirms(f.Endpoint) && a.held == ""
	e.mu.Unlock()
	unreadable := f.Card == nil && (f.Class == a2a.ClassNoCard || f.Class == a2a.ClassBadCard || f.Class == a2a.ClassStatus)
	switch {
	case ctx.Err() != nil || f.Card == nil && problem.IsUnreachable(f.Class):
	case pinned && f.Card == nil:
		f.Profile.Endpoint = f.Endpoint
		f.Profile.Warnings = append(f.Profile.Warnings, withoutAdvice(f.Sentence)+"; the agent's capabilities are unknown")
	case pinned:
	case held && unreadable:
		f.Profile = before
		said := withoutAdvice(f.Sentence) + "; Parley continues to use the dialect that the agent answered in before"
		if !slices.Contains(before.Warnings, said) {
			f.Profile.Warnings = append(slices.Clone(before.Warnings), said)
		}
		f.Sentence, f.Class = "", ""
	case held, !confirmed:
	case f.Card != nil && f.Profile.Endpoint != "" && f.Profile.Dialect != a2a.Unknown && isDoubtful(f.Card, &f.Profile):
		p := e.probe(ctx, a, f.Profile.Endpoint)
		f.Attempts = append(f.Attempts, p.Attempts...)
		f.Profile = withProbe(f.Profile, &p)
	case unreadable && f.Endpoint != "":
		p := e.probe(ctx, a, f.Endpoint)
		f.Attempts = append(f.Attempts, p.Attempts...)
		if p.Profile.Problem != "" {
			f.Sentence += " Parley also probed the address as an endpoint: " + p.Profile.Problem + "."
			return
		}
		f.Profile = p.Profile
		f.Profile.Warnings = append(slices.Clone(f.Profile.Warnings), withoutAdvice(f.Sentence)+
			"; probes show that the address is an endpoint, but the agent's capabilities are unknown")
		f.Sentence, f.Class = "", ""
	}
}

// withoutAdvice returns the first clause of a sentence, without its advice.
func withoutAdvice(sentence string) string {
	what, _, _ := strings.Cut(sentence, ". ")
	return strings.TrimSuffix(what, ".")
}

// isDoubtful reports whether the dialect of a profile is a guess, claimed by a card that is not
// written in it, or one that Parley does not speak.
func isDoubtful(c *a2a.Card, p *a2a.Profile) bool {
	switch {
	case p.Binding == a2a.BindingMQTT: // its topic is all there is
		return false
	case p.Problem != "":
		return true
	}
	_, confidence := dialectOf(p)
	ofOne := func(i a2a.Interface) bool { return i.Origin == a2a.FromSupported }
	return confidence == a2a.Guess || p.Dialect == a2a.V10 && !slices.ContainsFunc(c.Interfaces, ofOne)
}

// dialectOf returns the evidence for the dialect in use.
func dialectOf(p *a2a.Profile) (reason string, confidence a2a.Confidence) {
	for _, ev := range slices.Backward(p.Evidence) {
		if ev.Field == "dialect" && ev.Value == string(p.Dialect) {
			return ev.Reason, ev.Confidence
		}
	}
	return "", a2a.Guess
}

// addProbe adds the result of probes to the profile of an agent, unless the agent has answered
// in another way. The caller does not hold the engine's lock.
func (e *Engine) addProbe(a *remote, p a2a.Profile, found *a2a.ProbeResult) a2a.Profile {
	e.mu.Lock()
	defer e.mu.Unlock()
	if was, held := a.provenWay(); held && found.Profile.Problem == "" && !found.Profile.Way().Same(was.way) {
		q := p
		q.Evidence = slices.Concat(p.Evidence, found.Profile.Evidence)
		q.Warnings = append(slices.Clone(p.Warnings), fmt.Sprintf(
			"Probes indicate A2A %s, but the agent has answered in %s: Parley continues with %s; pin a dialect to change that",
			found.Profile.Dialect.Number(), was.way.Dialect.Number(), was.way.Dialect.Number()))
		return q
	}
	return withProbe(p, found)
}

// withProbe adds the result of probes to a profile. It replaces less certain facts, and
// otherwise becomes a warning beside what the card says.
func withProbe(p a2a.Profile, found *a2a.ProbeResult) a2a.Profile {
	p.Evidence, p.Warnings = slices.Clone(p.Evidence), slices.Clone(p.Warnings)
	p.Warnings = append(p.Warnings, found.Profile.Warnings...)
	if found.Profile.Problem != "" {
		p.Evidence = append(p.Evidence, a2a.Evidence{Field: "probe", Value: "nothing recognised", Reason: found.Profile.Problem})
		return p
	}
	_, before := dialectOf(&p)
	reason, now := dialectOf(&found.Profile)
	p.Evidence = append(p.Evidence, found.Profile.Evidence...)
	speak := func() {
		p.Dialect, p.Binding, p.Problem = found.Profile.Dialect, found.Profile.Binding, ""
		if said := contradiction(&p); said != "" {
			p.Warnings = append(p.Warnings, said+": "+reason)
		}
	}
	switch {
	case p.Problem != "":
		if guessed := guessedEndpoint(&p); guessed != "" {
			p.Warnings = append(p.Warnings, "The card declares no endpoint; "+guessed+", the address of the card, is a guess that a probe has confirmed")
		}
		speak()
	case p.Way().Same(found.Profile.Way()):
	case before < a2a.Certain && (before < now || before == a2a.Guess):
		speak()
	default:
		says := "is written as"
		if p.Claim != "" {
			says = "says"
		}
		p.Warnings = append(p.Warnings, fmt.Sprintf(
			"The card %s A2A %s but probes indicate %s: Parley continues with %s; pin a dialect to change that",
			says, p.Dialect.Number(), found.Profile.Dialect.Number(), p.Dialect.Number()))
	}
	return p
}

// guessedEndpoint returns the endpoint of a profile if it is a guess, empty if it is not.
func guessedEndpoint(p *a2a.Profile) string {
	for _, ev := range p.Evidence {
		if ev.Field == "endpoint" && ev.Confidence == a2a.Guess {
			return ev.Value
		}
	}
	return ""
}

// findOtherWay finds another way to an agent that rejected an operation unread because of a wrong
// dialect. It reports false when there is none, when work may have begun, or when the user
// pinned the way. Only mandatory methods count: a missing optional method says nothing about
// the dialect.
func (e *Engine) findOtherWay(ctx context.Context, d *dispatch) (*remote, bool) {
	out, call := &d.out, d.call
	rpc := rpcError(out.Err)
	if !task.IsRequired(call.Op) || !out.NothingStarted() || out.End.Reason == a2a.Refused || ctx.Err() != nil || rpc != nil && problem.IsTaskUnknown(rpc) {
		return nil, false
	}
	e.mu.Lock()
	live := e.agents[d.agent]
	var pins a2a.Pins
	held := false
	if live != nil {
		pins = live.pins
		_, held = live.provenWay()
	}
	e.mu.Unlock()
	if live == nil || held && !(task.SendsMessage(call.Op) && out.MethodNotFound()) {
		return nil, false
	}
	next, reason := e.otherWay(ctx, d, pins)
	if next.Dialect == a2a.Unknown || ctx.Err() != nil {
		return nil, false
	}
	p := d.a.profile
	now := problem.WayName(next)
	p.Evidence, p.Warnings = slices.Clone(p.Evidence), slices.Clone(d.first.Warnings)
	p.Dialect, p.Binding, p.Endpoint, p.Tenant = next.Dialect, next.Binding, next.Endpoint, next.Tenant
	p.Evidence = append(p.Evidence, a2a.Evidence{Field: "dialect", Value: string(next.Dialect), Reason: reason, Confidence: a2a.Likely, Record: out.Exchange})
	p.Alternatives = slices.DeleteFunc(slices.Clone(p.Alternatives), next.Same)
	said := contradiction(&p)
	if said == "" {
		said = fmt.Sprintf("Parley assumed A2A %s for the agent and now speaks %s", problem.WayName(d.first.Way()), now)
	}
	p.Warnings = append(p.Warnings, said+": "+reason)
	sentence := fmt.Sprintf("The agent rejected the request unread as A2A %s; Parley sent it again as %s, because %s.", problem.JoinWords(d.names()), now, reason)
	return d.become(p, failure{sentence, ""})
}

// otherWay returns another way to speak to the agent: the one that it names itself, those of
// its card and of similar agents without the method, and otherwise the one that probes find.
func (e *Engine) otherWay(ctx context.Context, d *dispatch, pins a2a.Pins) (next a2a.Way, reason string) {
	p := &d.a.profile
	current := p.Way()
	open := func(w a2a.Way) bool {
		known := func(o a2a.Way) bool { return o.Same(w) }
		return w.Dialect != a2a.Unknown && !w.Same(current) && !slices.ContainsFunc(d.tried, known) && pins.Allow(w)
	}
	for _, saw := range d.out.Last.Saw {
		offered := current
		offered.Dialect = a2a.DialectName(saw.Value)
		if saw.Field == "dialect" && open(offered) {
			return offered, saw.Reason
		}
	}
	if d.out.MethodNotFound() {
		reason = "the agent has no " + model.MethodOf(p, d.call.Op)
		for _, w := range d.ways() {
			if !open(w) {
				continue
			}
			if w.Dialect == a2a.V01 && w.Binding == a2a.BindingJSONRPC {
				if found := e.probe(ctx, d.a, w.Endpoint); found.Profile.Dialect == a2a.SAMDoc && open(found.Profile.Way()) {
					why, _ := dialectOf(&found.Profile)
					return found.Profile.Way(), why
				}
			}
			return w, reason
		}
		if len(d.tried) > 0 || p.Binding == a2a.BindingREST {
			return a2a.Way{}, ""
		}
	}
	if found := e.probe(ctx, d.a, current.Endpoint); found.Profile.Problem == "" {
		reason, _ = dialectOf(&found.Profile)
		if w := found.Profile.Way(); open(w) {
			return w, reason
		}
		return a2a.Way{}, "" // it does speak that dialect, and refused for another reason
	}
	for _, alt := range p.Alternatives {
		if open(alt) {
			return alt, "the card also offers that"
		}
	}
	return a2a.Way{}, ""
}

// change gives an agent another profile and records it for replays.
func (e *Engine) change(a *remote, p a2a.Profile, attempts []a2a.Lookup, turn a2a.TurnID, said failure) {
	e.mu.Lock()
	e.speak(a, p)
	p = a.maskProfile(a.profile)
	e.mu.Unlock()
	attrs := profileNote(a.id, p)
	attrs[log.AttrSentence], attrs[log.AttrClass] = said.sentence, said.class
	if turn != 0 {
		attrs[log.AttrTurn] = log.IDText(turn)
	}
	setJSON(attrs, log.AttrAttempts, attempts)
	e.note(log.NoteProfile, attrs)
}
